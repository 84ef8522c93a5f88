import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DueHeap } from './due-heap.ts'

test('gives back exactly what is due, soonest first', () => {
  const at = fc.integer({ min: 0, max: 1000 })
  const step = fc.oneof(
    fc.record({ add: at }),
    fc.record({ takeUntil: at }),
    fc.record({ keepOver: at }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = new DueHeap<{ fireMs: number }>()
      let model: number[] = []
      for (const each of steps) {
        if ('add' in each) {
          heap.add({ fireMs: each.add })
          model.push(each.add)
        } else if ('keepOver' in each) {
          heap.keep(({ fireMs }) => fireMs > each.keepOver)
          model = model.filter((ms) => ms > each.keepOver)
        } else {
          const taken = heap.takeDue(each.takeUntil).map(({ fireMs }) => fireMs)
          const expected = model.filter((ms) => ms <= each.takeUntil).toSorted((a, b) => a - b)
          model = model.filter((ms) => ms > each.takeUntil)
          assert.deepEqual(taken, expected)
        }
        assert.equal(heap.size, model.length)
      }
    }),
  )
})
