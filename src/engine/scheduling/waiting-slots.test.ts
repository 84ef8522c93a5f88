import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type WaitingSlot, WaitingSlots } from './waiting-slots.ts'

const slot = fc.record({
  monitorNo: fc.integer({ min: 1, max: 40 }),
  shard: fc.integer({ min: 0, max: 255 }),
  epoch: fc.integer({ min: 0, max: 3 }),
  intervalSeconds: fc.constantFrom(30, 60, 3600),
  dueMs: fc.integer({ min: 0, max: 1000 }),
  isLate: fc.boolean(),
  isDeadline: fc.boolean(),
  repeats: fc.integer({ min: 0, max: 255 }),
  lateMs: fc.integer({ min: 1, max: 500 }),
})
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: slot }) },
  fc.record({ remove: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ takeUntil: fc.integer({ min: 0, max: 1500 }) }),
  fc.record({ lose: fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 80 }) }),
)

const inOrder = (slots: readonly WaitingSlot[]) =>
  slots.toSorted((a, b) => a.fireMs - b.fireMs || a.monitorNo - b.monitorNo)

test('holds exactly what a map of objects would hold, and returns it in order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const slots = new WaitingSlots()
      const model = new Map<number, WaitingSlot>()
      for (const each of steps) {
        apply(slots, model, each)
        assertSame(slots, model)
      }
    }),
  )
})

function takeAll(slots: WaitingSlots, untilMs: number): WaitingSlot[] {
  const taken: WaitingSlot[] = []
  for (;;) {
    const first = slots.takeFirst(untilMs)
    if (first === undefined) return taken
    taken.push(first)
  }
}

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

function apply(slots: WaitingSlots, model: Map<number, WaitingSlot>, each: Step): void {
  if ('add' in each) {
    const { lateMs, ...rest } = each.add
    const added = { ...rest, fireMs: rest.dueMs + (rest.isLate ? lateMs : 0) }
    assert.equal(slots.firstMs, inOrder([...model.values()])[0]?.fireMs)
    if (model.has(added.monitorNo)) return assert.throws(() => slots.add(added))
    slots.add(added)
    model.set(added.monitorNo, added)
  } else if ('remove' in each) {
    assert.deepEqual(slots.remove(each.remove), model.get(each.remove))
    model.delete(each.remove)
  } else if ('takeUntil' in each) {
    const due = [...model.values()].filter(({ fireMs }) => fireMs <= each.takeUntil)
    const taken = takeAll(slots, each.takeUntil)
    assert.deepEqual(
      taken.map(({ fireMs }) => fireMs),
      inOrder(due).map(({ fireMs }) => fireMs),
    )
    assert.deepEqual(inOrder(taken), inOrder(due))
    for (const { monitorNo } of due) model.delete(monitorNo)
  } else {
    const lost = new Set(each.lose)
    const gone = [...model.values()].filter(({ shard }) => lost.has(shard))
    const told: number[] = []
    slots.removeShards(lost, (intervalSeconds) => told.push(intervalSeconds))
    assert.deepEqual(told.toSorted(), gone.map((one) => one.intervalSeconds).toSorted())
    for (const { monitorNo } of gone) model.delete(monitorNo)
  }
}

function assertSame(slots: WaitingSlots, model: ReadonlyMap<number, WaitingSlot>): void {
  assert.equal(slots.size, model.size)
  for (let no = 1; no <= 40; no++) assert.deepEqual(slots.find(no), model.get(no))
  const all = [...model.values()]
  const oldestMs = all.length === 0 ? undefined : Math.min(...all.map(({ dueMs }) => dueMs))
  assert.equal(slots.oldestMs(), oldestMs)
  const nowMs = 60_500
  const isOver = (one: WaitingSlot) => nowMs - one.dueMs > 2 * one.intervalSeconds * 1000
  assert.equal(slots.hasOverdue(nowMs, 2), all.some(isOver))
}

test('grows beyond its first size, and finds every slot again', () => {
  const slots = new WaitingSlots()
  const count = 5000
  for (let no = 1; no <= count; no++) {
    const dueMs = (no * 7919) % count
    const rest = { isLate: false, isDeadline: false, repeats: 0 }
    const slot = { monitorNo: no, shard: no % 256, epoch: 1, intervalSeconds: 60 }
    slots.add({ ...slot, dueMs, fireMs: dueMs, ...rest })
  }
  assert.ok(slots.has(3, 1, (3 * 7919) % count))
  assert.ok(!slots.has(3, 2, (3 * 7919) % count))
  assert.ok(!slots.has(count + 1, 1, 0))
  const taken = takeAll(slots, Number.POSITIVE_INFINITY).map(({ dueMs }) => dueMs)
  assert.deepEqual(
    taken,
    taken.toSorted((a, b) => a - b),
  )
  assert.deepEqual([taken.length, slots.size], [count, 0])
})
