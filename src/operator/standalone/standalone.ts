// One container that keeps its data: PostgreSQL inside, and beside it a command of Upvane, such as the service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { decideFirstSteps, type FirstSteps } from '../../domain/operating/standalone.ts'
import { readConfig } from '../../platform/config/config.ts'
import { type Log, openLog } from '../../platform/observability/log.ts'
import { StartError } from '../../platform/process/start-error.ts'
import {
  backupsIn,
  findKeptMajors,
  inspectData,
  isMountPoint,
  openData,
  removeLeftovers,
} from './data-directory.ts'
import { makeDatabase, makeSecrets } from './make-data.ts'
import { useOwnDatabase } from './own-database.ts'
import { OwnPostgres } from './postgres.ts'
import type { UpgradeOptions } from './upgrade.ts'

// The service ends by itself within 20 s.
const STOP_MS = 22_000
const HOUR_MS = 3_600_000

type Options = {
  directory: string
  root: string
  typed: readonly string[]
  environment: NodeJS.ProcessEnv
}
type Child = { args: readonly string[]; changed?: NodeJS.ProcessEnv; output?: 'inherit' | 'ignore' }
type Run = (program: string, child: Child) => Promise<number>

/** Runs the command that was typed beside its own PostgreSQL, and returns its exit code. */
export async function runStandalone(options: Options): Promise<number> {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop.abort())
  const { log, close } = openLog('info')
  const lock = await prepare(options, log)
  const postgres = new OwnPostgres({ directory: options.directory, lock, log })
  const run: Run = (program, child) => runChild(program, child, options.environment, stop.signal)
  const work = postgres.start().then(() => runCommand(run, options, stop.signal))
  try {
    return await Promise.race([work, postgres.failed])
  } finally {
    stop.abort()
    // The service first, so that it can finish what is under way.
    await Promise.allSettled([work])
    await postgres.stop()
    close()
  }
}

/** Everything that the first start makes, and the first one of an image with a newer PostgreSQL. Returns the lock. */
async function prepare({ directory, environment }: Options, log: Log): Promise<number> {
  decide(directory)
  const lock = openData(directory)
  removeLeftovers(directory)
  // Again: until now another container may have held the lock.
  const steps = decide(directory)
  if (steps.makeSecrets) makeSecrets(directory, new Date())
  useOwnDatabase(environment, directory)
  const config = readConfig(environment)
  if (steps.makeDatabase) makeDatabase(directory)
  await upgrade(steps, { directory, lock, log, environment, config })
  if (!isMountPoint(backupsIn(directory)))
    log.warn({ directory: backupsIn(directory) }, 'backups are on the same volume as the data')
  if ((environment['BASE_URL'] ?? '') === '' && (environment['BASE_URL_FILE'] ?? '') === '')
    log.info('people use http://localhost:8080; set BASE_URL if they use another address')
  return lock
}

/** Loaded only when it is needed: this process stays as long as the container. */
async function upgrade(steps: FirstSteps, options: UpgradeOptions): Promise<void> {
  const { directory, log } = options
  const isUpgrade = steps.upgradeFrom !== undefined || steps.finishUpgrade === true
  if (!isUpgrade && findKeptMajors(directory).length === 0) return
  const { deleteKept, finishUpgrade, upgradeDatabase } = await import('./upgrade.ts')
  if (steps.upgradeFrom !== undefined) await upgradeDatabase(options, steps.upgradeFrom)
  if (steps.finishUpgrade === true) finishUpgrade(directory)
  deleteKept(directory, log)
  setInterval(() => deleteKept(directory, log), HOUR_MS).unref()
}

function decide(directory: string): FirstSteps {
  const steps = decideFirstSteps(inspectData(directory))
  if (typeof steps === 'string') throw new StartError(steps)
  return steps
}

async function runCommand(
  run: Run,
  { directory, root, typed }: Options,
  stop: AbortSignal,
): Promise<number> {
  const upvane = [...process.execArgv, join(root, 'src/main.ts')]
  if (typed[0] !== 'start') return run(process.execPath, { args: [...upvane, ...typed] })
  const migrate: Child = { args: [...upvane, 'migrate'], output: 'ignore' }
  const migrated = await run(process.execPath, migrate)
  if (migrated !== 0 || stop.aborted) return migrated
  void run(join(root, 'deploy/upvane-nightly.sh'), { args: [backupsIn(directory)] })
  // The service never holds the owner's password.
  const changed = { MIGRATE_DATABASE_URL_FILE: undefined }
  return run(process.execPath, { args: [...upvane, ...typed], changed })
}

/** Returns its exit code. When `stop` is aborted, it gets SIGTERM and some time. */
async function runChild(
  program: string,
  { args, changed = {}, output = 'inherit' }: Child,
  environment: NodeJS.ProcessEnv,
  stop: AbortSignal,
): Promise<number> {
  const child = spawn(program, args, {
    env: { ...environment, ...changed },
    // Apart from the terminal's Ctrl-C, which this process passes on.
    detached: true,
    stdio: ['inherit', output, 'inherit'],
  })
  let deadline: NodeJS.Timeout | undefined
  const end = () => {
    child.kill('SIGTERM')
    deadline = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  }
  if (stop.aborted) end()
  stop.addEventListener('abort', end, { once: true })
  const [code] = (await once(child, 'exit')) as [number | null]
  stop.removeEventListener('abort', end)
  clearTimeout(deadline)
  return code ?? 1
}
