// The soonest occurrences of many windows. A calendar shows a thousand out of up to forty thousand, so only those shown
// are computed.
import { type Occurrence, occurrencesWithin, type Schedule } from './maintenance.ts'

export type CalendarOccurrence<Window> = { window: Window; occurrence: Occurrence }
/** A window with its next occurrence and an iterator over the later ones. */
type Upcoming<Window> = CalendarOccurrence<Window> & { rest: Iterator<Occurrence> }

/** The windows that overlap the range, computed lazily: the first occurrence costs the most. */
export function* upcomingWithin<Window extends Schedule>(
  windows: readonly Window[],
  stretch: { from: Date; to: Date },
): Generator<Upcoming<Window>> {
  for (const window of windows) {
    const rest = occurrencesWithin(window, stretch)
    const { value, done } = rest.next()
    if (!done) yield { window, occurrence: value, rest }
  }
}

/**
 * Up to `most` occurrences, soonest first, computed on demand. If two start at the same time, the window earlier in
 * the list comes first.
 */
export function* soonestOccurrences<Window extends Schedule>(
  upcoming: readonly Upcoming<Window>[],
  most: number,
): Generator<CalendarOccurrence<Window>> {
  const heads = [...upcoming]
  for (let found = 0; heads.length > 0 && found < most; found++) {
    const at = indexOfSoonest(heads)
    const head = heads[at]
    if (head === undefined) return
    yield { window: head.window, occurrence: head.occurrence }
    const { value, done } = head.rest.next()
    if (done) heads.splice(at, 1)
    else head.occurrence = value
  }
}

// There are at most 500 windows, so a linear scan is fast enough.
function indexOfSoonest<Window>(heads: readonly Upcoming<Window>[]): number {
  let at = 0
  let soonestMs = Number.POSITIVE_INFINITY
  for (const [i, { occurrence }] of heads.entries()) {
    const startMs = occurrence.startsAt.getTime()
    if (startMs >= soonestMs) continue
    soonestMs = startMs
    at = i
  }
  return at
}
