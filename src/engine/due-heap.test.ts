import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DueHeap } from './due-heap.ts'

test('gives back exactly what is due, soonest first', () => {
  const step = fc.oneof(
    fc.record({ add: fc.integer({ min: 0, max: 1000 }) }),
    fc.record({ takeUntil: fc.integer({ min: 0, max: 1000 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = new DueHeap<{ fireAt: Date }>()
      let model: number[] = []
      for (const each of steps) {
        if ('add' in each) {
          heap.add({ fireAt: new Date(each.add) })
          model.push(each.add)
          continue
        }
        const taken = heap.takeDue(new Date(each.takeUntil)).map(({ fireAt }) => fireAt.getTime())
        const expected = model.filter((at) => at <= each.takeUntil).toSorted((a, b) => a - b)
        model = model.filter((at) => at > each.takeUntil)
        assert.deepEqual(taken, expected)
        assert.equal(heap.size, model.length)
      }
    }),
  )
})
