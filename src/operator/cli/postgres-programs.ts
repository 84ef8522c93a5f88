// Runs this machine's pg_dump and pg_restore.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { UsageError } from './flags.ts'
import type { LibpqEnvironment } from './libpq-environment.ts'

/** A problem the operator can fix outside of Upvane; the message says what happened. */
export class BackupError extends Error {}

type Program = 'pg_dump' | 'pg_restore' | 'psql'

const VERSION = /\(PostgreSQL\) (\d{1,3})/
const MAX_OUTPUT = 4_000_000
const MAX_ERROR_LINES = 8

type Run = {
  args: readonly string[]
  environment: LibpqEnvironment
  /** File descriptor for standard output; without it the output is returned. */
  outputTo?: number
}

/** Returns its version. Fails if the program is missing, or older than a server that it reads. */
export async function requireProgram(
  program: Program,
  environment: LibpqEnvironment,
  serverMajor = 0,
): Promise<number> {
  const text = await runProgram(program, { args: ['--version'], environment })
  const major = Number(VERSION.exec(text)?.[1] ?? 0)
  if (major < serverMajor)
    throw new UsageError(
      `${program} on this machine is version ${major}, and the server is version ${serverMajor}. Install the client programs of PostgreSQL ${serverMajor} or newer, first in PATH.`,
    )
  return major
}

/** Returns standard output. */
export async function runProgram(
  program: Program,
  { args, environment, outputTo }: Run,
): Promise<string> {
  const child = spawn(program, args, {
    env: environment,
    stdio: ['ignore', outputTo ?? 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < MAX_OUTPUT) output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < MAX_OUTPUT) errors += text
  })
  const [code, signal] = (await once(child, 'close').catch((error: unknown) => {
    throw explainStart(program, error)
  })) as [number | null, string | null]
  if (code === 0) return output
  throw programFailed(program, signal ?? `code ${code}`, errors)
}

export function programFailed(program: Program, how: string, errors: string): BackupError {
  const lines = errors.trim().split('\n').slice(0, MAX_ERROR_LINES)
  return new BackupError(
    `${program} failed with ${how}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  )
}

export function explainStart(program: Program, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ENOENT' && code !== 'EACCES') return error
  return new UsageError(
    `${program} was not found on this machine. Install PostgreSQL's client programs: on Debian with "apt install postgresql-client".`,
  )
}
