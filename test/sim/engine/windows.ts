// A maintenance window that recurs by the clock of its zone. What is expected of it comes from a calendar of its own.
import type { Run } from '../../oracle/run.ts'
import { instant } from '../../oracle/run.ts'
import type { Rng } from '../rng.ts'
import { occurrencesOf } from '../windows/oracle.ts'

/** Its first occurrence. */
export type SimWindow = { fromMs: number; toMs: number; zone: string }

// Its clocks change in the night after the first day of the image.
const ZONES = ['Europe/Berlin', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const
const FIRST_AFTER_MS = 60_000
const LENGTH_MS = 100_000
/** Before its second start. */
const LEAD_MS = 150_000

/** Its first occurrence is a day before the simulation starts. Nothing runs in between. */
export function createWindow(rng: Rng, bornMs: number): { window: SimWindow; startMs: number } {
  const fromMs = bornMs + FIRST_AFTER_MS
  const window = { fromMs, toMs: fromMs + LENGTH_MS, zone: rng.pick(ZONES) }
  const [, second] = daily(window)
  if (second === undefined) throw new Error('It occurs once')
  return { window, startMs: second.fromMs - LEAD_MS }
}

const DAILY = {
  frequency: 'DAILY',
  interval: 1,
  daysOfWeek: null,
  dayOfMonth: null,
  untilMs: null,
} as const

const DAY_MS = 86_400_000

const daily = ({ fromMs, toMs, zone }: SimWindow) =>
  occurrencesOf({ startMs: fromMs, endMs: toMs, zone, rule: DAILY }, fromMs + 3 * DAY_MS)

/** It started and ended when its zone's clock said so, and at no other time. */
export function judgeWindow({ events, settledMs }: Run, window: SimWindow): string[] {
  const expected = daily(window).flatMap(({ fromMs, toMs }) => [
    { type: 'maintenance.started', atMs: fromMs },
    { type: 'maintenance.ended', atMs: toMs },
  ])
  const known = (list: readonly { type: string; atMs: number }[]) =>
    list
      .filter(({ type, atMs }) => /\.(started|ended)$/.test(type) && atMs < settledMs)
      .map(({ type, atMs }) => `${type} ${instant(atMs)}`)
      .toSorted()
  const found = known(events.filter(({ type }) => type.startsWith('maintenance.')))
  const wanted = known(expected)
  return found.join() === wanted.join()
    ? []
    : [`WINDOW in ${window.zone}: [${found.join(', ')}], must be [${wanted.join(', ')}]`]
}
