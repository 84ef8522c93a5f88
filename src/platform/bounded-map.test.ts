import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedMap } from './bounded-map.ts'

function fill(map: BoundedMap<string, number>, keys: string): void {
  for (const [index, key] of [...keys].entries()) map.set(key, index)
}

test('the oldest entry leaves a full map', () => {
  const map = new BoundedMap<string, number>(3)
  fill(map, 'abcd')
  assert.equal(map.get('a'), undefined)
  assert.deepEqual([...map.values()], [1, 2, 3])
})

test('an entry that is set again is the newest, and drops no other', () => {
  const map = new BoundedMap<string, number>(3)
  fill(map, 'abca')
  assert.deepEqual([...map.values()], [1, 2, 3])
  map.set('d', 4)
  assert.deepEqual([map.get('a'), map.get('b')], [3, undefined])
})

test('a deleted entry leaves room', () => {
  const map = new BoundedMap<string, number>(2)
  fill(map, 'ab')
  map.delete('b')
  map.set('c', 2)
  assert.deepEqual([...map.values()], [0, 2])
})

test('CLEAR: a new key empties a full map, a known one does not', () => {
  const map = new BoundedMap<string, number>(2, 'CLEAR')
  fill(map, 'aba')
  assert.deepEqual([...map.values()], [1, 2])
  map.set('c', 3)
  assert.deepEqual([...map.values()], [3])
})
