import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckEntry } from './check-entry.ts'
import { foldRuns } from './fold-runs.ts'

const NOW = Date.parse('2026-11-14T13:00:00.000Z')
const entry = (minutesAgo: number, part: Partial<CheckEntry>): CheckEntry => ({
  at: new Date(NOW - minutesAgo * 60_000).toISOString(),
  kind: 'SCHEDULED',
  verdict: 'PASSED',
  responseMs: 80,
  httpStatus: 200,
  region: 'eu-central',
  causeCode: null,
  timings: null,
  incidentId: null,
  regions: null,
  ...part,
})
const run = (count: number, part: Partial<CheckEntry> = {}) =>
  Array.from({ length: count }, (_, index) => entry(index, part))

test('the latest five have rows of their own, and so do the first and last of a group', () => {
  const runs = foldRuns(run(50), 'HTTP', NOW)
  assert.deepEqual(
    runs.map(({ folded, lines }) => [folded, lines.length]),
    [
      [false, 5],
      [false, 1],
      [true, 43],
      [false, 1],
    ],
  )
})

test('a short run is not grouped', () => {
  assert.equal(
    foldRuns(run(10), 'HTTP', NOW).some(({ folded }) => folded),
    false,
  )
})

// biome-ignore format: a table is read by its columns
const rows: [part: Partial<CheckEntry>, summary: RegExp][] = [
  [{},                                        /^43 checks up, /],
  [{ verdict: 'SLOW' },                       /^43 slow checks, /],
  [{ verdict: 'FAILED', httpStatus: 503 },    /^43 failed checks, /],
  [{ verdict: 'INCONCLUSIVE' },               /^43 inconclusive checks, /],
  [{ kind: 'PING', httpStatus: null },        /^43 pings, /],
  [{ kind: 'PING', verdict: 'FAILED' },       /^43 failed pings, /],
]
for (const [part, summary] of rows)
  test(`a group is summed up as ${summary.source}`, () => {
    assert.match(
      foldRuns(run(50, part), 'HTTP', NOW).find(({ folded }) => folded)?.summary ?? '',
      summary,
    )
  })

test('checks of a certificate near its end are not called slow', () => {
  const folded = foldRuns(run(50, { verdict: 'SLOW' }), 'SSL', NOW).find((one) => one.folded)
  assert.match(folded?.summary ?? '', /^43 checks, expires soon, /)
})
