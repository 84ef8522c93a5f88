// How a redirect changes a request. Pure: the request and its response in, the next request out.
import type { HttpRequest } from '../outbound/http-request.ts'
import { OutboundError } from '../outbound/outbound-error.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const KEEPS_METHOD = new Set([307, 308])
// Headers that identify the user must not be sent to an origin they did not name.
const SURVIVES_ORIGIN = new Set(['user-agent', 'accept', 'accept-language'])

/** The next request, or undefined if this response is final. */
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
  // Header bytes are decoded as Latin-1, but some locations contain raw UTF-8.
  const url = URL.parse(Buffer.from(location, 'latin1').toString('utf8'), base)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new OutboundError('INVALID_RESPONSE', 'redirect address')
  url.hash = ''
  return url
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
