import { zoneText } from '../messages/shell.ts'
import { zoneName } from '../time/format.ts'
import { useNow } from '../time/use-now.ts'
import { VIEWER_ZONE } from '../time/viewer.ts'

type ZoneProps = { className: 'zone zone-top' | 'zone zone-foot' }

/** The viewer's time zone, once for everything on the screen. */
export function Zone({ className }: ZoneProps) {
  const now = useNow(60_000)
  return (
    <p className={className} title={VIEWER_ZONE}>
      {zoneText.times(zoneName(now))}
    </p>
  )
}
