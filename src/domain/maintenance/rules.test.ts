import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleWindow } from '../../../test/samples/window.ts'
import type { Recurrence, Schedule } from './maintenance.ts'
import { changeProblems, coverageProblems, pastProblems, scheduleProblems } from './rules.ts'

const at = (time: string, day = 14) => new Date(`2026-11-${day}T${time}Z`)
const rule = (frequency: Recurrence['frequency'], more: Partial<Recurrence> = {}): Recurrence => ({
  frequency,
  interval: 1,
  daysOfWeek: null,
  dayOfMonth: null,
  endsAt: null,
  ...more,
})
const whole: Schedule = {
  startsAt: at('02:00'),
  endsAt: at('03:00'),
  timezone: 'Europe/Berlin',
  recurrence: rule('DAILY'),
}
const later = (days: number, ms = 0) => new Date(at('02:00').getTime() + days * 86_400_000 + ms)

// biome-ignore format: a table is read by its columns
const rows: [why: string, given: Partial<Schedule>, ...paths: string[]][] = [
  ['a whole schedule',                  whole],
  ['nothing at all',                    {}],
  ['an end alone',                      { endsAt: at('01:00') }],
  ['an end at its start',               { ...whole, endsAt: at('02:00') }, 'endsAt'],
  ['30 days',                           { ...whole, endsAt: later(30), recurrence: null }],
  ['30 days and a millisecond',         { ...whole, endsAt: later(30, 1), recurrence: null }, 'endsAt'],
  ['longer than its gap',               { ...whole, endsAt: later(1) }, 'endsAt'],
  ['longer than its gap, zone unknown', { ...whole, endsAt: later(1), timezone: 'x' }, 'timezone'],
  ['a rule that ends with its start',   { ...whole, recurrence: rule('DAILY', { endsAt: at('02:00') }) }, 'recurrence.endsAt'],
  ['a rule alone',                      { recurrence: rule('DAILY', { endsAt: at('02:00') }) }],
  ['days of another frequency',         { recurrence: rule('DAILY', { daysOfWeek: ['MONDAY'], dayOfMonth: 1 }) }, 'recurrence.daysOfWeek', 'recurrence.dayOfMonth'],
  ['a day twice',                       { recurrence: rule('WEEKLY', { daysOfWeek: ['MONDAY', 'MONDAY'] }) }, 'recurrence.daysOfWeek'],
  ['day 0',                             { recurrence: rule('MONTHLY', { dayOfMonth: 0 }) }, 'recurrence.dayOfMonth'],
  ['before 2000',                       { startsAt: new Date('1999-12-31T23:59:59.999Z') }, 'startsAt'],
  ['after 9999',                        { endsAt: new Date('+010000-01-01T00:00:00Z') }, 'endsAt'],
]
for (const [why, given, ...paths] of rows)
  test(`a schedule: ${why}${paths.length > 0 ? ` is wrong at ${paths.join(', ')}` : ' is sound'}`, () => {
    assert.deepEqual(
      scheduleProblems(given).map(({ path }) => path),
      paths,
    )
  })

test('a window covers all monitors or names one', () => {
  assert.deepEqual(coverageProblems(true, []), [])
  assert.deepEqual(coverageProblems(false, ['x']), [])
  assert.equal(coverageProblems(false, [])[0]?.path, 'monitorIds')
})

test('a window that has not begun cannot be put into the past; one that has may be ended', () => {
  const window = sampleWindow()
  assert.equal(pastProblems(at('03:00'), at('03:00'))[0]?.path, 'endsAt')
  assert.deepEqual(pastProblems(at('03:00'), at('02:59')), [])
  assert.equal(pastProblems(at('01:00'), at('01:30'), window)[0]?.path, 'endsAt')
  assert.deepEqual(pastProblems(at('02:10'), at('02:30'), window), [])
})

test('only what a change touched is judged', () => {
  // Its monitors were deleted and its time zone is no longer known: it can still be renamed.
  const odd = sampleWindow({ monitorUuids: [], timezone: 'Nowhere/Gone' })
  const after = { ...odd, name: 'Other', endsAt: at('05:00') }
  assert.deepEqual(changeProblems(odd, { window: after, changedFields: ['name'] }, at('01:00')), [])
  const paths = (...changedFields: ('endsAt' | 'monitorUuids')[]) =>
    changeProblems(odd, { window: after, changedFields }, at('01:00')).map(({ path }) => path)
  assert.deepEqual(paths('endsAt'), ['timezone'])
  assert.deepEqual(paths('monitorUuids'), ['monitorIds'])
})
