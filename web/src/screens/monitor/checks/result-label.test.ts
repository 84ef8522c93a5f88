import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultLabel } from './result-label.ts'

type Result = Parameters<typeof resultLabel>[0]
const result = (part: Partial<Result>): Result => ({
  verdict: 'PASSED',
  httpStatus: null,
  causeCode: null,
  kind: 'SCHEDULED',
  regions: null,
  ...part,
})

// biome-ignore format: a table is read by its columns
const rows: [why: string, part: Partial<Result>, label: string][] = [
  ['a page',                    { httpStatus: 200 },                                                      '200'],
  ['a slow page',               { httpStatus: 200, verdict: 'SLOW' },                                     '200'],
  ['an unexpected status',      { httpStatus: 503, verdict: 'FAILED', causeCode: 'UNEXPECTED_STATUS' },   '503'],
  ['a missing keyword',         { httpStatus: 200, verdict: 'FAILED', causeCode: 'KEYWORD_MISSING' },     'Keyword missing'],
  ['a port',                    {},                                                                       'Up'],
  ['a refused connection',      { verdict: 'FAILED', causeCode: 'CONNECTION_REFUSED' },                   'Connection refused'],
  ['an undecided check',        { verdict: 'INCONCLUSIVE' },                                              'Inconclusive'],
  ['a ping of a job',           { kind: 'PING' },                                                         'Received'],
  ['a failure of a job',        { kind: 'PING', verdict: 'FAILED', causeCode: 'HEARTBEAT_FAILED' },       'Reported a failure'],
  ['a failure without a cause', { kind: 'PING', verdict: 'FAILED' },                                      'Reported a failure'],
  ['a ping that did not come',  { kind: 'DEADLINE', verdict: 'FAILED', causeCode: 'HEARTBEAT_MISSED' },   'Missed'],
]
for (const [why, part, label] of rows)
  test(`the result of a check: ${why}`, () =>
    assert.equal(resultLabel(result(part), 'HTTP'), label))

test('a check that failed in some regions says in how many', () => {
  const region = { region: 'eu', responseMs: null, httpStatus: null, causeCode: null }
  const regions = [
    { ...region, outcome: 'PASSED' as const },
    { ...region, outcome: 'FAILED' as const },
  ]
  assert.equal(resultLabel(result({ verdict: 'SLOW', regions }), 'HTTP'), 'Down from 1 of 2')
  assert.equal(resultLabel(result({ verdict: 'SLOW', regions }), 'SSL'), 'Down from 1 of 2')
  assert.equal(resultLabel(result({ verdict: 'PASSED', regions }), 'HTTP'), 'Up')
})

test('the result of a check near an expiry says so, and not that it was slow', () => {
  const amber = result({ verdict: 'SLOW' })
  assert.equal(resultLabel(amber, 'SSL'), 'Expires soon')
  assert.equal(resultLabel(amber, 'DOMAIN'), 'Expires soon')
  assert.equal(resultLabel(amber, 'PING'), 'Slow')
})
