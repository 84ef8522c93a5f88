import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIRST_BATCH_ROWS, nextBatchRows } from './batch-size.ts'

// biome-ignore format: a table is read by its columns
const cases: [rows: number, tookMs: number, next: number][] = [
  [5_000,   10,     10_000],
  [80_000,  10,     100_000],
  [100_000, 10,     100_000],
  [40_000,  300,    40_000],
  [40_000,  1_000,  40_000],
  [40_000,  1_001,  20_000],
  [1_500,   9_000,  1_000],
  [1_000,   60_000, 1_000],
]
for (const [rows, tookMs, next] of cases)
  test(`nextBatchRows: ${rows} rows in ${tookMs} ms, then ${next}`, () => {
    assert.equal(nextBatchRows(rows, tookMs), next)
  })

test('nextBatchRows: settles where a batch takes neither too long nor too little, on any disk', () => {
  for (const rowsPerSecond of [6_000, 50_000, 250_000]) {
    let rows = FIRST_BATCH_ROWS
    for (let batch = 0; batch < 20; batch++) {
      const tookMs = (rows / rowsPerSecond) * 1000
      assert.ok(tookMs < 2_000, `${tookMs} ms`)
      rows = nextBatchRows(rows, tookMs)
    }
    assert.ok(rows / rowsPerSecond <= 1, `${rows} rows`)
    assert.equal(nextBatchRows(rows, (rows / rowsPerSecond) * 1000), rows)
  }
})
