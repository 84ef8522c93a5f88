import { formatUptime } from '../../time/figures.ts'
import { formatDuration } from '../../time/format.ts'
import type { MonitorScreen } from './monitor-screen.ts'
import './monitor.css'

const RANGES = [
  ['last24h', '24 hours'],
  ['last7d', '7 days'],
  ['last30d', '30 days'],
  ['last90d', '90 days'],
  ['last365d', '365 days'],
] as const

export function Tiles({ screen: { uptime } }: { screen: MonitorScreen }) {
  return (
    <dl className="tiles" aria-label="Uptime">
      {RANGES.map(([name, words]) => {
        const { ratio, downSeconds } = uptime[name]
        const [figure = '–', unit] = formatUptime(ratio).split('\u00a0')
        return (
          <div key={name} className="tile">
            <dt>{words}</dt>
            <dd>
              {figure} {unit !== undefined && <small>{unit}</small>}
            </dd>
            <dd className="under">{downtimeLabel(ratio, downSeconds)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

function downtimeLabel(ratio: number | null, downSeconds: number): string {
  if (ratio === null) return 'nothing measured'
  return downSeconds === 0 ? 'never down' : `${formatDuration(downSeconds * 1000)} down`
}
