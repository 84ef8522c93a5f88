// Documents that are the same for everyone and built with their first request: the API description, its reference and the
// guides.
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { methodNotAllowed, noSuchAddress } from '../../platform/api-error.ts'
import { chooseForm, compress, type Forms } from '../http/content-encoding.ts'
import type { Surface, SurfaceRequest } from '../http/surface.ts'

type Body = string | Buffer
export type Document = {
  type: string
  body: Body | (() => Promise<Body>)
  headers?: Record<string, string>
  /** Compressing it again would gain nothing. */
  isCompressed?: boolean
}
type Ready = { forms: Forms; etag: string }

const NO_FORMS: ReadonlyMap<string, Buffer> = new Map()

/** Served to anyone; an API key is ignored. */
export function documentSurface(path: string, document: Document): Surface {
  const serve = documentServer(document)
  return {
    prefix: path,
    async serve(request, response, target) {
      if (target.path !== path) throw noSuchAddress()
      await serve(request, response)
    },
  }
}

export function documentServer(document: Document) {
  const { type, headers = {} } = document
  let ready: Promise<Ready> | undefined
  const prepareAgain = (error: unknown) => {
    ready = undefined
    throw error
  }
  return async (request: SurfaceRequest, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET')
    ready ??= prepare(document).catch(prepareAgain)
    const { forms, etag } = await ready
    const always = {
      ETag: etag,
      Vary: 'Accept-Encoding',
      'Cache-Control': 'public, max-age=60',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': request.requestId,
      ...headers,
    }
    if (isKnown(request.headers['if-none-match'], etag))
      return void response.writeHead(304, always).end()
    const [encoding, bytes] = chooseForm(request.headers, forms)
    response.writeHead(200, {
      ...always,
      'Content-Type': type,
      'Content-Length': bytes.length,
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    })
    response.end(bytes)
  }
}

async function prepare({ body, isCompressed }: Document): Promise<Ready> {
  const bytes = Buffer.from(typeof body === 'function' ? await body() : body)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const forms = isCompressed ? { identity: bytes, compressed: NO_FORMS } : await compress(bytes)
  return { forms, etag }
}

/** Proxies that compress mark the tag as weak. */
const isKnown = (known: string | undefined, etag: string): boolean =>
  known?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false
