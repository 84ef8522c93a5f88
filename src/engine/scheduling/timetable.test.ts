import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSlotAt } from '../../domain/monitors/schedule.ts'
import type { DueCheck } from '../../store/monitors/due.ts'
import { type Ticket, Timetable } from './timetable.ts'

const NOW_MS = Date.parse('2026-11-15T10:00:00Z')
const SECOND_MS = 1000

function uuidOf(no: number): string {
  // Spread like random bits, because the phase is derived from them.
  const bits = Math.imul(no, 2_654_435_761) >>> 0
  return `019aa000-0000-7000-8000-${(bits * 4096).toString(16).padStart(12, '0')}`
}

function due(monitorNo: number, changes: Partial<DueCheck> = {}): DueCheck {
  const grid = { uuid: uuidOf(monitorNo), intervalSeconds: 60 }
  const dueAt = nextSlotAt(grid, new Date(NOW_MS))
  return { ...grid, monitorNo, shard: monitorNo % 256, epoch: 0, type: 'HTTP', dueAt, ...changes }
}

/** All that is due until then, taken long before it could be late. */
function take(timetable: Timetable, fromMs: number, untilMs: number): Ticket[] {
  const most = Number.MAX_SAFE_INTEGER
  return timetable.take({ nowMs: fromMs - SECOND_MS, fromMs, untilMs, most })
}

const numbers = (tickets: readonly Ticket[]) => tickets.map(({ monitorNo }) => monitorNo)

test('a slot is taken once, when it comes near', () => {
  const timetable = new Timetable()
  const dueAt = new Date(NOW_MS + 5000)
  timetable.note(due(1, { dueAt }), NOW_MS)
  assert.deepEqual(take(timetable, NOW_MS, NOW_MS + 4999), [])
  const [ticket, ...more] = take(timetable, NOW_MS, NOW_MS + 5000)
  assert.deepEqual([ticket?.monitorNo, ticket?.fireMs, more], [1, NOW_MS + 5000, []])
  timetable.note(due(1, { dueAt }), NOW_MS)
  assert.deepEqual(take(timetable, NOW_MS, NOW_MS + 60_000), [])
})

test('what was put back is taken again', () => {
  const timetable = new Timetable()
  timetable.note(due(1, { dueAt: new Date(NOW_MS) }), NOW_MS)
  for (const ticket of take(timetable, NOW_MS, NOW_MS)) timetable.putBack(ticket)
  assert.deepEqual(numbers(take(timetable, NOW_MS, NOW_MS)), [1])
})

test('another slot or epoch voids the ticket, unless its check is under way', () => {
  const timetable = new Timetable()
  const first = due(1, { dueAt: new Date(NOW_MS) })
  timetable.note(first, NOW_MS)
  const [old] = take(timetable, NOW_MS, NOW_MS)
  assert.ok(old)
  timetable.note({ ...first, epoch: 1 }, NOW_MS)
  assert.equal(timetable.holds(old), false)
  const [ticket] = take(timetable, NOW_MS, NOW_MS)
  assert.ok(ticket)
  ticket.hasBegun = true
  timetable.note({ ...first, epoch: 2 }, NOW_MS)
  assert.equal(timetable.holds(ticket), true)
})

test('a lost shard takes its tickets with it, and its share of the rate', () => {
  const timetable = new Timetable()
  for (let no = 0; no < 512; no++) timetable.note(due(no), NOW_MS)
  const before = timetable.perSecond
  timetable.forget(Array.from({ length: 128 }, (_, i) => i))
  assert.equal(timetable.size, 256)
  assert.ok(Math.abs(timetable.perSecond - before / 2) < 0.001)
  const taken = take(timetable, NOW_MS, NOW_MS + 60_000)
  assert.equal(taken.length, 256)
  assert.ok(taken.every(({ shard }) => shard >= 128))
})

test('the oldest slot and whether one is overdue: waiting, late and being checked', () => {
  const timetable = new Timetable()
  assert.equal(timetable.oldestMs(), undefined)
  assert.equal(timetable.hasOverdue(NOW_MS, 2), false)
  const at = (ms: number) => ({ dueAt: new Date(ms) })
  timetable.note(due(1, at(NOW_MS + 3000)), NOW_MS)
  timetable.note(due(2, at(NOW_MS + 2000)), NOW_MS)
  assert.equal(timetable.oldestMs(), NOW_MS + 2000)
  const [ticket] = take(timetable, NOW_MS, NOW_MS + 2000)
  assert.ok(ticket)
  ticket.hasBegun = true
  assert.equal(timetable.oldestMs(), NOW_MS + 2000)
  assert.equal(timetable.hasOverdue(NOW_MS + 2000 + 120_000, 2), false)
  assert.equal(timetable.hasOverdue(NOW_MS + 2001 + 120_000, 2), true)
  timetable.drop(ticket)
  assert.equal(timetable.oldestMs(), NOW_MS + 3000)
  timetable.note(due(3, at(NOW_MS - 300_000)), NOW_MS)
  assert.equal(timetable.oldestMs(), NOW_MS - 300_000)
  assert.equal(timetable.hasOverdue(NOW_MS, 2), true)
  timetable.forget([3])
  assert.equal(timetable.oldestMs(), NOW_MS + 3000)
  assert.equal(timetable.hasOverdue(NOW_MS, 2), false)
})

/** Simulates the time after an outage second by second, noting each monitor's next slot as soon as one has run. */
function catchUp(monitors: readonly DueCheck[], seconds: number) {
  const timetable = new Timetable()
  for (const each of monitors) timetable.note(each, NOW_MS)
  const byNo = new Map(monitors.map((each) => [each.monitorNo, each]))
  const first = new Map<number, number>()
  const perSecond = Array.from({ length: seconds }, () => 0)
  let fromMs = NOW_MS
  for (let nowMs = NOW_MS; nowMs < NOW_MS + seconds * SECOND_MS; nowMs += 250) {
    const untilMs = nowMs + SECOND_MS
    for (const ticket of take(timetable, fromMs, untilMs)) {
      const at = Math.floor((ticket.fireMs - NOW_MS) / SECOND_MS)
      perSecond[at] = (perSecond[at] ?? 0) + 1
      if (!first.has(ticket.monitorNo)) first.set(ticket.monitorNo, ticket.fireMs - NOW_MS)
      timetable.drop(ticket)
      const one = byNo.get(ticket.monitorNo)
      if (one === undefined) continue
      timetable.note({ ...one, dueAt: nextSlotAt(one, new Date(ticket.fireMs)) }, ticket.fireMs)
    }
    fromMs = untilMs
  }
  return { perSecond: perSecond.slice(0, seconds), first }
}

test('after an outage all run again within 40 s, at less than twice the usual rate', () => {
  const overdue = new Date(NOW_MS - 300_000)
  const monitors = Array.from({ length: 30_000 }, (_, no) => due(no, { dueAt: overdue }))
  const { perSecond, first } = catchUp(monitors, 90)
  assert.equal(first.size, monitors.length)
  const lastMs = Math.max(...first.values())
  assert.ok(lastMs < 40_000, `the last one after ${lastMs} ms`)
  assert.ok(Math.max(...perSecond) <= 1000, `the busiest second had ${Math.max(...perSecond)}`)
})

test('after a short break every slot that was missed is run before the next one', () => {
  const monitors = Array.from({ length: 6000 }, (_, no) => {
    const next = due(no)
    const last = new Date(next.dueAt.getTime() - 60_000)
    return last.getTime() > NOW_MS - 15_000 ? { ...next, dueAt: last } : next
  })
  const missed = monitors.filter(({ dueAt }) => dueAt.getTime() < NOW_MS)
  assert.ok(missed.length > 1000)
  const { first } = catchUp(monitors, 60)
  for (const { monitorNo, dueAt } of missed) {
    const nextMs = dueAt.getTime() + 60_000 - NOW_MS
    assert.ok((first.get(monitorNo) ?? Number.POSITIVE_INFINITY) < nextMs)
  }
})

test('long intervals are caught up with within 30 s', () => {
  const overdue = new Date(NOW_MS - 3_600_000)
  const daily = { intervalSeconds: 86_400, dueAt: overdue }
  const { first } = catchUp(
    Array.from({ length: 5000 }, (_, no) => due(no, daily)),
    40,
  )
  assert.equal(first.size, 5000)
  assert.ok(Math.max(...first.values()) <= 30_000)
})

test('a missed deadline of a CRON monitor waits for nobody', () => {
  const timetable = new Timetable()
  timetable.note(due(1, { type: 'CRON', dueAt: new Date(NOW_MS - 300_000) }), NOW_MS)
  assert.deepEqual(numbers(take(timetable, NOW_MS, NOW_MS)), [1])
})

test('what became late while nothing was planned is spread, and what is on time goes first', () => {
  const timetable = new Timetable()
  const overdueAt = new Date(NOW_MS - 6000)
  for (let no = 0; no < 3000; no++) timetable.note(due(no, { dueAt: overdueAt }), NOW_MS - 10_000)
  timetable.note(due(9000, { dueAt: new Date(NOW_MS) }), NOW_MS - 10_000)
  timetable.note(due(9001, { dueAt: overdueAt, type: 'CRON' }), NOW_MS - 10_000)
  const [fromMs, untilMs] = [NOW_MS, NOW_MS + SECOND_MS]
  const first = timetable.take({ nowMs: NOW_MS, fromMs, untilMs, most: 1000 })
  const onTime = first.filter(({ isLate }) => !isLate)
  assert.deepEqual(numbers(onTime).toSorted(), [9000, 9001])
  // 50 a second is usual.
  assert.ok(first.length < 100, `${first.length} at once`)
})

test('not more than asked for are taken; the others are next', () => {
  const timetable = new Timetable()
  for (let no = 0; no < 300; no++) timetable.note(due(no, { dueAt: new Date(NOW_MS + no) }), NOW_MS)
  const limits = { nowMs: NOW_MS, fromMs: NOW_MS, untilMs: NOW_MS + SECOND_MS, most: 200 }
  assert.deepEqual(
    numbers(timetable.take(limits)),
    Array.from({ length: 200 }, (_, no) => no),
  )
  assert.equal(timetable.firstMs, NOW_MS + 200)
  assert.equal(timetable.take(limits).length, 100)
})

test('a check to be repeated waits for its time, even if the budget has room', () => {
  const timetable = new Timetable()
  timetable.note(due(1, { dueAt: new Date(NOW_MS) }), NOW_MS)
  const [ticket] = take(timetable, NOW_MS, NOW_MS)
  assert.ok(ticket)
  timetable.repeat(ticket, NOW_MS + 5000)
  assert.equal(timetable.holds(ticket), false)
  assert.deepEqual(take(timetable, NOW_MS, NOW_MS + 4999), [])
  const [again] = take(timetable, NOW_MS, NOW_MS + 5000)
  assert.deepEqual([again?.repeats, again?.dueAt.getTime()], [1, NOW_MS])
  assert.ok(again)
  timetable.putBack(again)
  assert.deepEqual(numbers(take(timetable, NOW_MS, NOW_MS + 5000)), [1])
})
