// What a person sees at an address that does not exist. Clients of the API keep the envelope.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import { PLAIN_PAGE_HEADERS, plainPage } from './plain-page.ts'

/** Addresses that people try. */
const REDIRECTS: Readonly<Record<string, string>> = {
  '/docs/': '/docs',
  '/login': PATHS.signIn,
  '/login/': PATHS.signIn,
  '/signin': PATHS.signIn,
  '/signup': PATHS.signIn,
  '/sign-up': PATHS.signIn,
  '/dashboard': PATHS.monitors,
  '/dashboard/': PATHS.monitors,
}

// Browsers ask for it beside a page that names no icon, and only for an image.
const ICON = { asked: '/favicon.ico', location: '/favicon.svg' }

const ROBOTS = Buffer.from(`User-agent: *
Allow: /status/
Allow: /docs
Disallow: /
`)

const PAGE = plainPage(
  'Page not found · Upvane',
  `<h1>Page not found</h1>
<p>The link may be wrong, or the page was removed.</p>
<p><a href="/">Go to the dashboard</a> · <a href="/docs/guides">Documentation</a></p>`,
  '<meta name="robots" content="noindex">\n',
)

/** Whether the client names text/html and does not prefer JSON. "Anything" is no preference. */
export function prefersHtml(accept: string): boolean {
  const qualities = new Map(accept.split(',').map(toQuality))
  const html = qualities.get('text/html') ?? 0
  return html > 0 && html >= (qualities.get('application/json') ?? 0)
}

function toQuality(range: string): [type: string, quality: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const quality = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1)
  return [type, Number.isNaN(quality) ? 0 : quality]
}

const APIS = ['/api', '/app/api']

/** False if the address is none that a browser would open: the caller sends the envelope. */
export function serveNotFound(
  request: IncomingMessage & { requestId: string },
  response: ServerResponse,
  path: string,
): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (path === '/robots.txt') {
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
    return write(request, response, { status: 200, headers, body: ROBOTS })
  }
  const accept = request.headers.accept ?? ''
  if (path === ICON.asked && accept.includes('image/')) {
    const headers = { Location: ICON.location, Vary: 'Accept' }
    return write(request, response, { status: 302, headers, body: Buffer.alloc(0) })
  }
  const isApi = APIS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  if (isApi || !prefersHtml(accept)) return false
  // What a cache keeps must not answer a client of the API.
  const headers = { ...PLAIN_PAGE_HEADERS, Vary: 'Accept' }
  const location = Object.hasOwn(REDIRECTS, path) ? REDIRECTS[path] : undefined
  if (location === undefined) return write(request, response, { status: 404, headers, body: PAGE })
  const moved = { ...headers, Location: location }
  return write(request, response, { status: 302, headers: moved, body: Buffer.alloc(0) })
}

type Reply = { status: number; headers: Readonly<Record<string, string>>; body: Buffer }

function write(
  { method, requestId }: IncomingMessage & { requestId: string },
  response: ServerResponse,
  { status, headers, body }: Reply,
): true {
  response.writeHead(status, {
    ...headers,
    'Content-Length': body.length,
    'X-Request-Id': requestId,
  })
  response.end(method === 'HEAD' ? undefined : body)
  return true
}
