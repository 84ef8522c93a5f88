// What a person sees at an address that does not exist. Clients of the API keep the envelope.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PATHS } from '../../domain/values/dashboard-paths.ts'

/** Addresses that people try. */
const REDIRECTS: Readonly<Record<string, string>> = {
  '/docs/': '/docs',
  '/login': PATHS.signIn,
  '/login/': PATHS.signIn,
  '/signin': PATHS.signIn,
  '/dashboard': PATHS.monitors,
  '/dashboard/': PATHS.monitors,
}

const ROBOTS = Buffer.from(`User-agent: *
Allow: /status/
Allow: /docs
Disallow: /
`)

const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#11161d,#eaeef3);--ink-2:light-dark(#47515e,#aab4c1);--accent:light-dark(#5443d2,#a8a0ff)}
body{margin:0;display:grid;place-items:center;min-height:100vh;background:light-dark(#f8f9fa,#0b0f14);color:var(--ink);font:400 1rem/1.6 system-ui,sans-serif}
main{box-sizing:border-box;width:100%;max-width:560px;padding:40px 24px}
h1{margin:0 0 12px;font-size:1.625rem;line-height:1.25;letter-spacing:-.021em}
p{margin:0 0 16px;color:var(--ink-2)}
a{color:var(--accent)}
`
const PAGE = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>Page not found · Upvane</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Page not found</h1>
<p>The link may be wrong, or the page was removed.</p>
<p><a href="/">Go to the dashboard</a> · <a href="/docs">API reference</a></p>
</main>
</body>
</html>
`)
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

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
  const isApi = APIS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  if (isApi || !prefersHtml(request.headers.accept ?? '')) return false
  // What a cache keeps must not answer a client of the API.
  const headers = { ...HEADERS, Vary: 'Accept' }
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
