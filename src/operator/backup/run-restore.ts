// Restores a dump into a database, all or nothing.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { databaseArgument, type LibpqEnvironment } from '../cli/libpq-environment.ts'
import {
  explainStart,
  programFailed,
  requireProgram,
  runProgram,
} from '../cli/postgres-programs.ts'

// The first version with transaction_timeout. Since then pg_restore sets it, even on servers that reject it.
const KNOWS_SETTING = 17
const SETTING = 'SET transaction_timeout = 0;\n'
// It is in the first lines of the script, before any content of the dump.
const MAX_HEAD_BYTES = 4096

export async function runRestore(
  file: string,
  environment: LibpqEnvironment,
  serverMajor: number,
): Promise<void> {
  // An older one restores into newer servers, too.
  const major = await requireProgram('pg_restore', environment)
  if (major >= KNOWS_SETTING && serverMajor < KNOWS_SETTING) {
    await requireProgram('psql', environment)
    return restoreByScript(file, environment)
  }
  const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-password']
  await runProgram('pg_restore', {
    args: [...options, databaseArgument(environment), file],
    environment,
  })
}

/** pg_restore writes the script, and psql runs it without that setting. */
async function restoreByScript(file: string, env: LibpqEnvironment): Promise<void> {
  const source = spawn('pg_restore', ['--no-owner', '--file=-', file], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const options = ['--no-psqlrc', '--quiet', '--no-password', '--single-transaction']
  const target = spawn('psql', [...options, '--set=ON_ERROR_STOP=1', databaseArgument(env)], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const written = endOf('pg_restore', source)
  const applied = endOf('psql', target)
  // psql commits at the end of its input, so that must come only after the whole script.
  const copied = pipeline(source.stdout, withoutSetting, target.stdin, { end: false })
    .then(() => written)
    .then(() => void target.stdin.end())
  written.catch(() => target.kill())
  const [script, transaction, copy] = await Promise.allSettled([written, applied, copied])
  const causes = target.killed ? [script, transaction, copy] : [transaction, script, copy]
  for (const cause of causes) if (cause.status === 'rejected') throw cause.reason
}

async function endOf(program: 'pg_restore' | 'psql', child: ChildProcess): Promise<void> {
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (errors += text))
  const [code, signal] = (await once(child, 'close').catch((error: unknown) => {
    throw explainStart(program, error)
  })) as [number | null, string | null]
  if (code !== 0) throw programFailed(program, signal ?? `code ${code}`, errors)
}

async function* withoutSetting(script: Readable): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of script as AsyncIterable<Buffer>) {
    if (head === undefined) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    const at = head.indexOf(SETTING)
    if (at < 0 && head.length < MAX_HEAD_BYTES) continue
    yield at < 0 ? head : head.subarray(0, at)
    if (at >= 0) yield head.subarray(at + SETTING.length)
    head = undefined
  }
  if (head !== undefined) yield head
}
