import { contactsText as TEXT } from '../../messages/connections/contacts.ts'
import { zoneLabel } from '../../time/zone-names.ts'
import type { ContactView } from './contact.ts'
import './alert-contacts.css'

type Quiet = NonNullable<ContactView['quietHours']>

/** The day as 24 bars: tall when alerts are sent at once, short when they wait. */
export function Hours({ quiet }: { quiet: ContactView['quietHours'] }) {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  const label =
    quiet === null
      ? TEXT.anyHour
      : TEXT.quietLabel({ from: quiet.from, to: quiet.to, zone: zoneLabel(quiet.timezone) })
  return (
    <div className="two hrs">
      <svg className="hours" viewBox="0 0 118 16" role="img" aria-label={label}>
        {hours.map((hour) =>
          quiet !== null && isQuiet(quiet, hour) ? (
            <rect key={hour} className="h-off" x={hour * 5} y={11} width={3} height={5} />
          ) : (
            <rect key={hour} className="h-on" x={hour * 5} y={0} width={3} height={16} />
          ),
        )}
      </svg>
      <span aria-hidden="true" title={quiet === null ? undefined : zoneLabel(quiet.timezone)}>
        {quiet === null ? TEXT.always : TEXT.quiet({ from: quiet.from, to: quiet.to })}
      </span>
    </div>
  )
}

/** Judged by the middle of the hour. Quiet hours may span midnight. */
function isQuiet({ from, to }: Pick<Quiet, 'from' | 'to'>, hour: number): boolean {
  const at = hour * 60 + 30
  const [start, end] = [minutesOf(from), minutesOf(to)]
  return start < end ? at >= start && at < end : at >= start || at < end
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}
