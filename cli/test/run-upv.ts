// Runs the real command in tests.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { COMPILE_CACHE } from '../../tools/compile-cache.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const WAIT_MS = 20_000
// Tests must not use the profiles of the person who runs them.
const NO_PROFILES = { UPVANE_PROFILES_FILE: '/nonexistent/profiles.json' }

export type Running = {
  process: ChildProcess
  /** Waits until the output so far satisfies the condition, and returns it. */
  printed(holds: (stdout: string) => boolean): Promise<string>
  /** Sends the signal and waits for the process to exit. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
  ended: Promise<Ended>
}
export type Ended = { code: number | null; stdout: string; stderr: string }

export function startUpv(
  args: string[],
  env: Record<string, string> = {},
  input?: string,
): Running {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...NO_PROFILES, ...COMPILE_CACHE, ...env },
  })
  // A command that does not read its input may be gone before it is written.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input ?? '')
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => void (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (output.stderr += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return {
    process: child,
    ended,
    async printed(holds) {
      const signal = AbortSignal.timeout(WAIT_MS)
      while (!holds(output.stdout)) {
        if (child.exitCode !== null) throw new Error(`It ended: ${JSON.stringify(await ended)}`)
        await once(child.stdout, 'data', { signal })
      }
      return output.stdout
    },
    stop(name = 'SIGINT') {
      child.kill(name)
      return ended
    },
  }
}

export function runUpv(
  args: string[],
  env: Record<string, string> = {},
  input?: string,
): Promise<Ended> {
  return startUpv(args, env, input).ended
}
