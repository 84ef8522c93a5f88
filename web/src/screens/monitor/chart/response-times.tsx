import { lazy, Suspense, useCallback, useState } from 'react'
import type { MonitorType } from '../../../../../src/domain/monitors/monitor.ts'
import { monitorText } from '../../../messages/monitor.ts'
import { useRead } from '../../../session/use-api.ts'
import { watchesExpiry } from '../../../shared/expiry.ts'
import { useAddress } from '../../../ui/address.ts'
import { Loaded } from '../../../ui/loading.tsx'
import { Segment } from '../../../ui/segment.tsx'
import type { MonitorScreen } from '../monitor-screen.ts'
import { CustomRange } from './custom-range.tsx'
import { lastDay, type Series, type Stretch } from './series.ts'
import '../../../ui/legend.css'
import './chart.css'

const Chart = lazy(() => import('./chart.tsx').then((m) => ({ default: m.Chart })))

const { chart: text } = monitorText
const REFRESH_MS = 60_000
const ADDRESS = { range: '24h', from: '', to: '' }
const RANGES = [
  { value: '24h', label: '24 h' },
  { value: '3h', label: '3 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: 'custom', label: text.custom },
]
// A segment's first option is its default, but people expect the shortest range first.
const SHOWN = ['3h', '24h', '7d', '30d', 'custom']

export function ResponseTimes({ screen: { id: monitorId, type } }: { screen: MonitorScreen }) {
  const [{ range, ...chosen }, go] = useAddress(ADDRESS)
  const [day] = useState(() => lastDay(Date.now()))
  const isCustom = range === 'custom'
  const stretch = { from: chosen.from || day.from, to: chosen.to || day.to }
  const zoom = useCallback((zoomed: Stretch) => go({ range: 'custom', ...zoomed }), [go])
  const read = useRead(
    'GET /monitors/{monitorId}/response-times',
    { params: { monitorId }, query: isCustom ? stretch : { range: range as '24h' } },
    { refetchInterval: isCustom ? false : REFRESH_MS },
  )
  return (
    <section className="card" aria-label={text.title}>
      <header>
        <h2>{text.title}</h2>
        <Segment label={text.range} name="range" value={range} options={RANGES} order={SHOWN} />
      </header>
      {isCustom && (
        <CustomRange key={`${stretch.from} ${stretch.to}`} {...stretch} onChange={zoom} />
      )}
      <div className="plot-place">
        <Loaded query={read} loading={null}>
          {(series) => <Plot series={series} onZoom={zoom} />}
        </Loaded>
      </div>
      <footer>
        <Legend series={read.data} type={type} />
        <span className="hide-phone">{text.zoom}</span>
      </footer>
    </section>
  )
}

function Plot({ series, onZoom }: { series: Series; onZoom: (stretch: Stretch) => void }) {
  if (series.buckets.length === 0) return <p className="plot-empty muted">{text.empty}</p>
  return (
    <Suspense>
      <Chart series={series} onZoom={onZoom} />
    </Suspense>
  )
}

/** Explains only what is drawn. */
function Legend({ series, type }: { series: Series | undefined; type: MonitorType }) {
  const has = (shades: readonly unknown[] | undefined) => (shades?.length ?? 0) > 0
  const keys: [className: string, word: string, isDrawn: boolean][] = [
    ['k-line', text.p50, true],
    ['k-band', text.p95, true],
    ['k-limit', text.limit, typeof series?.thresholdMs === 'number'],
    ['k-degraded', watchesExpiry(type) ? text.expiring : text.degraded, has(series?.degraded)],
    ['k-incident', text.incident, has(series?.incidents)],
    ['k-window', text.maintenance, has(series?.windows)],
  ]
  return (
    <div className="legend">
      {keys.map(([className, word, isDrawn]) =>
        isDrawn ? (
          <span key={className}>
            <i className={className} /> {word}
          </span>
        ) : null,
      )}
    </div>
  )
}
