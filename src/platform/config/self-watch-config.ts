// How this installation monitors itself, and who is notified when it fails to do its work.
import { isSender } from './smtp-config.ts'

export type SelfWatchConfig = Readonly<{
  /** Requested while everything works. Undefined: none. */
  heartbeatUrl: string | undefined
  /** The interval, and how long a condition or its recovery must last before it is reported. */
  everySeconds: number
  /** A check or an alert that waits longer is late. */
  lateSeconds: number
  /** Undefined: conditions appear only in the log and the metrics. */
  operatorEmail: string | undefined
  /** From this percentage on, a disk or the database is reported as filling up. */
  watermarkPercent: number
  /** The largest size the database may reach. Undefined if unknown. */
  databaseLimitBytes: number | undefined
  /** A directory on the database's disk, if it is on this machine. */
  databaseDiskPath: string | undefined
  /** An older backup is reported. 0: backups are not watched. */
  backupMaxAgeHours: number
}>

type Reader = {
  text(name: string, fallback?: string): string
  checked(name: string, fallback: string, problemOf: (text: string) => string | undefined): string
  url(name: string, protocols: readonly string[], fallback?: string): string
  integer(name: string, bounds: { fallback: number; min: number; max: number }): number
  problems: string[]
}

export function readSelfWatchConfig(read: Reader, canMail: boolean): SelfWatchConfig {
  const email = read.text('OPERATOR_EMAIL', '')
  if (email !== '' && !isSender(email))
    read.problems.push('OPERATOR_EMAIL must be an address such as ops@example.com')
  if (email !== '' && !canMail) read.problems.push('OPERATOR_EMAIL needs SMTP_URL')
  return {
    heartbeatUrl: read.url('SELF_HEARTBEAT_URL', ['https:', 'http:'], '') || undefined,
    everySeconds: read.integer('SELF_HEARTBEAT_SECONDS', { fallback: 30, min: 1, max: 3600 }),
    lateSeconds: read.integer('SELF_LATE_SECONDS', { fallback: 300, min: 1, max: 86_400 }),
    operatorEmail: email || undefined,
    watermarkPercent: read.integer('DISK_WATERMARK_PERCENT', { fallback: 85, min: 1, max: 100 }),
    databaseLimitBytes: toBytes(read.checked('DATABASE_SIZE_LIMIT', '', sizeProblem)),
    databaseDiskPath: read.text('DATABASE_DISK_PATH', '') || undefined,
    backupMaxAgeHours: read.integer('BACKUP_MAX_AGE_HOURS', { fallback: 26, min: 0, max: 9000 }),
  }
}

const SIZE = /^(\d{1,6})(MB|GB|TB)$/
const UNITS: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 }

function toBytes(text: string): number | undefined {
  const [, count, unit = ''] = SIZE.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 1)
}

function sizeProblem(text: string): string | undefined {
  return SIZE.test(text) ? undefined : 'must be a size such as 500MB, 50GB or 2TB'
}
