import { monitorText } from '../../messages/monitor.ts'
import type { MonitorScreen } from './monitor-screen.ts'
import { tilesOf } from './uptime-tiles.ts'
import './monitor.css'

export function Tiles({ screen }: { screen: MonitorScreen }) {
  return (
    <dl className="tiles" aria-label={monitorText.uptime.label}>
      {tilesOf(screen).map(({ name, label, figure, unit, under }) => (
        <div key={name} className="tile">
          <dt>{label}</dt>
          <dd>
            {figure}
            {unit !== undefined && <small>{unit}</small>}
          </dd>
          <dd className="under">{under}</dd>
        </div>
      ))}
    </dl>
  )
}
