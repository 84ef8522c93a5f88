import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LabelLimit } from './label-limit.ts'

test('a label keeps its first values and calls the rest other', () => {
  const limit = new LabelLimit(2)
  assert.deepEqual(
    ['eu', 'us', 'ap', 'eu', 'us', 'sa'].map((region) => limit.of(region)),
    ['eu', 'us', 'other', 'eu', 'us', 'other'],
  )
})
