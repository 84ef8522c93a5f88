import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBasicKey } from './basic-key.ts'

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

// biome-ignore format: a table is read by its columns
const rows: [given: string | undefined, becomes: string | undefined][] = [
  [basic(':upv_key'),                   'Bearer upv_key'],
  [basic('prometheus:upv_key'),         'Bearer upv_key'],
  [basic('a:b:c'),                      'Bearer b:c'],
  [basic(':k').replace('Basic', 'bASIC'), 'Bearer k'],
  [basic('upv_key'),                    'Bearer '],
  ['Basic',                             'Basic'],
  ['Basic ***',                         'Bearer '],
  ['Bearer upv_key',                    'Bearer upv_key'],
  [undefined,                           undefined],
]
for (const [given, becomes] of rows)
  test(`withBasicKey: ${given} becomes ${becomes}`, () => {
    const headers = given === undefined ? {} : { authorization: given }
    assert.equal(withBasicKey(headers).authorization, becomes)
  })

test('withBasicKey: the other headers stay, so that two keys are still refused', () => {
  const headers = { authorization: basic(':upv_key'), 'x-api-key': 'other' }
  assert.deepEqual(withBasicKey(headers), {
    authorization: 'Bearer upv_key',
    'x-api-key': 'other',
  })
})
