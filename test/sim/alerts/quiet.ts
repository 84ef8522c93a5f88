// A contact's quiet hours, computed the slow way: every night is two readings of the zone's clock.
import { instantOf, offsetAt, zoneClock } from '../windows/zone-clock.ts'

type Quiet = { from: string; to: string; zone: string }

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

type Night = { fromMs: number; endMs: number }
const nights = new Map<string, Night>()

export function isQuiet(quiet: Quiet | null, nowMs: number): boolean {
  if (quiet === null) return false
  const today = Math.floor((nowMs + offsetAt(zoneClock(quiet.zone), nowMs)) / DAY_MS)
  return [today - 1, today].some((day) => {
    const { fromMs, endMs } = nightOf(quiet, day)
    return fromMs <= nowMs && nowMs < endMs
  })
}

function nightOf(quiet: Quiet, day: number): Night {
  const { from, to, zone } = quiet
  const key = `${zone} ${from} ${to} ${day}`
  const known = nights.get(key)
  if (known !== undefined) return known
  const lastDay = toMs(from) < toMs(to) ? day : day + 1
  const clock = zoneClock(zone)
  const fromMs = instantOf(clock, day * DAY_MS + toMs(from)).ms
  const endMs = instantOf(clock, lastDay * DAY_MS + toMs(to)).ms
  nights.set(key, { fromMs, endMs })
  return { fromMs, endMs }
}

function toMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * MINUTE_MS
}
