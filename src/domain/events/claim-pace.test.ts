import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLAIM_EVERY_MS, nextClaimMs } from './claim-pace.ts'
import { MAX_PER_PROCESS } from './delivery-share.ts'

// biome-ignore format: a table is read by its columns
const paces: [why: string, lastMs: number, claimed: number, nextMs: number][] = [
  ['something was found',        50,  1,               50],
  ['found after a quiet time',   150, 1,               50],
  ['a lot was found',            50,  MAX_PER_PROCESS, 100],
  ['nothing: a little longer',   50,  0,               62.5],
  ['nothing after a busy time',  100, 0,               125],
  ['nothing for long',           150, 0,               150],
]
for (const [why, lastMs, claimed, nextMs] of paces)
  test(`nextClaimMs: ${why}`, () => assert.equal(nextClaimMs(lastMs, claimed), nextMs))

test('an idle dispatcher looks at most every 150 ms, after a second at the latest', () => {
  let [paceMs, passedMs] = [CLAIM_EVERY_MS, 0]
  while (passedMs < 1000) {
    paceMs = nextClaimMs(paceMs, 0)
    passedMs += paceMs
  }
  assert.equal(paceMs, 150)
})
