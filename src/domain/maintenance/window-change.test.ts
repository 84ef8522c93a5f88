import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleWindow } from '../../../test/samples/window.ts'
import type { Recurrence } from './maintenance.ts'
import { changeWindow, isSealed, movesSpans, reopens, type WindowPatch } from './window-change.ts'

const at = (time: string, day = 14) => new Date(`2026-11-${day}T${time}Z`)
const daily: Recurrence = {
  frequency: 'DAILY',
  interval: 1,
  daysOfWeek: null,
  dayOfMonth: null,
  endsAt: null,
}
// Windows that are up to date. 02:30 is inside, 01:00 before, 04:00 after.
const active = sampleWindow({ covered: true, started: true })
const waiting = sampleWindow()
const near = sampleWindow({ covered: true })
const over = sampleWindow({ occurrence: null })
const inside = at('02:30')

type Row = [
  why: string,
  before: typeof active,
  now: Date,
  patch: WindowPatch,
  spans: string,
  ended: boolean,
  occurrence: [string, string] | null,
]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  ['a name',                        active,  inside,      { name: 'Other' },                                     'KEEP',    false, ['14T02:00', '14T03:00']],
  ['the same again',                active,  inside,      { endsAt: active.endsAt, monitorUuids: active.monitorUuids }, 'KEEP', false, ['14T02:00', '14T03:00']],
  ['a later end',                   active,  inside,      { endsAt: at('04:00') },                               'ADJUST',  false, ['14T02:00', '14T04:00']],
  ['another monitor',               active,  inside,      { monitorUuids: ['x'] },                               'ADJUST',  false, ['14T02:00', '14T03:00']],
  ['all monitors',                  active,  inside,      { allMonitors: true },                                 'ADJUST',  false, ['14T02:00', '14T03:00']],
  ['another past start',            active,  inside,      { startsAt: at('01:00') },                             'ADJUST',  false, ['14T01:00', '14T03:00']],
  ['now as its end',                active,  inside,      { endsAt: inside },                                    'RELEASE', true,  null],
  ['an earlier end',                active,  inside,      { endsAt: at('02:10') },                               'RELEASE', true,  null],
  ['an end before it began',        active,  inside,      { endsAt: at('01:00') },                               'RELEASE', true,  null],
  ['a future start',                active,  inside,      { startsAt: at('05:00'), endsAt: at('06:00') },        'RELEASE', true,  ['14T05:00', '14T06:00']],
  ['a rule that goes on',           active,  inside,      { recurrence: daily },                                 'ADJUST',  false, ['14T02:00', '14T03:00']],
  ['shorter, and repeating',        active,  inside,      { recurrence: daily, endsAt: at('02:15') },            'RELEASE', true,  ['15T02:00', '15T02:15']],
  ['moved while it waits',          waiting, at('01:00'), { startsAt: at('05:00'), endsAt: at('06:00') },        'KEEP',    false, ['14T05:00', '14T06:00']],
  ['moved over now',                waiting, at('01:00'), { startsAt: at('00:30') },                             'KEEP',    false, ['14T00:30', '14T03:00']],
  ['moved just before it begins',   near,    at('01:59:30'), { startsAt: at('02:01') },                          'RELEASE', false, ['14T02:01', '14T03:00']],
  ['other monitors just before',    near,    at('01:59:30'), { monitorUuids: ['x'] },                            'RELEASE', false, ['14T02:00', '14T03:00']],
  ['taken up again',                over,    at('04:00'), { recurrence: daily },                                 'KEEP',    false, ['15T02:00', '15T03:00']],
]
for (const [why, before, now, patch, spans, ended, occurrence] of rows)
  test(`change: ${why}`, () => {
    const change = changeWindow(before, patch, now)
    assert.equal(change.spans, spans)
    assert.deepEqual(change.ended, ended ? { startsAt: at('02:00'), endsAt: now } : null)
    const next = change.window.occurrence
    const shown =
      next && [next.startsAt, next.endsAt].map((time) => time.toISOString().slice(8, 16))
    assert.deepEqual(shown, occurrence)
    const goesOn = spans === 'ADJUST' || change.window.occurrence === before.occurrence
    assert.equal(change.window.started, goesOn && before.started)
    assert.deepEqual(change.window.countsFrom, goesOn ? before.countsFrom : now)
    assert.deepEqual(
      change.window.updatedAt,
      change.changedFields.length > 0 ? now : before.updatedAt,
    )
  })

test('change: a window does not end before it began', () => {
  assert.deepEqual(changeWindow(active, { endsAt: at('01:00') }, inside).window.endsAt, inside)
  assert.deepEqual(changeWindow(active, { endsAt: at('02:10') }, inside).window.endsAt, at('02:10'))
  // A window that has not begun, or that recurs, keeps the given end and is rejected for it.
  assert.deepEqual(
    changeWindow(waiting, { endsAt: at('01:00') }, at('01:00')).window.endsAt,
    at('01:00'),
  )
  const repeating = sampleWindow({ ...active, recurrence: daily })
  assert.deepEqual(
    changeWindow(repeating, { endsAt: at('01:00') }, inside).window.endsAt,
    at('01:00'),
  )
})

test('change: a default that is written out is none', () => {
  const weekly = sampleWindow({ recurrence: { ...daily, frequency: 'WEEKLY' } })
  const same = { ...daily, frequency: 'WEEKLY' as const, daysOfWeek: ['SATURDAY' as const] }
  assert.deepEqual(changeWindow(weekly, { recurrence: same }, at('01:00')).changedFields, [])
  const moved = { recurrence: same, startsAt: at('02:00', 15), endsAt: at('03:00', 15) }
  const { window } = changeWindow(weekly, moved, at('01:00'))
  assert.deepEqual(window.recurrence?.daysOfWeek, ['SATURDAY'])
})

test('change: pages that were named stay named when the last is gone', () => {
  const left = sampleWindow({ onNamedPages: true })
  assert.equal(changeWindow(left, { pageUuids: [] }, inside).window.onNamedPages, true)
  assert.equal(changeWindow(waiting, { pageUuids: ['x'] }, inside).window.onNamedPages, true)
  const named = sampleWindow({ onNamedPages: true, pageUuids: ['x'] })
  assert.equal(changeWindow(named, { pageUuids: [] }, inside).window.onNamedPages, false)
})

test('a window that is over keeps all but its words, unless it repeats', () => {
  const later = at('04:00')
  assert.equal(isSealed(over, ['name', 'description'], later), false)
  assert.equal(isSealed(over, ['name', 'endsAt'], later), true)
  assert.equal(isSealed(waiting, ['endsAt'], at('01:00')), false)
  const stopped = sampleWindow({ recurrence: { ...daily, endsAt: at('02:30') }, occurrence: null })
  assert.equal(isSealed(stopped, ['recurrence'], later), false)
  assert.equal(reopens(stopped, { ...stopped, recurrence: daily }, later), true)
  assert.equal(reopens(waiting, { ...waiting, recurrence: daily }, at('01:00')), false)
})

test('only some fields can change what is covered', () => {
  assert.equal(movesSpans({ name: 'x', pageUuids: [], notifySubscribers: true }), false)
  for (const patch of [{ endsAt: inside }, { recurrence: null }, { allMonitors: false }])
    assert.equal(movesSpans(patch), true)
})
