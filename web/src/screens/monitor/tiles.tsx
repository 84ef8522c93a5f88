import { monitorText } from '../../messages/monitor.ts'
import { useNow } from '../../time/use-now.ts'
import type { MonitorScreen } from './monitor-screen.ts'
import { tilesOf } from './uptime-tiles.ts'
import './monitor.css'

export function Tiles({ screen }: { screen: MonitorScreen }) {
  const now = useNow(screen.state === 'DOWN' ? 1000 : 60_000)
  return (
    <dl className="tiles" aria-label={monitorText.uptime.label}>
      {tilesOf(screen, now).map(({ name, label, figure, unit, under }) => (
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
