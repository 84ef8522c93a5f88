// A zone's local time, computed from Intl's offset for each day and a binary search on the days on which it changed. No
// calendar library is involved: instants and local times are milliseconds that differ by the offset.

const DAY_MS = 86_400_000
const FROM_MS = Date.UTC(2021, 0, 1)
export const UNTIL_MS = Date.UTC(2031, 1, 1)

/** From `atMs` on the offset is `offsetMs`. */
type Change = { atMs: number; beforeMs: number; offsetMs: number }
type ZoneClock = { zone: string; firstMs: number; changes: readonly Change[] }

const known = new Map<string, ZoneClock>()

export function zoneClock(zone: string): ZoneClock {
  let clock = known.get(zone)
  if (clock === undefined) {
    clock = readClock(zone)
    known.set(zone, clock)
  }
  return clock
}

function readClock(zone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    timeZoneName: 'longOffset',
  })
  const ask = (ms: number) => parseOffset(format.format(ms))
  const firstMs = ask(FROM_MS)
  const changes: Change[] = []
  let beforeMs = firstMs
  for (let ms = FROM_MS; ms < UNTIL_MS; ms += DAY_MS) {
    const offsetMs = ask(ms + DAY_MS)
    if (offsetMs === beforeMs) continue
    changes.push({ atMs: halve(ask, ms, ms + DAY_MS), beforeMs, offsetMs })
    beforeMs = offsetMs
  }
  return { zone, firstMs, changes }
}

/** The first millisecond after the change that lies between the two. */
function halve(ask: (ms: number) => number, fromMs: number, toMs: number): number {
  const before = ask(fromMs)
  let [low, high] = [fromMs, toMs]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (ask(middle) === before) low = middle
    else high = middle
  }
  return high
}

/** `2026, GMT+05:30` -> 19 800 000; `2026, GMT` -> 0. */
function parseOffset(text: string): number {
  const found = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)
  if (found === null) throw new Error(`No offset in "${text}"`)
  const [, sign, hours, minutes, seconds] = found
  const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
  return (sign === '-' ? -1 : 1) * size * 1000
}

export function offsetAt({ firstMs, changes }: ZoneClock, ms: number): number {
  return changes.findLast(({ atMs }) => atMs <= ms)?.offsetMs ?? firstMs
}

export type Reading = { ms: number; how: 'ONCE' | 'GAP' | 'TWICE' }

/** The first instant at which the clocks show this time. If they skip it, later by as much as they were set forward. */
export function instantOf(clock: ZoneClock, wallMs: number): Reading {
  const offsets = new Set([clock.firstMs, ...clock.changes.map(({ offsetMs }) => offsetMs)])
  const shown = [...offsets]
    .map((offsetMs) => wallMs - offsetMs)
    .filter((ms) => ms + offsetAt(clock, ms) === wallMs)
    .toSorted((a, b) => a - b)
  const [first] = shown
  if (first !== undefined) return { ms: first, how: shown.length > 1 ? 'TWICE' : 'ONCE' }
  const gap = clock.changes.find(
    ({ atMs, beforeMs, offsetMs }) => atMs + beforeMs <= wallMs && wallMs < atMs + offsetMs,
  )
  if (gap === undefined) throw new Error(`${clock.zone} never shows ${new Date(wallMs).toJSON()}`)
  return { ms: wallMs - gap.beforeMs, how: 'GAP' }
}
