// Runs the operator's command line.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Stack } from '../../tools/stack.ts'

const MAIN = join(import.meta.dirname, '../../src/main.ts')

export async function runCommand<T>({ env }: Stack, ...words: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...words, '--json'], {
    env,
  })
  return JSON.parse(stdout)
}
