import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleWindow } from '../../../test/samples/window.ts'
import { shownOn, toApiWindow, windowEvent } from './window.ts'

const at = (time: string) => new Date(`2026-11-14T${time}Z`)
const page = { uuid: 'page', monitorUuids: ['a', 'b'] }
const empty = { uuid: 'page', monitorUuids: [] }

// biome-ignore format: a table is read by its columns
const rows: [why: string, fields: Parameters<typeof sampleWindow>[0], where: typeof page, shown: boolean][] = [
  ['it shows a covered monitor',            { monitorUuids: ['b'] },                                        page,  true],
  ['it shows none of them',                 { monitorUuids: ['c'] },                                        page,  false],
  ['all monitors are covered',              { allMonitors: true, monitorUuids: [] },                        page,  true],
  ['all monitors, but it shows none',       { allMonitors: true },                                          empty, false],
  ['it is named',                           { onNamedPages: true, pageUuids: ['page'], monitorUuids: [] },  empty, true],
  ['another is named',                      { onNamedPages: true, pageUuids: ['x'], monitorUuids: ['a'] },  page,  false],
  ['the last named page is gone',           { onNamedPages: true, pageUuids: [], monitorUuids: ['a'] },     page,  false],
  ['it is not to be shown at all',          { showOnStatusPages: false, monitorUuids: ['a'] },              page,  false],
]
for (const [why, fields, where, shown] of rows)
  test(`a page ${shown ? 'shows' : 'does not show'} a window: ${why}`, () => {
    assert.equal(shownOn(sampleWindow(fields), where), shown)
  })

test('a rule is shown with its defaults written out', () => {
  const rule = { interval: 1, daysOfWeek: null, dayOfMonth: null, endsAt: null }
  const shown = (frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY', timezone = 'UTC') =>
    toApiWindow(sampleWindow({ recurrence: { ...rule, frequency }, timezone }), at('00:00'))
      .recurrence
  assert.deepEqual(shown('DAILY'), { ...rule, frequency: 'DAILY' })
  assert.deepEqual(shown('WEEKLY')?.daysOfWeek, ['SATURDAY'])
  assert.deepEqual(shown('WEEKLY', 'America/New_York')?.daysOfWeek, ['FRIDAY'])
  assert.equal(shown('MONTHLY')?.dayOfMonth, 14)
  assert.equal(shown('MONTHLY', 'America/New_York')?.dayOfMonth, 13)
})

test('what is told shows the window as it was at that instant', () => {
  const window = sampleWindow()
  const { occurrence } = window
  const statusAt = (what: 'started' | 'ended', time: string) => {
    const fact = windowEvent({ what, window, occurrence, at: at(time) })
    assert.equal(fact.type, `maintenance.${what}`)
    return (fact.data['maintenanceWindow'] as { status: string }).status
  }
  assert.equal(statusAt('started', '02:00'), 'ACTIVE')
  assert.equal(statusAt('ended', '03:00'), 'COMPLETED')
})
