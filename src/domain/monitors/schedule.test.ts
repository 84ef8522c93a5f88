import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  afterCheck,
  afterSilence,
  catchUp,
  catchUpBudget,
  catchUpMs,
  type Grid,
  nextSlotAt,
  phaseMs,
  planningLimit,
  repeatAt,
  shardOf,
  slotAtOrBefore,
  slotsIn,
  voidKeepsSlot,
} from './schedule.ts'

// Phase 10 s in a grid of 60 s: slots at :10 of every minute.
const GRID: Grid = { uuid: '019aa000-0000-7000-8000-000000002710', intervalSeconds: 60 }
const at = (time: string) => new Date(`2026-11-14T${time}Z`)

const grids = fc.record({
  uuid: fc.uuid({ version: 7 }),
  intervalSeconds: fc.integer({ min: 30, max: 86_400 }),
})
const instants = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2031-01-01T00:00:00Z'),
  noInvalidDate: true,
})

// biome-ignore format: a table is read by its columns
const nextSlots: [after: string, next: string][] = [
  ['10:00:00.000', '10:00:10.000'],
  ['10:00:09.999', '10:00:10.000'],
  ['10:00:10.000', '10:01:10.000'], // a slot is not its own successor
  ['10:00:10.001', '10:01:10.000'],
  ['23:59:30.000', '24:00:10.000'],
]
for (const [after, next] of nextSlots) {
  test(`the slot after ${after} is ${next}`, () => {
    const expected = next.startsWith('24') ? new Date('2026-11-15T00:00:10Z') : at(next)
    assert.deepEqual(nextSlotAt(GRID, at(after)), expected)
  })
}

// biome-ignore format: a table is read by its columns
const catchUps: [why: string, dueAt: string, now: string, run: string, missed: null | [string, string, number]][] = [
  ['on time',                          '10:00:10', '10:00:10', '10:00:10', null],
  ['late, but before the next slot',   '10:00:10', '10:01:09', '10:00:10', null],
  ['one slot late',                    '10:00:10', '10:01:10', '10:01:10', ['10:00:10', '10:00:10', 1]],
  ['an outage of ten minutes',         '10:00:10', '10:10:30', '10:10:10', ['10:00:10', '10:09:10', 10]],
  ['first check of a new monitor',     '10:00:37', '10:01:05', '10:00:37', null],
  ['first check missed, off the grid', '10:00:37', '10:01:15', '10:01:10', ['10:00:37', '10:00:37', 1]],
  ['the same, two slots later',        '10:00:37', '10:03:15', '10:03:10', ['10:00:37', '10:02:10', 3]],
]
for (const [why, dueAt, now, run, missed] of catchUps) {
  test(`the newest missed slot runs once, older ones are a range: ${why}`, () => {
    const range = missed && { fromSlot: at(missed[0]), toSlot: at(missed[1]), count: missed[2] }
    assert.deepEqual(
      catchUp(GRID, at(dueAt), at(now)),
      range ? { run: at(run), missed: range } : { run: at(run) },
    )
  })
}

// biome-ignore format: a table is read by its columns
const checks: [why: string, slot: string, endedAt: string, next: string, overlapped: null | [string, string, number]][] = [
  ['ends before the next slot',          '10:00:10', '10:00:40', '10:01:10', null],
  ['ends exactly at the next slot',      '10:00:10', '10:01:10', '10:01:10', null],
  ['ends a moment after the next slot',  '10:00:10', '10:01:10.001', '10:02:10', ['10:01:10', '10:01:10', 1]],
  ['outlives three slots',               '10:00:10', '10:03:50', '10:04:10', ['10:01:10', '10:03:10', 3]],
  ['first check, off the grid',          '10:00:37', '10:00:50', '10:01:10', null],
  ['first check, outlives a slot',       '10:00:57', '10:01:20', '10:02:10', ['10:01:10', '10:01:10', 1]],
]
for (const [why, slot, endedAt, next, overlapped] of checks) {
  test(`slots that fall while a check runs are overlapped: ${why}`, () => {
    const range = overlapped && {
      overlapped: { fromSlot: at(overlapped[0]), toSlot: at(overlapped[1]), count: overlapped[2] },
    }
    assert.deepEqual(afterCheck(GRID, { slot: at(slot), endedAt: at(endedAt) }), {
      nextDueAt: at(next),
      ...range,
    })
  })
}

test('a check that waited for our own network leaves the last slot that fell meanwhile to run at once', () => {
  const inDoubt = (endedAt: string) =>
    afterCheck(GRID, { slot: at('10:00:57'), endedAt: at(endedAt), isInDoubt: true })
  assert.deepEqual(inDoubt('10:01:09'), { nextDueAt: at('10:01:10') })
  assert.deepEqual(inDoubt('10:01:20'), { nextDueAt: at('10:01:10') })
  assert.deepEqual(inDoubt('10:03:50'), {
    nextDueAt: at('10:03:10'),
    overlapped: { fromSlot: at('10:01:10'), toSlot: at('10:02:10'), count: 2 },
  })
})

// biome-ignore format: a table is read by its columns
const repeats: [repeatsSoFar: number, nextDueAt: string, at: string | undefined][] = [
  [0, '10:05:00', '10:00:05'],
  [1, '10:05:00', '10:00:15'],
  [2, '10:05:00', '10:00:30'],
  [3, '10:05:00', '10:01:00'],
  [9, '10:05:00', '10:01:00'],
  [0, '10:00:05', undefined], // the slot comes first and decides
  [3, '10:00:30', undefined],
]
for (const [repeatsSoFar, nextDueAt, expected] of repeats) {
  test(`an inconclusive check, repeated ${repeatsSoFar} times, slot at ${nextDueAt}: ${expected ?? 'waits for the slot'}`, () => {
    const repeat = repeatAt(at('10:00:00'), repeatsSoFar, at(nextDueAt))
    assert.deepEqual(repeat, expected === undefined ? undefined : at(expected))
  })
}

// biome-ignore format: a table is read by its columns
const voids: [why: string, slot: string, nextDueAt: string | null, keeps: boolean][] = [
  ['in flight when the monitor was changed',     '10:00:10', '10:00:25', true],
  ['in flight when the monitor was paused',      '10:00:10', null,       true],
  ['picked up early, changed before it was due', '10:00:10', '10:00:09', false],
  ['the very slot that comes next',              '10:00:10', '10:00:10', false],
]
for (const [why, slot, nextDueAt, keeps] of voids) {
  test(`a void result ${keeps ? 'keeps its slot' : 'is discarded'}: ${why}`, () => {
    assert.equal(voidKeepsSlot(at(slot), nextDueAt === null ? null : at(nextDueAt)), keeps)
  })
}

// Sent at 10:00:00 with a budget of 30 s and 2 s of margin; the next slot is at 10:01:00.
// biome-ignore format: a table is read by its columns
const silences: [now: string, sends: number, accepted: boolean, sendsOnce: boolean, what: string][] = [
  ['10:00:31', 1, true,  false, 'WAIT'],
  ['10:00:32', 1, true,  false, 'SEND_AGAIN'],
  ['10:00:32', 2, true,  false, 'GIVE_UP'], // one retry, not endless ones
  ['10:01:00', 1, true,  false, 'GIVE_UP'], // the next slot checks again anyway
  ['10:00:32', 1, true,  true,  'GIVE_UP'], // an accepted POST may have been sent
  ['10:00:32', 1, false, true,  'SEND_AGAIN'], // not accepted: nothing was sent
]
for (const [now, sends, accepted, sendsOnce, what] of silences) {
  test(`no answer at ${now} to send ${sends}, accepted ${accepted}, sends once ${sendsOnce}: ${what}`, () => {
    const job = { sentAt: at('10:00:00'), sends, budgetMs: 30_000, accepted, sendsOnce }
    assert.equal(afterSilence(job, at('10:01:00'), at(now)), what)
  })
}

test('slots are an interval apart, and the one found is the nearest', () => {
  fc.assert(
    fc.property(grids, instants, (grid, now) => {
      const next = nextSlotAt(grid, now)
      const waitMs = next.getTime() - now.getTime()
      assert.ok(waitMs > 0 && waitMs <= grid.intervalSeconds * 1000)
      assert.equal(next.getTime() % (grid.intervalSeconds * 1000), phaseMs(grid))
      assert.deepEqual(slotAtOrBefore(grid, next), next)
    }),
  )
})

test('walking slot by slot counts what slotsIn counts', () => {
  fc.assert(
    fc.property(grids, instants, fc.integer({ min: 0, max: 2_000_000 }), (grid, from, lengthMs) => {
      const to = new Date(from.getTime() + lengthMs)
      const walked: Date[] = []
      let slot = nextSlotAt(grid, new Date(from.getTime() - 1))
      for (; slot < to; slot = nextSlotAt(grid, slot)) walked.push(slot)
      const range = slotsIn(grid, from, to)
      assert.equal(range?.count ?? 0, walked.length)
      assert.deepEqual(range?.fromSlot, walked[0])
      assert.deepEqual(range?.toSlot, walked.at(-1))
    }),
  )
})

test('an outage loses no slot: the range, the slot that runs and the next one join without a gap', () => {
  fc.assert(
    fc.property(
      grids,
      instants,
      fc.integer({ min: 0, max: 100_000_000 }),
      (grid, after, lateMs) => {
        const dueAt = nextSlotAt(grid, after)
        const { run, missed } = catchUp(grid, dueAt, new Date(dueAt.getTime() + lateMs))
        assert.deepEqual(missed?.fromSlot ?? run, dueAt)
        if (missed) assert.deepEqual(nextSlotAt(grid, missed.toSlot), run)
        if (missed) assert.equal(missed.count, slotsIn(grid, dueAt, run)?.count)
      },
    ),
  )
})

test('catching up ends with the next slot, and for long intervals within 30 s', () => {
  fc.assert(
    fc.property(grids, instants, (grid, recoveredAt) => {
      const { intervalSeconds } = grid
      const recoveredMs = recoveredAt.getTime()
      const atMs = catchUpMs({ phaseMs: phaseMs(grid), intervalSeconds }, recoveredMs)
      const delayMs = atMs - recoveredMs
      assert.ok(delayMs >= 0 && atMs <= nextSlotAt(grid, recoveredAt).getTime())
      assert.ok(delayMs < (grid.intervalSeconds > 60 ? 30_000 : 60_001))
    }),
  )
})

test('catching up leaves room for what is on time, whatever came before', () => {
  const seconds = fc.array(fc.nat({ max: 1500 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(seconds, (onTime) => {
      let carried = 0
      for (const each of onTime) {
        const room = catchUpBudget({ perSecond: 500, onTime: each }, carried, 1000)
        const taken = Math.max(0, Math.floor(room))
        assert.ok(taken === 0 || taken + each <= 1000, `${taken} beside ${each}`)
        carried = room - taken
      }
    }),
  )
})

test('a small installation catches up at once', () => {
  assert.equal(Math.floor(catchUpBudget({ perSecond: 0.2, onTime: 1 }, 0, 1000)), 19)
})

test('a round plans at most four times the usual rate, less what still waits, and always some', () => {
  assert.equal(planningLimit(500, 0, 250), 700)
  assert.equal(planningLimit(500, 450, 250), 250)
  assert.equal(planningLimit(500, 1_000_000, 250), 100)
  assert.equal(planningLimit(0, 0, 0), 200)
})

test('shards and phases are uniform over random ids', () => {
  const shards = Array.from({ length: 256 }, () => 0)
  const tenths = Array.from({ length: 10 }, () => 0)
  for (let i = 0; i < 25_600; i++) {
    const random = createHash('sha256').update(`monitor ${i}`).digest('hex').slice(0, 12)
    const uuid = `019aa000-0000-7000-8000-${random}`
    const shard = shardOf(uuid)
    shards[shard] = (shards[shard] ?? 0) + 1
    const tenth = Math.floor(phaseMs({ uuid, intervalSeconds: 300 }) / 30_000)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  // A hundred expected per shard: six standard deviations either way.
  assert.ok(Math.min(...shards) > 40 && Math.max(...shards) < 160)
  assert.ok(Math.min(...tenths) > 2_200 && Math.max(...tenths) < 2_900)
})
