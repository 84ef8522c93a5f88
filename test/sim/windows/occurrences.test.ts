// When windows are open, compared with an oracle that shares nothing with the product: in every zone, across every
// clock change from 2024 to 2030.
import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import {
  nextOccurrence,
  type Occurrence,
  outlook,
  overlapsItself,
  statusOf,
} from '../../../src/domain/maintenance/maintenance.ts'
import { createRng, type Rng } from '../rng.ts'
import { occurrencesOf, type Plan, type Stretch } from './oracle.ts'
import { makePlan, toSchedule } from './plans.ts'
import { UNTIL_MS } from './zone-clock.ts'

const CASES = Number(env['WINDOW_CASES'] ?? 2_500)
const SHOWN = 5
const OVERLAPS_SEEN = 400
const DAY_MS = 86_400_000
const ZONES = Intl.supportedValuesOf('timeZone')

test(`${CASES} windows in ${ZONES.length} zones: open exactly when the wall clock says so`, (t) => {
  const seen = { GAP: 0, TWICE: 0, ONCE: 0, overlapping: 0 }
  for (let seed = 0; seed < CASES; seed++) {
    const rng = createRng(seed)
    const plan = makePlan(rng, ZONES[seed % ZONES.length] ?? 'UTC')
    const all = occurrencesOf(plan)
    const label = `seed ${seed}: ${JSON.stringify(plan)}`
    if (overlaps(all.slice(0, OVERLAPS_SEEN))) {
      seen.overlapping++
      assert.ok(overlapsItself(toSchedule(plan)), label)
      continue
    }
    for (const how of new Set(all.map((one) => one.how))) seen[how]++
    for (const nowMs of instants(rng, all)) compare(plan, all, nowMs, label)
  }
  t.diagnostic(JSON.stringify(seen))
  assert.ok(seen.GAP > CASES / 20, `only ${seen.GAP} windows met a gap`)
  assert.ok(seen.TWICE > CASES / 20, `only ${seen.TWICE} windows met an hour that comes twice`)
  assert.ok(seen.overlapping > 0 && seen.overlapping < CASES / 2)
})

function overlaps(all: readonly Stretch[]): boolean {
  return all.some((one, i) => i > 0 && (all[i - 1]?.toMs ?? 0) >= one.fromMs)
}

/** Around edges, especially those moved by a clock change. */
function instants(rng: Rng, all: readonly Stretch[]): number[] {
  const odd = all.filter(({ how }) => how !== 'ONCE').slice(0, 3)
  const near = [rng.pick(all), rng.pick(all), ...odd]
  const edges = near.flatMap(({ fromMs, toMs }) => [fromMs - 1, fromMs, toMs - 1, toMs])
  const before = near.map(({ fromMs }) => fromMs - 36 * 3_600_000)
  const first = all[0]?.fromMs ?? 0
  return [...edges, ...before, first + Math.floor(rng.next() * (UNTIL_MS - first))]
}

// The oracle ends at its horizon: nothing beyond it is compared.
const HORIZON_MS = UNTIL_MS - 40 * DAY_MS

function compare(plan: Plan, all: readonly Stretch[], nowMs: number, label: string): void {
  if (nowMs > HORIZON_MS) return
  const schedule = toSchedule(plan)
  const now = new Date(nowMs)
  const open = all.find(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs)
  const later = all.filter(({ fromMs }) => fromMs > nowMs).slice(0, SHOWN)
  const found = outlook(schedule, now)
  const at = `${now.toISOString()} of ${label}`
  assert.deepEqual(toMs(found.current), toMs(open), `current at ${at}`)
  const inside = (one: { fromMs: number } | undefined) =>
    one !== undefined && one.fromMs < HORIZON_MS
  assert.deepEqual(
    found.upcoming.map(toMs).filter(inside),
    later.map(toMs).filter(inside),
    `upcoming at ${at}`,
  )
  const next = toMs(open ?? later[0])
  if (inside(next)) assert.deepEqual(toMs(nextOccurrence(schedule, now)), next, `next at ${at}`)
  const status = open ? 'ACTIVE' : found.upcoming.length > 0 ? 'SCHEDULED' : 'COMPLETED'
  assert.deepEqual([found.status, statusOf(schedule, now)], [status, status], `status at ${at}`)
}

function toMs(one: Occurrence | Stretch | null | undefined) {
  if (one === null || one === undefined) return undefined
  if ('fromMs' in one) return { fromMs: one.fromMs, toMs: one.toMs }
  return { fromMs: one.startsAt.getTime(), toMs: one.endsAt.getTime() }
}
