// Surfaces that are the same for everyone and built with their first request: the API description and its reference.
import { methodNotAllowed, noSuchAddress } from '../../platform/api-error.ts'
import { chooseForm, compress, type Forms } from '../http/content-encoding.ts'
import type { Surface } from '../http/surface.ts'

type Body = string | Buffer
type Document = {
  type: string
  body: Body | (() => Promise<Body>)
  headers?: Record<string, string>
}

/** Served to anyone; an API key is ignored. */
export function documentSurface(path: string, { type, body, headers = {} }: Document): Surface {
  let forms: Promise<Forms> | undefined
  const build = async () => {
    try {
      return await compress(Buffer.from(typeof body === 'function' ? await body() : body))
    } catch (error) {
      forms = undefined
      throw error
    }
  }
  return {
    prefix: path,
    async serve(request, response, target) {
      if (target.path !== path) throw noSuchAddress()
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET')
      forms ??= build()
      const [encoding, bytes] = chooseForm(request.headers, await forms)
      response.writeHead(200, {
        'Content-Type': type,
        'Content-Length': bytes.length,
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
        Vary: 'Accept-Encoding',
        'Cache-Control': 'public, max-age=60',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': request.requestId,
        ...headers,
      })
      response.end(bytes)
    },
  }
}
