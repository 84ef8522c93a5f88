// What everybody may read: the documents of the API, its reference, the guides, and the dashboard's files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { guideSurface } from '../../api/guides/guide-surface.ts'
import type { Surface } from '../../api/http/surface.ts'
import { documentSurface } from '../../api/reference/documents.ts'
import { DOCS_HEADERS, renderDocs } from '../../api/reference/page.ts'
import { FONT_PATH } from '../../api/reference/style.ts'
import { dashboardSurfaces } from '../../api/site/dashboard.ts'
import { namingBuild } from '../../api/site/dashboard-build.ts'
import { missingDashboardSurfaces } from '../../api/site/dashboard-missing.ts'
import { EXT_API } from '../../contract/ext/openapi.ts'
import { EXT_OPERATIONS } from '../../contract/ext/operations.ts'
import { createOpenapi } from '../../contract/public/openapi.ts'
import { OPERATIONS } from '../../contract/public/operations.ts'
import { rateHeaders, unusedWindow } from '../../domain/values/rate-window.ts'
import { finishInTurn } from '../../platform/limits/busy-work.ts'
import type { Context } from '../context.ts'

const ROOT = join(import.meta.dirname, '../../..')

export function documents({ config, version }: Context): Surface[] {
  const { baseUrl, rateLimitRequests } = config
  const committed = (name: string) =>
    documentSurface(`/${name}`, {
      type: 'application/json; charset=utf-8',
      body: readFileSync(join(ROOT, name), 'utf8'),
      headers: rateHeaders(unusedWindow(rateLimitRequests)),
    })
  return [
    committed('openapi.json'),
    committed('openapi-ext.json'),
    documentSurface(FONT_PATH, {
      type: 'font/woff2',
      body: readFileSync(join(ROOT, 'src/pages/assets/inter-latin.woff2')),
      headers: { 'Cache-Control': 'public, max-age=86400' },
    }),
    guideSurface({
      root: ROOT,
      baseUrl,
      version,
      reference: {
        type: 'text/html; charset=utf-8',
        body: () => finishInTurn('docs', reference(baseUrl)),
        headers: DOCS_HEADERS,
      },
    }),
  ]
}

/** Takes hundreds of milliseconds, which few processes ever need. */
function* reference(serverUrl: string): Generator<undefined, string> {
  const openapi = createOpenapi(OPERATIONS, { serverUrl })
  yield
  const extension = createOpenapi(EXT_OPERATIONS, { serverUrl, subject: EXT_API })
  yield
  return yield* renderDocs(openapi, extension)
}

const DASHBOARD = join(ROOT, 'web/dist')

export const withBuild = (privateApi: Surface): Surface => namingBuild(privateApi, DASHBOARD)

export function dashboard({ log }: Context): Surface[] {
  const surfaces = dashboardSurfaces(DASHBOARD)
  if (surfaces === undefined)
    log.warn('the dashboard was not built, only the API is served: npm run web')
  return surfaces ?? missingDashboardSurfaces()
}
