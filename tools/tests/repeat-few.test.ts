import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withRepeated } from './repeat-few.ts'

const result = (file: string, passed: number, failed: number) => ({
  file,
  passed,
  failed,
  skipped: 0,
  ms: 1,
})

test('the only test of a suite that passes when repeated counts as one that passed', () => {
  const [only] = withRepeated([result('a', 0, 1)], [result('a', 1, 0)])
  assert.deepEqual(only, result('a', 1, 0))
})

test('files that were not repeated keep their counts', () => {
  const before = [result('a', 5, 0), result('b', 2, 1), result('its helper', 0, 1)]
  assert.deepEqual(withRepeated(before, [result('b', 3, 0)]), [
    result('a', 5, 0),
    result('b', 3, 0),
  ])
})
