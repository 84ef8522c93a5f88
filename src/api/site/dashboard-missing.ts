// Shown instead of a dashboard that was not built: says so, and how to build it.
import { dashboardPrefixes } from '../../domain/values/dashboard-paths.ts'
import { methodNotAllowed } from '../../platform/api-error.ts'
import { PLAIN_PAGE_HEADERS, plainPage } from '../http/plain-page.ts'
import type { Surface } from '../http/surface.ts'

const PAGE = plainPage(
  'The dashboard was not built – Upvane',
  `<h1>The dashboard was not built</h1>
<p>Upvane is running: monitors are checked, and the API and status pages work. Only the dashboard's files are missing.</p>
<ol>
<li>Build them in the folder that Upvane was started from:
<pre>npm run web</pre></li>
<li>Restart Upvane and reload this page. Links to it keep working; the link for the first account is printed again.</li>
</ol>
<p><a href="/docs">API reference</a></p>`,
)

const HEADERS = {
  ...PLAIN_PAGE_HEADERS,
  'Content-Length': PAGE.length,
  'Referrer-Policy': 'same-origin',
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
