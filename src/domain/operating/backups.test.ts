import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BackupStatus, findBackupProblem, judgeBackups } from './backups.ts'
import type { DoctorLevel } from './doctor.ts'

const HOUR = 3600
const DAILY: BackupStatus = { isScheduled: true, ageSeconds: 26 * HOUR, hasFailed: false }
const NEVER: BackupStatus = { isScheduled: false, ageSeconds: null, hasFailed: false }
const OLD = 'The newest backup is more than 26 hours old'
const FAILED = 'The last nightly backup failed'

// biome-ignore format: a table is read by its columns
const rows: [what: string, status: BackupStatus, timerHours: number | undefined, problem: string | undefined, level: DoctorLevel, says: RegExp][] = [
  ['at the limit',                    DAILY,                                       undefined, undefined, 'ok',   /^the newest is 26 hours old$/],
  ['beyond it',                       { ...DAILY, ageSeconds: 26 * HOUR + 1 },     1,         OLD,       'fail', /^The newest backup is more than 26 hours old\. Look at journalctl/],
  ['the last one failed',             { ...DAILY, ageSeconds: 1, hasFailed: true }, 1,        FAILED,    'fail', /^The last nightly backup failed\. Look at journalctl/],
  ['all failed',                      { ...DAILY, ageSeconds: null, hasFailed: true }, 1,     FAILED,    'fail', /^The last nightly backup failed\./],
  ['never, and no timer',             NEVER,                                       undefined, undefined, 'warn', /^No nightly backup was recorded yet\. Turn on upvane-backup\.timer/],
  ['by hand only, however long ago',  { ...NEVER, ageSeconds: 900 * HOUR },        undefined, undefined, 'warn', /^No nightly backup was recorded yet\./],
  ['never, on the first day',         NEVER,                                       26,        undefined, 'ok',   /^the first one is due within a day/],
  ['never, although the timer is on', NEVER,                                       27,        undefined, 'fail', /^The timer of backups is on, but no backup was recorded\. Look/],
]
for (const [what, status, timerHours, problem, level, says] of rows)
  test(`backups ${what}: ${problem ?? 'no condition'}, ${level}`, () => {
    assert.equal(findBackupProblem(status, 26), problem)
    const found = judgeBackups(status, 26, timerHours === undefined ? undefined : timerHours * HOUR)
    assert.equal(found.level, level)
    assert.match(found.message, says)
    assert.equal(findBackupProblem(status, 0), undefined)
    assert.equal(judgeBackups(status, 0, undefined).level, 'ok', 'not watched')
  })
