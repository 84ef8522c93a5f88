import { formatFull } from '../time/format.ts'
import { TIME_FORMS } from '../time/forms.ts'
import { useNow } from '../time/use-now.ts'

// What shows seconds. The rest is drawn again once a minute.
const TICKING = new Set(['ago', 'until', 'since', 'elapsed'])

type TimeProps = {
  at: string | null | undefined
  as?: keyof typeof TIME_FORMS
  none?: string
  /** Replaces the full date and time. */
  title?: string
}

/** An instant in the viewer's time zone, with the full date and time as title. */
export function Time({ at, as = 'moment', none = '–', title }: TimeProps) {
  const now = useNow(TICKING.has(as) ? 1000 : 60_000)
  if (at === null || at === undefined) return <span className="faint">{none}</span>
  return (
    <time dateTime={at} title={title ?? formatFull(at)}>
      {TIME_FORMS[as](at, now)}
    </time>
  )
}
