// Shown instead of a dashboard that was not built: says so, and how to build it.
import { createHash } from 'node:crypto'
import { dashboardPrefixes } from '../../domain/values/dashboard-paths.ts'
import { methodNotAllowed } from '../../platform/api-error.ts'
import type { Surface } from '../http/surface.ts'

const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#11161d,#eaeef3);--ink-2:light-dark(#47515e,#aab4c1);--line:light-dark(#e6e9ec,#212934);--accent:light-dark(#5443d2,#a8a0ff)}
body{margin:0;display:grid;place-items:center;min-height:100vh;background:light-dark(#f8f9fa,#0b0f14);color:var(--ink);font:400 1rem/1.6 system-ui,sans-serif}
main{box-sizing:border-box;width:100%;max-width:560px;padding:40px 24px}
h1{margin:0 0 12px;font-size:1.625rem;line-height:1.25;letter-spacing:-.021em}
p,ol{margin:0 0 16px;color:var(--ink-2)}
ol{padding-inline-start:1.4em}
pre{margin:8px 0;padding:10px 14px;overflow:auto;border:1px solid var(--line);border-radius:7px;background:light-dark(#fff,#10151c);color:var(--ink);font:.875rem/1.5 ui-monospace,Menlo,Consolas,monospace}
a{color:var(--accent)}
`

const PAGE = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The dashboard was not built – Upvane</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>The dashboard was not built</h1>
<p>Upvane is running: monitors are checked, and the API and status pages work. Only the dashboard's files are missing.</p>
<ol>
<li>Build them in the folder that Upvane was started from:
<pre>npm run web</pre></li>
<li>Restart Upvane and reload this page. Links to it keep working; the link for the first account is printed again.</li>
</ol>
<p><a href="/docs">API reference</a></p>
</main>
</body>
</html>
`)

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': PAGE.length,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** At every dashboard path: emails and logs link to them too. */
export function missingDashboardSurfaces(): Surface[] {
  const serve: Surface['serve'] = ({ method, requestId }, response) => {
    const own = { 'X-Request-Id': requestId }
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET, HEAD')
    response.writeHead(503, { ...HEADERS, ...own }).end(method === 'HEAD' ? undefined : PAGE)
  }
  return dashboardPrefixes().map((prefix) => ({ prefix, serve }))
}
