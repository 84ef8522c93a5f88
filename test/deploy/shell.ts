import { spawn } from 'node:child_process'
import { once } from 'node:events'

const TAIL = 4_000

export type Ran = { code: number; stdout: string; stderr: string }

export async function tryRun(
  command: readonly string[],
  options: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<Ran> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { env: options.env ?? process.env, cwd: options.cwd })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => void (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (output.stderr += chunk.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input ?? '')
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? -1, ...output }
}

/** Fails with all output unless the command exits with 0. */
export async function run(
  command: readonly string[],
  options: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<string> {
  const ran = await tryRun(command, options)
  if (ran.code === 0) return ran.stdout
  const shown = `${ran.stdout.slice(-TAIL)}\n${ran.stderr.slice(-TAIL)}`
  throw new Error(
    `${command.join(' ').slice(0, 300)}\n${options.input ?? ''}\nended with ${ran.code}:\n${shown}`,
  )
}
