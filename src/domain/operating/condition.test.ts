import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Condition,
  type ConditionCode,
  type ConditionFinding,
  changesOf,
  confirmedOf,
  listNames,
  mergeReports,
  signalOf,
  type TrackedCondition,
  trackConditions,
  trackedFrom,
  withoutConsequences,
} from './condition.ts'

const finding = (code: ConditionCode, subject = ''): ConditionFinding => ({
  code,
  subject,
  message: code,
})
const condition = (code: ConditionCode, subject = '', second = 0): Condition => ({
  ...finding(code, subject),
  since: new Date(second * 1000),
})
const codesOf = (some: readonly ConditionFinding[]) => some.map(({ code }) => code)

type Life = { said: string; since: number[] }

/** One letter per second: whether it was found, and what the heartbeat then reports. */
function live(seen: string, beginSeconds: number, endSeconds: number): Life {
  let followed: TrackedCondition[] = []
  let said = ''
  const since: number[] = []
  for (const [second, letter] of [...seen].entries()) {
    const found = letter === 'x' ? [finding('NO_BUS')] : []
    const before = confirmedOf(followed)
    const at = { now: new Date(second * 1000), nowMs: second * 1000 }
    followed = trackConditions(followed, found, at, {
      beginMs: beginSeconds * 1000,
      endMs: endSeconds * 1000,
    })
    const conditions = confirmedOf(followed)
    said += { WELL: '.', FAIL: 'F', '': '?' }[signalOf(conditions, followed) ?? '']
    if (conditions.length > before.length) since.push((conditions[0]?.since.getTime() ?? 0) / 1000)
  }
  return { said, since }
}

// biome-ignore format: a table is read by its columns
const rows: [seen: string, begin: number, end: number, said: string, since: number[]][] = [
  ['......',     2, 2, '......',     []],
  ['.x..xx..',   2, 2, '.?..??..',   []], // brief failures
  ['.xxxx...',   2, 2, '.??FFFF.',   [1]],
  ['xxxx.xx...', 2, 2, '??FFFFFFF.', [0]], // a brief recovery does not end it
  ['xxx...xxx',  2, 2, '??FFF.??F',  [0, 6]],
  ['x.',         0, 0, 'F.',         [0]],
  ['xx....',     0, 3, 'FFFFF.',     [0]],
]
for (const [seen, begin, end, said, since] of rows)
  test(`${seen} with ${begin} s and ${end} s of patience is told as ${said}`, () => {
    assert.deepEqual(live(seen, begin, end), { said, since })
  })

test('what is reported already needs no second confirmation, and keeps its beginning', () => {
  const at = { now: new Date(9000), nowMs: 9000 }
  const patience = { beginMs: 5000, endMs: 0, known: new Set(['NO_PROBE eu']) }
  const followed = trackConditions(
    [],
    [finding('NO_PROBE', 'eu'), finding('NO_PROBE', 'us')],
    at,
    patience,
  )
  assert.deepEqual(confirmedOf(followed), [condition('NO_PROBE', 'eu', 9)])
  const resumed = trackConditions(
    trackedFrom([condition('NO_PROBE', 'eu', 3)], 9000),
    [finding('NO_PROBE', 'eu')],
    at,
    patience,
  )
  assert.deepEqual(confirmedOf(resumed), [condition('NO_PROBE', 'eu', 3)])
})

test('consequences of another condition are not shown', () => {
  // biome-ignore format: a table is read by its columns
  const cases: [found: ConditionCode[], shown: ConditionCode[]][] = [
    [['NO_PROBE', 'CHECKS_INCONCLUSIVE', 'CLOCK_OFF'],      ['NO_PROBE', 'CLOCK_OFF']],
    [['NO_BUS', 'NO_PROBE', 'CHECKS_LATE'],                 ['NO_BUS']],
    [['NO_SCHEDULER', 'MONITORS_UNCHECKED'],                ['NO_SCHEDULER']],
    [['NO_PROBE', 'MONITORS_UNCHECKED'],                    ['NO_PROBE', 'MONITORS_UNCHECKED']],
    [['WRITES_FAIL', 'NO_API', 'NO_JANITOR', 'NO_SCHEDULER', 'NO_DISPATCHER'], ['WRITES_FAIL']],
    [['NO_DISPATCHER', 'DELIVERIES_LATE', 'ALERTS_LATE'],   ['NO_DISPATCHER']],
    [['DISK_FILLING', 'DATABASE_UNREACHABLE', 'NO_BUS'],    ['DATABASE_UNREACHABLE']],
    [['CHECKS_LATE', 'DELIVERIES_LATE'],                    ['CHECKS_LATE', 'DELIVERIES_LATE']],
  ]
  for (const [found, shown] of cases)
    assert.deepEqual(codesOf(withoutConsequences(found.map((code) => finding(code)))), shown)
})

test('reports of several processes become one condition each, with the earliest time and the names', () => {
  const merged = mergeReports([
    { process: 'b', conditions: [condition('NO_BUS', '', 5), condition('NO_SCHEDULER', '', 1)] },
    { process: 'a', conditions: [condition('NO_BUS', '', 3)] },
    { process: 'c', conditions: [] },
  ])
  assert.deepEqual(merged, [
    { ...condition('NO_BUS', '', 3), message: 'NO_BUS (a, b)' },
    condition('NO_SCHEDULER', '', 1),
  ])
})

test('a region that one process knows by name is not reported a second time as "any region"', () => {
  const named = { process: 'a', conditions: [condition('NO_PROBE', 'eu', 5)] }
  const unnamed = { process: 'b', conditions: [condition('NO_PROBE', '', 3)] }
  assert.deepEqual(mergeReports([unnamed, named]), [condition('NO_PROBE', 'eu', 5)])
  assert.deepEqual(mergeReports([unnamed]), [condition('NO_PROBE', '', 3)])
})

test('many names are cut', () => {
  assert.equal(listNames(['g', 'f', 'e', 'd', 'c', 'b', 'a']), 'a, b, c, d, e and 2 more')
})

test('what to report: each condition once, and its end; one that is only explained is not over', () => {
  const reported = [condition('NO_PROBE', 'eu'), condition('CLOCK_OFF')]
  const { began, ended } = changesOf(reported, [
    condition('NO_PROBE', 'us'),
    condition('NO_PROBE', 'eu'),
  ])
  assert.deepEqual([began, ended], [[condition('NO_PROBE', 'us')], [condition('CLOCK_OFF')]])
  const explained = changesOf(reported, [condition('NO_BUS')])
  assert.deepEqual(
    [codesOf(explained.began), codesOf(explained.ended)],
    [['NO_BUS'], ['CLOCK_OFF']],
  )
  const away = changesOf(reported, [condition('DATABASE_UNREACHABLE')])
  assert.deepEqual(codesOf(away.ended), [])
})
