// Whether the database is backed up as often as it should be. Pure.
import { type DoctorFinding, fail, ok, warn } from './doctor.ts'

/** From the operator log. */
export type BackupStatus = {
  /** A timer has made, or tried to make, a backup. */
  isScheduled: boolean
  /** Of the newest backup; null if there is none. A restored database counts as backed up. */
  ageSeconds: number | null
  /** A scheduled backup failed, and no other one has succeeded since. */
  hasFailed: boolean
}

const HOUR_SECONDS = 3600
const REMEDY =
  'Look at journalctl -u upvane-backup or the log of the container backup, then back up now: systemctl start upvane-backup.'
const UNHEARD = 'The timer of backups is on, but no backup was recorded'

/** The problem, without an end. `maxAgeHours` 0: backups are not watched. */
export function findBackupProblem(
  { isScheduled, ageSeconds, hasFailed }: BackupStatus,
  maxAgeHours: number,
): string | undefined {
  if (maxAgeHours === 0 || !isScheduled) return undefined
  if (hasFailed) return 'The last nightly backup failed'
  if (ageSeconds !== null && ageSeconds <= maxAgeHours * HOUR_SECONDS) return undefined
  return `The newest backup is more than ${maxAgeHours} hours old`
}

/** `timerSeconds`: for how long the timer of this machine has been on; undefined if it is off or there is none. */
export function judgeBackups(
  status: BackupStatus,
  maxAgeHours: number,
  timerSeconds: number | undefined,
): DoctorFinding {
  if (maxAgeHours === 0) return ok('not watched: BACKUP_MAX_AGE_HOURS is 0')
  const problem = findBackupProblem(status, maxAgeHours)
  if (problem !== undefined) return fail([problem, REMEDY].join('. '))
  if (status.isScheduled)
    return ok(`the newest is ${Math.ceil((status.ageSeconds ?? 0) / HOUR_SECONDS)} hours old`)
  if (timerSeconds === undefined)
    return warn(
      'No nightly backup was recorded yet. Turn on upvane-backup.timer, or start the container backup. If something else backs up this database, set BACKUP_MAX_AGE_HOURS=0.',
    )
  return timerSeconds <= maxAgeHours * HOUR_SECONDS
    ? ok('the first one is due within a day')
    : fail([UNHEARD, REMEDY].join('. '))
}

export function judgeSameVolume(directory: string): DoctorFinding {
  return warn(
    `${directory} is on the same volume as the data, and would be lost with it. Mount a volume on another disk there, or copy it to another machine.`,
  )
}
