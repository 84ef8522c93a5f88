// The metrics of an organization for its own Prometheus, in our words and in those of Uptime Kuma.
import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { type MetricsFilter, MetricsQuery } from '../../contract/metrics.ts'
import {
  chooseExpositionFormat,
  EXPOSITION_TYPES,
  type ExpositionFormat,
  renderFamilies,
} from '../../domain/metrics/exposition.ts'
import { KUMA_FAMILIES, KUMA_WINDOWS, toKumaMonitors } from '../../domain/metrics/kuma-metrics.ts'
import {
  INCIDENT_FAMILIES,
  METRIC_WINDOWS,
  type MetricMonitor,
  MONITOR_FAMILIES,
  toLabeled,
} from '../../domain/metrics/organization-metrics.ts'
import type { UptimeWindow } from '../../domain/monitors/uptime-ranges.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import { methodNotAllowed, noSuchAddress, validationError } from '../../platform/api-error.ts'
import {
  KeyedConcurrencyLimit,
  type Release,
} from '../../platform/limits/keyed-concurrency-limit.ts'
import { nameOperation } from '../../platform/observability/event-loop-watch.ts'
import type { Tenant, Tenants } from '../../store/core/tenants.ts'
import { countOpenIncidents, listMetricRows } from '../../store/views/metric-rows.ts'
import { acceptedEncodings } from '../http/content-encoding.ts'
import { compileQuery } from '../http/input/query-string.ts'
import type { Schema } from '../http/input/validation.ts'
import { refuseOverLimit } from '../http/pipeline.ts'
import type { SentResponse } from '../http/response.ts'
import type { Surface, SurfaceRequest } from '../http/surface.ts'
import { type KeyDeps, serveKey } from '../public/public-api.ts'
import { withBasicKey } from './basic-key.ts'
import { UptimeCache } from './uptime-cache.ts'

type Scrape = { at: Date; openIncidents: number; monitors: readonly MetricMonitor[] }
type Dialect = {
  path: string
  operation: string
  windows: readonly UptimeWindow[]
  render(scrape: Scrape, format: ExpositionFormat): Iterable<string>
}

const DIALECTS: readonly Dialect[] = [
  {
    path: '/prometheus/metrics',
    operation: 'scrapeMetrics',
    windows: METRIC_WINDOWS,
    *render({ monitors, openIncidents }, format) {
      yield* renderFamilies(INCIDENT_FAMILIES, [openIncidents], 'TEXT')
      yield* renderFamilies(MONITOR_FAMILIES, monitors.map(toLabeled), format)
    },
  },
  {
    path: '/compat/uptime-kuma/metrics',
    operation: 'scrapeKumaMetrics',
    windows: KUMA_WINDOWS,
    *render({ monitors, at }, format) {
      yield* renderFamilies(KUMA_FAMILIES, toKumaMonitors(monitors, at), format)
    },
  },
]

// The text of so many monitors is about 30 MB.
const MAX_MONITORS = 20_000
const CHALLENGE = 'Bearer, Basic realm="Upvane"'
// A better level would save a tenth of the size and take twice the time. Large chunks rarely wait for this thread.
const GZIP = { level: 4, memLevel: 9, chunkSize: 1024 * 1024 }
const parseQuery = compileQuery(MetricsQuery as unknown as Schema)

// A client that reads more slowly than this does not get the rest.
const MAX_SENDING_MS = 60_000

type Deps = KeyDeps & {
  tenants: Tenants
  uptimes: UptimeCache
  scrapes: KeyedConcurrencyLimit
  sending: KeyedConcurrencyLimit
}

export function metricsSurfaces(shared: KeyDeps & { tenants: Tenants }): Surface[] {
  const uptimes = new UptimeCache(shared.log)
  // A scrape of thousands of monitors takes tens of megabytes while it is written.
  const scrapes = new KeyedConcurrencyLimit({
    total: 4,
    perKey: 1,
    maxWaitingPerKey: 8,
    maxWaitMs: 10_000,
  })
  // Megabytes stay in memory until the client has read them.
  const sending = new KeyedConcurrencyLimit({
    total: 64,
    perKey: 4,
    maxWaitingPerKey: 8,
    maxWaitMs: 10_000,
  })
  return DIALECTS.map((dialect) => toSurface(dialect, { ...shared, uptimes, scrapes, sending }))
}

function toSurface(dialect: Dialect, deps: Deps): Surface {
  return {
    prefix: dialect.path,
    async serve(request, response, { path, query }) {
      if (path !== dialect.path) throw noSuchAddress()
      const headers = withBasicKey(request.headers)
      const exchange = { request, response, headers, challenge: CHALLENGE, isOutsideApi: true }
      await serveKey(deps, exchange, async ({ holder, window, onRoute }) => {
        refuseOverLimit(window)
        if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET')
        onRoute(dialect.operation)
        nameOperation(dialect.operation)
        const filter = readFilter(query)
        const tenant = deps.tenants.of(holder.orgId)
        holdUntilSent(response, await deps.sending.acquire(holder.orgId))
        return deps.scrapes.run(holder.orgId, async () =>
          respond(request, dialect, await readScrape(tenant, filter, { ...deps, dialect })),
        )
      })
    },
  }
}

/** Also if the client is gone already. */
function holdUntilSent(response: ServerResponse, release: Release): void {
  const timer = setTimeout(() => response.destroy(), MAX_SENDING_MS)
  finished(response, () => {
    clearTimeout(timer)
    release()
  })
}

function readFilter(query: string): MetricsFilter {
  const { value, problems } = parseQuery(query)
  if (problems.length > 0) throw validationError(problems)
  // Safe because the schema of this type just accepted it.
  return value as MetricsFilter
}

async function readScrape(
  tenant: Tenant,
  { type, state, page }: MetricsFilter,
  { uptimes, dialect }: Pick<Deps, 'uptimes'> & { dialect: Dialect },
): Promise<Scrape> {
  const onPage = page === undefined ? undefined : { slug: page, uuid: fromPublicId('sp', page) }
  const [{ at, open }, rows] = await Promise.all([
    countOpenIncidents(tenant),
    listMetricRows(tenant, { type, state, page: onPage, limit: MAX_MONITORS + 1 }),
  ])
  if (rows.length > MAX_MONITORS) throw tooMany()
  const { windows } = dialect
  const nos = rows.map(({ no }) => no)
  const ratios = await uptimes.ratiosOf({ tenant, windows, at }, nos)
  const monitors = rows.map((row) => ({ ...row, ratios: ratios.get(row.no) ?? [] }))
  return { at, openIncidents: open, monitors }
}

function tooMany() {
  const most = MAX_MONITORS.toLocaleString('en-US')
  const message = `must select at most ${most} monitors: use type, state or page, in several scrapes`
  return validationError([{ path: 'type', message }])
}

async function respond(
  { headers }: SurfaceRequest,
  dialect: Dialect,
  scrape: Scrape,
): Promise<SentResponse> {
  const format = chooseExpositionFormat(headers.accept ?? '')
  const parts = dialect.render(scrape, format)
  const zipped = acceptedEncodings(String(headers['accept-encoding'] ?? '')).has('gzip')
  return {
    status: 200,
    body: zipped ? await compress(parts) : await join(parts),
    headers: {
      'Content-Type': EXPOSITION_TYPES[format],
      'Cache-Control': 'private, max-age=15',
      Vary: 'Accept, Accept-Encoding',
      ...(zipped && { 'Content-Encoding': 'gzip' }),
    },
  }
}

/** Other requests run between the parts. */
async function join(parts: Iterable<string>): Promise<string> {
  let text = ''
  for (const part of parts) {
    text += part
    await nextTurn()
  }
  return text
}

/** Another thread compresses a part while the next one is written. */
async function compress(parts: Iterable<string>): Promise<Buffer> {
  const zip = createGzip(GZIP)
  const packed = buffer(zip)
  for (const part of parts) {
    zip.write(part)
    await nextTurn()
  }
  zip.end()
  return packed
}
