// One bar per day: a component's history split into the local days of its page.
import { coversPeriod, type Interval, type StateSpan, uptime } from './uptime.ts'

/** A local day. The last one ends now. */
export type Day = Interval & { date: string }

export type BarState = 'UP' | 'DEGRADED' | 'DOWN' | 'MAINTENANCE' | 'NONE'

export type History = {
  spans: readonly StateSpan[]
  /** Time that is not counted: maintenance windows, and slots we missed. */
  outside: readonly Interval[]
  windows: readonly (Interval & { id: string })[]
}

/** Why a bar is not green: the published incident or the window behind it, if there is one. */
export type Reason = { kind: 'INCIDENT' | 'WINDOW'; id: string }

/** What a published incident reported for the component. */
export type PublishedSpan = Interval & { id: string; state: 'DOWN' | 'DEGRADED' }

export type BadDay = {
  index: number
  state: Exclude<BarState, 'UP' | 'NONE'>
  downMs: number
  degradedMs: number
  reason: Reason | null
}

export type Bars = {
  /** One character per day, oldest first. */
  codes: string
  bad: BadDay[]
  upMs: number
  downMs: number
}

export const CODES: Readonly<Record<BarState, string>> = {
  UP: 'u',
  DEGRADED: 'd',
  DOWN: 'x',
  MAINTENANCE: 'm',
  NONE: '-',
}
const BADNESS: readonly BarState[] = ['NONE', 'UP', 'MAINTENANCE', 'DEGRADED', 'DOWN']

/** The last `count` local days, oldest first. A day with a clock change has 23 or 25 hours. */
export function localDays(timezone: string, count: number, now: Date): Day[] {
  const today = localDate(now, timezone)
  const starts = Array.from({ length: count }, (_, index) =>
    today.subtract({ days: count - 1 - index }),
  )
  return starts.map((date, index) => ({
    date: date.toString(),
    from: startOf(date, timezone),
    to: index === count - 1 ? now : startOf(date.add({ days: 1 }), timezone),
  }))
}

export function localDate(at: Date, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
}

function startOf(date: Temporal.PlainDate, timezone: string): Date {
  return new Date(date.toZonedDateTime(timezone).epochMilliseconds)
}

/** Bars from both measurements and published incidents. */
export function dayBars(
  days: readonly Day[],
  history: History,
  published: readonly PublishedSpan[],
): Bars {
  const spans = spread(days, history.spans)
  const outside = spread(days, history.outside)
  const windows = spread(days, history.windows)
  const publishedByDay = spread(days, published)
  return gather(
    days.map((day, index) =>
      judge(day, {
        spans: spans[index] ?? [],
        outside: outside[index] ?? [],
        windows: windows[index] ?? [],
        published: publishedByDay[index] ?? [],
      }),
    ),
  )
}

/** Bars for a component without a monitor: published incidents, and good days since `since`. */
export function publishedBars(
  days: readonly Day[],
  published: readonly PublishedSpan[],
  since: Date,
): Bars {
  const publishedByDay = spread(days, published)
  return gather(
    days.map((day, index) => ({
      ...judge(day, { ...NOTHING, published: publishedByDay[index] ?? [] }),
      ...(day.to > since && (publishedByDay[index] ?? []).length === 0 && { state: 'UP' as const }),
    })),
  )
}

/** The uptime of all days, once half of their time was measured; null before. */
export function uptimeOf({ upMs, downMs }: Bars, days: readonly Day[]): number | null {
  const measuredMs = upMs + downMs
  const periodMs = days.reduce((sum, { from, to }) => sum + to.getTime() - from.getTime(), 0)
  return coversPeriod(measuredMs, periodMs) ? upMs / measuredMs : null
}

type DayEvidence = {
  spans: readonly StateSpan[]
  outside: readonly Interval[]
  windows: readonly (Interval & { id: string })[]
  published: readonly PublishedSpan[]
}
const NOTHING: DayEvidence = { spans: [], outside: [], windows: [], published: [] }

type Judged = {
  state: BarState
  upMs: number
  downMs: number
  degradedMs: number
  reason: Reason | null
}

function judge(day: Day, { spans, outside, windows, published }: DayEvidence): Judged {
  const { upMs, downMs } = uptime(spans, outside, day)
  const slow = spans.filter(({ state }) => state === 'DEGRADED')
  const degradedMs = slow.length === 0 ? 0 : uptime(slow, outside, day).upMs
  const states: BarState[] = [
    downMs > 0 ? 'DOWN' : 'NONE',
    degradedMs > 0 ? 'DEGRADED' : 'NONE',
    windows.length > 0 ? 'MAINTENANCE' : 'NONE',
    upMs > 0 ? 'UP' : 'NONE',
    ...published.map(({ state }) => state),
  ]
  const state = states.reduce((a, b) => (BADNESS.indexOf(b) > BADNESS.indexOf(a) ? b : a))
  return { state, upMs, downMs, degradedMs, reason: reasonOf(state, windows, published) }
}

function reasonOf(
  state: BarState,
  windows: DayEvidence['windows'],
  published: DayEvidence['published'],
): Reason | null {
  const incident =
    published.find((publishedByDay) => publishedByDay.state === state) ?? published[0]
  if (incident !== undefined) return { kind: 'INCIDENT', id: incident.id }
  const window = state === 'MAINTENANCE' ? windows[0] : undefined
  return window === undefined ? null : { kind: 'WINDOW', id: window.id }
}

function gather(judged: readonly Judged[]): Bars {
  const bad = judged.flatMap(({ state, downMs, degradedMs, reason }, index): BadDay[] =>
    state === 'UP' || state === 'NONE' ? [] : [{ index, state, downMs, degradedMs, reason }],
  )
  return {
    codes: judged.map(({ state }) => CODES[state]).join(''),
    bad,
    upMs: judged.reduce((sum, { upMs }) => sum + upMs, 0),
    downMs: judged.reduce((sum, { downMs }) => sum + downMs, 0),
  }
}

type Stretch = { from: Date; to: Date | null }

/** What overlaps each day. Visits only the days of each stretch instead of comparing every day with every stretch. */
function spread<S extends Stretch>(days: readonly Day[], stretches: readonly S[]): S[][] {
  const byDay: S[][] = days.map(() => [])
  for (const stretch of stretches) {
    const end = stretch.to?.getTime() ?? Number.POSITIVE_INFINITY
    if (end <= stretch.from.getTime()) continue
    for (let index = firstDayEndingAfter(days, stretch.from); index < days.length; index++) {
      const day = days[index]
      if (day === undefined || day.from.getTime() >= end) break
      byDay[index]?.push(stretch)
    }
  }
  return byDay
}

function firstDayEndingAfter(days: readonly Day[], at: Date): number {
  let low = 0
  let high = days.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((days[middle]?.to ?? at) > at) high = middle
    else low = middle + 1
  }
  return low
}
