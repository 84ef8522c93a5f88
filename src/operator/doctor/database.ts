// The checks of `upvane doctor` that need the database.
import { setTimeout as sleep } from 'node:timers/promises'
import { judgeBackups, judgeSameVolume } from '../../domain/operating/backups.ts'
import { mergeReports } from '../../domain/operating/condition.ts'
import { helpOf, REMEDIES } from '../../domain/operating/condition-remedies.ts'
import {
  type DoctorFinding,
  type DoctorLine,
  fail,
  judgeClock,
  judgeMigrations,
  judgePartitions,
  judgeProbes,
  judgeRoles,
  judgeTls,
  ok,
  warn,
} from '../../domain/operating/doctor.ts'
import { isBeyond } from '../../domain/operating/self-watch.ts'
import { measureClockOffset } from '../../engine/self-watch/clock-watch.ts'
import type { Database } from '../../store/core/db.ts'
import { listPending } from '../../store/core/migrate.ts'
import { measureDatabase } from '../../store/history/retention.ts'
import { readBackupStatus } from '../../store/operating/backup-status.ts'
import { readConnectionStatus, tryWriting } from '../../store/operating/doctor.ts'
import { type ListedProbe, listProbes } from '../../store/operating/probes.ts'
import { findProcesses } from '../../store/operating/processes.ts'
import { findNeededRegions } from '../../store/operating/self-watch.ts'
import type { CommandContext } from '../cli/command.ts'
import { backupsIn, isMountPoint, readDataAgeSeconds } from '../standalone/data-directory.ts'
import { findDataInUse } from '../standalone/own-database.ts'
import { checkPrivateTargets } from './private-targets.ts'
import { type DoctorCheck, runCheck } from './run-check.ts'
import { findUnit, readTimerSeconds, START_ADVICE } from './service-unit.ts'

const PROBE_READ_WAIT_MS = 500
const MAX_PROBE_READS = 9
const FIRST = 'Not checked, because of what is wrong above. Fix that, then run upvane doctor again.'

/** Step by step: checks that need a role run only once the roles are right. */
export async function checkDatabase(
  context: CommandContext,
  migrations: string,
): Promise<DoctorLine[]> {
  const { databaseUrl: url } = context.config
  const asLogin: DoctorLine[] = []
  const reached = await runCheck([
    'database',
    async () => {
      const { version, login, isEncrypted, roles } = await readConnectionStatus(url)
      asLogin.push({ check: 'pooler', ...ok('none: connected directly') })
      asLogin.push(...judgeTls(url, isEncrypted).map((line) => ({ check: 'TLS', ...line })))
      asLogin.push(...judgeRoles(login, roles).map((line) => ({ check: 'roles', ...line })))
      return [ok(`PostgreSQL ${version} answers`)]
    },
  ])
  const before = [...reached, ...asLogin]
  const further: DoctorCheck[] = [
    ['migrations', async () => judgeMigrations(await listPending(url, migrations))],
    ...furtherChecks(context),
  ]
  if (before.some(({ level }) => level === 'fail'))
    return [...before, ...further.map(([check]) => ({ check, ...warn(FIRST) }))]
  return [...before, ...(await Promise.all(further.map(runCheck))).flat()]
}

function furtherChecks(context: CommandContext): DoctorCheck[] {
  const { engine, secrets } = context
  return [
    ['writes', () => checkWrites(engine)],
    ['partitions', async () => judgePartitions((await measureDatabase(engine)).daysAhead)],
    ['database size', () => checkSize(context)],
    ['master keys', async () => judgeKeys(await secrets.findUndecryptable(engine))],
    ['clock', async () => judgeClock(await measureClockOffset(engine))],
    ['probes', () => checkProbes(engine)],
    ['private hosts', () => checkPrivateTargets(engine, context.config)],
    ['backups', () => checkBackups(context)],
    ['conditions', () => checkConditions(context)],
  ]
}

const REFUSED_WRITES: Readonly<Record<string, string>> = {
  '25006':
    'The database is read-only. If it is a standby, put the address of the primary into DATABASE_URL. Otherwise look for default_transaction_read_only in its settings.',
  '53100': 'The database cannot write: its disk is full. Free space, or enlarge the disk.',
  '58030':
    'The database cannot write: its disk fails. Look at the log of PostgreSQL, and replace the disk.',
}

async function checkWrites(engine: Database): Promise<DoctorFinding[]> {
  try {
    await tryWriting(engine)
    return [ok('a row was written and rolled back')]
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const sentence = REFUSED_WRITES[code]
    if (sentence === undefined) throw error
    return [fail(sentence)]
  }
}

async function checkProbes(engine: Database): Promise<DoctorFinding[]> {
  const probes = await listProbesSoon(engine)
  const facts = probes.map((probe) => ({ ...probe, isRevoked: probe.revokedAt !== null }))
  return judgeProbes(facts, await findNeededRegions(engine))
}

/** A scheduler that has just started takes a few seconds to record its probes. */
async function listProbesSoon(engine: Database): Promise<ListedProbe[]> {
  for (let attempt = 1; ; attempt++) {
    const probes = await listProbes(engine)
    if (attempt === MAX_PROBE_READS || probes.some(({ isLive }) => isLive)) return probes
    const processes = await findProcesses(engine)
    if (!processes.some(({ roles }) => roles.includes('scheduler'))) return probes
    await sleep(PROBE_READ_WAIT_MS)
  }
}

async function checkSize({ engine, config }: CommandContext): Promise<DoctorFinding[]> {
  const { databaseLimitBytes: limit, watermarkPercent } = config.selfWatch
  const { sizeBytes } = await measureDatabase(engine)
  if (!isBeyond(sizeBytes, limit, watermarkPercent)) return [ok(`${Math.ceil(sizeBytes / 1e6)} MB`)]
  return [
    fail(
      `The database uses more than ${watermarkPercent}% of DATABASE_SIZE_LIMIT. Enlarge its disk, or lower RESULT_RETENTION_DAYS.`,
    ),
  ]
}

async function checkBackups(context: CommandContext): Promise<DoctorFinding[]> {
  const { backupMaxAgeHours } = context.config.selfWatch
  const data = findDataInUse(context.environment)
  const timerSeconds = data === undefined ? readTimerSeconds() : readDataAgeSeconds(data)
  const status = await readBackupStatus(context.engine)
  const isSameDisk = data !== undefined && !isMountPoint(backupsIn(data))
  return [
    judgeBackups(status, backupMaxAgeHours, timerSeconds),
    ...(isSameDisk ? [judgeSameVolume(backupsIn(data))] : []),
  ]
}

function judgeKeys(closed: string | undefined): DoctorFinding[] {
  if (closed === undefined) return [ok('they open the secrets in the database')]
  return [
    fail(
      `MASTER_KEYS does not open secrets that were closed with its key "${closed}". Give that key back; without it those secrets are lost.`,
    ),
  ]
}

async function checkConditions({ engine }: CommandContext): Promise<DoctorFinding[]> {
  const processes = await findProcesses(engine)
  if (processes.length === 0)
    return [fail(`No process of the service is running. ${START_ADVICE[findUnit() ?? 'none']}`)]
  const reports = processes.map(({ name, conditions }) => ({ process: name, conditions }))
  const conditions = mergeReports(reports)
  return conditions.length === 0
    ? [ok(`none; processes running: ${processes.length}`)]
    : conditions.map(({ code, message }) =>
        fail(`${message}. ${REMEDIES[code]} See ${helpOf(code)}.`),
      )
}
