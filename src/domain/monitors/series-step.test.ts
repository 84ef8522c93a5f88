import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planSteps, SERIES_STEPS } from './series-step.ts'

const TO = new Date('2026-11-14T22:39:10.000Z')
const HOUR_MS = 3_600_000
const before = (hours: number) => new Date(TO.getTime() - hours * HOUR_MS)
const RAW_SINCE = before(30 * 24)

// biome-ignore format: a table is read by its columns
const cases: [step: number, hours: number, source: string | null][] = [
  [60,     1,        'RAW'],
  [600,    25,       'RAW'],
  [600,    25.1,     null],
  [3600,   1,        'HOURS'],
  [3600,   31 * 24,  'HOURS'],
  [3600,   32 * 24,  null],
  [86_400, 32 * 24,  'DAYS'],
  [86_400, 400 * 24, 'DAYS'],
  [86_400, 401 * 24, null],
]

for (const [step, hours, source] of cases)
  test(`a step of ${step} s over ${hours} h is ${source ?? 'refused'}`, () => {
    const found = planSteps({ step, from: before(hours), to: TO }, RAW_SINCE)
    assert.equal('plan' in found ? found.plan.source : null, source)
    if ('problem' in found) assert.equal(found.problem.path, 'step')
  })

test('steps below an hour need single checks, which are kept for a while only', () => {
  const from = new Date(RAW_SINCE.getTime() - 1)
  const to = new Date(from.getTime() + HOUR_MS)
  assert.ok('problem' in planSteps({ step: 300, from, to }, RAW_SINCE))
  assert.ok('plan' in planSteps({ step: 3600, from, to }, RAW_SINCE))
  assert.ok('plan' in planSteps({ step: 300, from: RAW_SINCE, to }, RAW_SINCE))
})

test('a series starts at a whole step at or before `from`', () => {
  for (const step of SERIES_STEPS) {
    const from = before(1)
    const found = planSteps({ step, from, to: TO }, RAW_SINCE)
    assert.ok('plan' in found)
    const startMs = found.plan.from.getTime()
    assert.equal(startMs % (step * 1000), 0)
    assert.ok(startMs <= from.getTime() && from.getTime() - startMs < step * 1000)
    assert.equal(found.plan.bucketSeconds, step)
  }
})
