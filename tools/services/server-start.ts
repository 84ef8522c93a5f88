// Starts a server program in its temporary directory and waits until it responds or has failed.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './ports.ts'
import { isRunning } from './processes.ts'
import { killServer } from './server-signals.ts'
import type { Account } from './temporary-directory.ts'

const START_TIMEOUT_MS = 60_000
const POLL_MS = 10
const MAX_PORT_TRIES = 5
const RESTART_TIMEOUT_MS = 15_000
const RESTART_PAUSE_MS = 50
const SHOWN_LOG_LINES = 15

// macOS has no C.UTF-8, and PostgreSQL does not start under an unknown locale.
const LOCALE = process.platform === 'darwin' ? 'C' : 'C.UTF-8'

const PORT_TAKEN = /address already in use/i
// What the children of a killed server hold until they notice that it is gone.
const STILL_HELD =
  /lock file .* already exists|shared memory block .* in use|address already in use/i

type Program = {
  command: string
  args: string[]
  directory: string
  account?: Account
  /** Variables in addition to PATH, the locale and the time zone. */
  env?: Record<string, string>
  /** True once the server responds as itself. Polled; throws only on permanent errors. */
  isReady(): Promise<boolean>
}

export type Started = { program: Program; port: number; pid: number }

/** A server that exited instead of becoming ready. `log` is the output of this start. */
class FailedStart extends Error {
  readonly log: string

  constructor(command: string, log: string) {
    const lastLines = log.trimEnd().split('\n').slice(-SHOWN_LOG_LINES).join('\n')
    super(`${command} did not start. Its last lines:\n${lastLines}`)
    this.name = 'FailedStart'
    this.log = log
  }
}

// Another process may take the port between finding it free and listening on it.
export async function startOnFreePort(programOn: (port: number) => Program): Promise<Started> {
  for (let tries = 1; ; tries++) {
    const port = await findFreePort()
    const program = programOn(port)
    try {
      return { program, port, pid: await startServer(program) }
    } catch (error) {
      const taken = error instanceof FailedStart && PORT_TAKEN.test(error.log)
      if (!taken || tries === MAX_PORT_TRIES) throw error
    }
  }
}

/** Starts it again in the same place, waiting for what a killed server left behind. */
export async function startAgain(program: Program): Promise<number> {
  const deadline = performance.now() + RESTART_TIMEOUT_MS
  for (;;) {
    try {
      return await startServer(program)
    } catch (error) {
      const held = error instanceof FailedStart && STILL_HELD.test(error.log)
      if (!held || performance.now() > deadline) throw error
      await sleep(RESTART_PAUSE_MS)
    }
  }
}

async function startServer(program: Program): Promise<number> {
  const logFile = join(program.directory, 'server.log')
  const logStart = existsSync(logFile) ? statSync(logFile).size : 0
  const pid = await launch(program, logFile)
  const deadline = performance.now() + START_TIMEOUT_MS
  while (isRunning(pid) && performance.now() < deadline) {
    if (await program.isReady()) return pid
    await sleep(POLL_MS)
  }
  await killServer(pid)
  throw new FailedStart(program.command, readFileSync(logFile).subarray(logStart).toString())
}

async function launch(program: Program, logFile: string): Promise<number> {
  const log = openSync(logFile, 'a')
  const child = spawn(program.command, program.args, {
    ...program.account,
    // The watchdog finds the server by its working directory.
    cwd: program.directory,
    env: { PATH: process.env['PATH'], LC_ALL: LOCALE, TZ: 'UTC', ...program.env },
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  if (child.pid !== undefined) return child.pid
  const { promise, reject } = Promise.withResolvers<never>()
  child.once('error', reject)
  return promise
}
