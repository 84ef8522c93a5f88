// Brings the database to the major version of this image: the server of the old version runs once more and is dumped,
// and the dump is restored into a new database. The old one is not changed, and kept for a day.
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isKeptLongEnough } from '../../domain/operating/standalone.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Log } from '../../platform/observability/log.ts'
import { StartError } from '../../platform/process/start-error.ts'
import { dumpDatabase, restoreDatabase } from '../backup/backup.ts'
import { recordAsOwner } from '../cli/audit.ts'
import { UsageError } from '../cli/flags.ts'
import { operatorFault } from '../cli/operator-fault.ts'
import {
  completeIn,
  copyIn,
  explainWrites,
  findKeptMajors,
  keptIn,
  makeCopyDirectory,
  postgresIn,
  syncDirectory,
} from './data-directory.ts'
import { makeDatabase } from './make-data.ts'
import { OwnPostgres } from './postgres.ts'
import { findServer, readProgramMajor } from './programs.ts'

const UPGRADED = 'upgraded'

export type UpgradeOptions = {
  directory: string
  lock: number
  log: Log
  environment: NodeJS.ProcessEnv
  config: Config
}

/** If it is killed, the next start begins again with the same old database. */
export async function upgradeDatabase(options: UpgradeOptions, from: number): Promise<void> {
  const { directory, log, config, environment } = options
  log.warn({ from }, 'the database is being upgraded to another major version of PostgreSQL')
  const startMs = performance.now()
  const { migrateDatabaseUrl: url, databaseUrl: serviceUrl } = config
  const copy = copyIn(directory)
  const dump = join(copy, 'upvane.dump')
  const data = postgresIn(copy)
  try {
    makeCopyDirectory(directory)
    const { bytes } = await runServer({ ...options, server: findServer(from) }, () =>
      dumpDatabase(dump, url, environment),
    )
    makeDatabase(directory, data)
    const { rows } = await runServer({ ...options, data }, async () => {
      const restored = await restoreDatabase(dump, { url, serviceUrl }, environment)
      const detail = { from, to: readProgramMajor(), rows: restored.rows }
      await recordAsOwner(url, { action: 'upgrade', detail })
      return restored
    })
    replaceDatabase(directory, from)
    const seconds = Math.round((performance.now() - startMs) / 1000)
    log.info({ rows, dumpBytes: bytes, seconds, kept: keptIn(directory, from) }, 'upgraded')
  } catch (error) {
    rmSync(copy, { recursive: true, force: true })
    const isExplained = error instanceof StartError || error instanceof UsageError
    const reason = isExplained ? error.message : operatorFault(error)
    if (reason === undefined) throw error
    throw new StartError(
      `The upgrade from PostgreSQL ${from} failed, and the old data are as they were: ${reason}`,
    )
  }
}

/** The copy takes the place of the database. Killed in between, the next start finds what is left to do. */
function replaceDatabase(directory: string, from: number): void {
  explainWrites(directory, () => {
    const copy = copyIn(directory)
    writeFileSync(completeIn(directory), '', { flush: true })
    writeFileSync(join(postgresIn(directory), UPGRADED), '', { flush: true })
    syncDirectory(copy)
    renameSync(postgresIn(directory), keptIn(directory, from))
    finishUpgrade(directory)
  })
}

export function finishUpgrade(directory: string): void {
  explainWrites(directory, () => {
    const copy = copyIn(directory)
    renameSync(postgresIn(copy), postgresIn(directory))
    syncDirectory(directory)
    rmSync(copy, { recursive: true })
  })
}

/** Deletes databases that upgrades replaced a day ago or earlier. */
export function deleteKept(directory: string, log: Log): void {
  for (const major of findKeptMajors(directory)) {
    const kept = keptIn(directory, major)
    const marker = statSync(join(kept, UPGRADED), { throwIfNoEntry: false })
    if (marker === undefined || !isKeptLongEnough(marker.mtimeMs, Date.now())) continue
    rmSync(kept, { recursive: true })
    log.info({ kept }, 'the database from before the upgrade was deleted')
  }
}

/** The server of whichever version the data have, while `work` runs. */
export async function runServer<T>(
  options: Pick<UpgradeOptions, 'directory' | 'lock' | 'log'> & {
    server?: string | undefined
    data?: string
  },
  work: () => Promise<T>,
): Promise<T> {
  const postgres = new OwnPostgres(options)
  await postgres.start()
  try {
    return await Promise.race([work(), postgres.failed])
  } finally {
    await postgres.stop()
  }
}
