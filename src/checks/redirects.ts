// How one redirect changes a request. Pure: the request and its answer in, the next request out.
import type { HttpRequest } from '../outbound/http-request.ts'
import { OutboundError } from '../outbound/outbound-error.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const KEEPS_METHOD = new Set([307, 308])
// What identifies the owner must not reach an origin the owner did not name.
const SURVIVES_ORIGIN = new Set(['user-agent', 'accept', 'accept-language'])

/** The request that follows, or undefined when this answer is the final one. */
export function nextRequest(
  request: HttpRequest,
  status: number,
  location: string | undefined,
): HttpRequest | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined
  const url = toUrl(location, request.url)
  const { body, ...rest } = request
  const keepsMethod = KEEPS_METHOD.has(status) || isReading(request.method)
  return {
    ...rest,
    url,
    method: keepsMethod ? request.method : 'GET',
    headers: nextHeaders(request, url, keepsMethod),
    ...(keepsMethod && body !== undefined && { body }),
  }
}

function nextHeaders(request: HttpRequest, url: URL, keepsMethod: boolean): HttpRequest['headers'] {
  const sameOrigin = url.origin === request.url.origin
  const survives = (name: string) =>
    (sameOrigin || SURVIVES_ORIGIN.has(name)) && (keepsMethod || !name.startsWith('content-'))
  return Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => survives(name.toLowerCase())),
  )
}

function toUrl(location: string, base: URL): URL {
  // Header bytes come as Latin-1; addresses with raw UTF-8 in them exist.
  const url = URL.parse(Buffer.from(location, 'latin1').toString('utf8'), base)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new OutboundError('INVALID_RESPONSE', 'redirect address')
  url.hash = ''
  return url
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
