import { zoneText } from '../messages/shell.ts'
import { zoneName } from '../time/format.ts'
import { useNow } from '../time/use-now.ts'
import { VIEWER_ZONE } from '../time/viewer.ts'

type ZoneProps = { className: 'zone-top' | 'zone-menu' }

/** The viewer's time zone, once for everything on the screen. */
export function Zone({ className }: ZoneProps) {
  const now = useNow(60_000)
  return (
    <div className={`zone ${className}`} title={VIEWER_ZONE} role="presentation">
      {zoneText.times({ name: zoneName(now) })}
    </div>
  )
}
