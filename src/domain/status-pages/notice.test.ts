import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isStale,
  type StatusIncidentNotice,
  type Tone,
  toneOf,
  type WindowNotice,
} from './notice.ts'

const AT = new Date('2026-11-14T12:00:00.000Z')
const INCIDENT: StatusIncidentNotice = {
  kind: 'STATUS_INCIDENT',
  id: 'sin_1',
  what: 'PUBLISHED',
  title: '',
  status: 'INVESTIGATING',
  impact: 'MINOR',
  message: '',
  at: AT.toISOString(),
  startedAt: AT.toISOString(),
  resolvedAt: null,
  components: [],
}
const WINDOW: WindowNotice = {
  kind: 'WINDOW',
  id: 'mw_1',
  what: 'SCHEDULED',
  name: '',
  description: null,
  startsAt: AT.toISOString(),
  endsAt: AT.toISOString(),
  components: [],
}

// biome-ignore format: a table is read by its columns
const incidents: [StatusIncidentNotice['impact'], StatusIncidentNotice['status'], Tone][] = [
  ['NONE',     'INVESTIGATING', 'NONE'],
  ['MINOR',    'INVESTIGATING', 'DEGRADED'],
  ['MAJOR',    'IDENTIFIED',    'DOWN'],
  ['CRITICAL', 'MONITORING',    'DOWN'], // still as bad as it was while monitored
  ['CRITICAL', 'RESOLVED',      'UP'],
]
for (const [impact, status, tone] of incidents)
  test(`${impact}, ${status} -> ${tone}`, () =>
    assert.equal(toneOf({ ...INCIDENT, impact, status }), tone))

// biome-ignore format: a table is read by its columns
const windows: [WindowNotice['what'], Tone][] = [
  ['SCHEDULED', 'MAINTENANCE'],
  ['STARTED',   'MAINTENANCE'],
  ['ENDED',     'UP'],
  ['CANCELED',  'NONE'],
]
for (const [what, tone] of windows)
  test(`window ${what} -> ${tone}`, () => assert.equal(toneOf({ ...WINDOW, what }), tone))

test('news is news for a day', () => {
  const after = (hours: number) => new Date(AT.getTime() + hours * 3_600_000)
  assert.equal(isStale(AT, after(24)), false)
  assert.equal(isStale(AT, after(24.01)), true)
})
