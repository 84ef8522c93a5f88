// Surfaces that are the same for everyone and built once at startup: the API description and its reference.
import { methodNotAllowed, noSuchAddress } from '../../platform/api-error.ts'
import { chooseForm, compress } from '../http/content-encoding.ts'
import type { Surface } from '../http/surface.ts'

type Document = { type: string; body: string | Buffer; headers?: Record<string, string> }

/** Served to anyone; an API key is ignored. */
export function documentSurface(path: string, { type, body, headers = {} }: Document): Surface {
  const forms = compress(typeof body === 'string' ? Buffer.from(body) : body)
  return {
    prefix: path,
    serve(request, response, target) {
      if (target.path !== path) throw noSuchAddress()
      if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET')
      const [encoding, bytes] = chooseForm(request.headers, forms)
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
