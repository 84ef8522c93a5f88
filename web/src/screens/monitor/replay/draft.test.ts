import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, queryOf, type ReplayDraft } from './draft.ts'

const DRAFT: ReplayDraft = { threshold: '800', mode: 'P95', samples: '20', statuses: '', delay: '' }
const OWN = {
  days: 30,
  degradedThresholdMs: 800,
  degradedThresholdMode: 'P95',
  degradedSamples: 20,
}

test("draftOf: the monitor's own settings", () => {
  const settings = {
    degradedThresholdMs: 800,
    degradedThresholdMode: 'P95',
    degradedSamples: 20,
  } as const
  assert.deepEqual(draftOf(settings), DRAFT)
  assert.equal(draftOf({ ...settings, degradedThresholdMs: null }).threshold, '')
})

// biome-ignore format: a table is read by its columns
const QUERIES: [change: Partial<ReplayDraft>, expected: object][] = [
  [{},                                { ...OWN }],
  [{ threshold: '' },                 { ...OWN, degradedThresholdMs: 0 }],
  [{ statuses: '200, 503' },          { ...OWN, expectedStatus: ['200', '503'] }],
  [{ statuses: '  ' },                { ...OWN }],
  [{ delay: '0' },                    { ...OWN, delayMinutes: 0 }],
  [{ mode: 'LAST', samples: ' 3 ' },  { ...OWN, degradedThresholdMode: 'LAST', degradedSamples: 3 }],
]
for (const [change, expected] of QUERIES)
  test(`queryOf: ${JSON.stringify(change)}`, () =>
    assert.deepEqual(queryOf({ ...DRAFT, ...change }), expected))
