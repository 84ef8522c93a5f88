import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FixedWindow } from './fixed-window.ts'

const OPTIONS = { windowMs: 100, maxKeys: 2, whenFull: 'DROP_OLDEST' } as const

test('each key is counted by itself, from its first count until its window ends', () => {
  const windows = new FixedWindow(OPTIONS)
  assert.deepEqual([windows.add('a', 10), windows.add('a', 109), windows.add('b', 50)], [1, 2, 1])
  assert.deepEqual([windows.countOf('a', 109), windows.countOf('a', 110)], [2, 0])
  assert.deepEqual([windows.add('a', 110), windows.countOf('b', 149)], [1, 1])
  assert.equal(windows.countOf('c', 0), 0)
})

test('a window is known by its start and end', () => {
  const windows = new FixedWindow(OPTIONS)
  assert.deepEqual([windows.startedMs('a'), windows.endsMs('a', 7)], [undefined, 107])
  windows.add('a', 10)
  assert.deepEqual([windows.startedMs('a'), windows.endsMs('a', 70)], [10, 110])
})

test('what was counted for a key can count for another one', () => {
  const windows = new FixedWindow(OPTIONS)
  for (const key of ['a', 'a', 'b']) windows.add(key, 10)
  windows.merge('a', 'b', 20)
  assert.deepEqual([windows.countOf('a', 20), windows.countOf('b', 20)], [0, 3])
  windows.merge('b', 'c', 30)
  assert.deepEqual([windows.countOf('c', 109), windows.countOf('c', 110)], [3, 0])
  windows.merge('c', 'a', 110)
  assert.equal(windows.startedMs('a'), undefined, 'its window had ended')
})

test('a count can be taken back, and a window forgotten', () => {
  const windows = new FixedWindow(OPTIONS)
  windows.takeBack('a')
  for (let n = 0; n < 3; n++) windows.add('a', n)
  windows.takeBack('a')
  assert.equal(windows.countOf('a', 3), 2)
  windows.forget('a')
  assert.equal(windows.countOf('a', 3), 0)
})

test('a full counter forgets the oldest window, or all of them', () => {
  const dropping = new FixedWindow(OPTIONS)
  const clearing = new FixedWindow({ ...OPTIONS, whenFull: 'CLEAR' })
  const left = [dropping, clearing].map((windows) => {
    for (const [index, key] of ['a', 'b', 'c'].entries()) windows.add(key, index)
    return ['a', 'b', 'c'].map((key) => windows.countOf(key, 3))
  })
  assert.deepEqual(left, [
    [0, 1, 1],
    [0, 0, 1],
  ])
})
