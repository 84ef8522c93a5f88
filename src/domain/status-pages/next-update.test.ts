import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextUpdateProblems, shownNextUpdate } from './next-update.ts'
import type { StatusIncidentStatus } from './status-incident.ts'

const NOW = new Date('2026-11-16T12:00:00Z')
const at = (text: string) => new Date(`2026-11-${text}Z`)

// biome-ignore format: a table is read by its columns
const PROBLEMS: [string | undefined, StatusIncidentStatus, string | undefined][] = [
  [undefined,     'INVESTIGATING', undefined],
  [undefined,     'RESOLVED',      undefined],
  ['16T12:00:01', 'INVESTIGATING', undefined],
  ['23T12:00:00', 'MONITORING',    undefined],
  ['23T12:00:01', 'MONITORING',    'must be at most 7 days in the future'],
  ['16T12:00:00', 'IDENTIFIED',    'must be in the future'],
  ['15T12:00:00', 'IDENTIFIED',    'must be in the future'],
  ['16T13:00:00', 'RESOLVED',      'is only for an incident that is not RESOLVED'],
]

test('nextUpdateProblems: a time within a week, and not for an incident that is over', () => {
  for (const [time, status, message] of PROBLEMS) {
    const problems = nextUpdateProblems(time === undefined ? undefined : at(time), status, NOW)
    const expected = message === undefined ? [] : [{ path: 'nextUpdateBy', message }]
    assert.deepEqual(problems, expected, `${time} ${status}`)
  }
})

// biome-ignore format: a table is read by its columns
const SHOWN: [string | null, string | null, boolean][] = [
  [null,          null,          false],
  ['16T12:30:00', null,          true],
  ['16T12:00:00', null,          false],
  ['16T11:30:00', null,          false],
  ['16T12:30:00', '16T11:50:00', false],
]

test('shownNextUpdate: nothing false is shown', () => {
  for (const [time, resolved, isShown] of SHOWN) {
    const nextUpdateBy = time === null ? null : at(time)
    const resolvedAt = resolved === null ? null : at(resolved)
    const shown = shownNextUpdate({ nextUpdateBy, resolvedAt }, NOW)
    assert.deepEqual(shown, isShown ? nextUpdateBy : null, `${time} ${resolved}`)
  }
})
