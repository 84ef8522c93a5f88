import { lazy, Suspense } from 'react'
import { useRead } from '../../session/use-api.ts'
import { zoneName } from '../../time/format.ts'
import { useAddress } from '../../ui/address.ts'
import { Loaded } from '../../ui/loading.tsx'
import { Segment } from '../../ui/segment.tsx'
import { CustomRange } from './custom-range.tsx'
import type { MonitorScreen } from './monitor-screen.ts'
import type { Series } from './series.ts'
import '../../ui/legend.css'
import './chart.css'

const Chart = lazy(() => import('./chart.tsx').then((m) => ({ default: m.Chart })))

const REFRESH_MS = 60_000
const ADDRESS = { range: '24h', from: '', to: '' }
const RANGES = [
  { value: '24h', label: '24 h' },
  { value: '3h', label: '3 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: 'custom', label: 'Custom' },
]
// A segment's first option is its default, but people expect the shortest range first.
const SHOWN = ['3h', '24h', '7d', '30d', 'custom']

export function ResponseTimes({ screen: { id: monitorId } }: { screen: MonitorScreen }) {
  const [{ range, from, to }, go] = useAddress(ADDRESS)
  const isCustom = range === 'custom'
  const enabled = !isCustom || (from !== '' && to !== '')
  const query = isCustom ? { from, to } : { range: range as '24h' }
  const read = useRead(
    'GET /monitors/{monitorId}/response-times',
    { params: { monitorId }, query },
    { enabled, refetchInterval: isCustom ? false : REFRESH_MS },
  )
  return (
    <section className="card" aria-label="Response time">
      <header>
        <h2>Response time</h2>
        <Segment label="Stretch" name="range" value={range} options={RANGES} order={SHOWN} />
      </header>
      {isCustom && <CustomRange from={from} to={to} onChange={(stretch) => go(stretch)} />}
      <div className="plot-place">
        {enabled ? (
          <Loaded query={read} loading={null}>
            {(series) => <Plot series={series} />}
          </Loaded>
        ) : (
          <p className="plot-empty muted">Give the first and the last moment to be shown.</p>
        )}
      </div>
      <footer>
        <Legend series={read.data} />
        <span>Times in {zoneName()}</span>
      </footer>
    </section>
  )
}

function Plot({ series }: { series: Series }) {
  if (series.buckets.length === 0)
    return <p className="plot-empty muted">No check in this stretch has a response time.</p>
  return (
    <Suspense>
      <Chart series={series} />
    </Suspense>
  )
}

/** Explains only what is drawn. */
function Legend({ series }: { series: Series | undefined }) {
  return (
    <div className="legend">
      <span>
        <i className="k-line" /> p50
      </span>
      <span>
        <i className="k-band" /> up to p95
      </span>
      {typeof series?.thresholdMs === 'number' && (
        <span>
          <i className="k-limit" /> limit
        </span>
      )}
      {series !== undefined && series.incidents.length > 0 && (
        <span>
          <i className="k-incident" /> incident
        </span>
      )}
      {series !== undefined && series.windows.length > 0 && (
        <span>
          <i className="k-window" /> maintenance
        </span>
      )}
    </div>
  )
}
