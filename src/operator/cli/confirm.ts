// Asks for confirmation before a permanent deletion.
import type { Flags } from './flags.ts'
import { UsageError } from './flags.ts'

const MAX_ANSWER_BYTES = 1000

/** Passes if `expected` is typed, or with --yes. */
export async function confirm(flags: Flags, warning: string, expected: string): Promise<void> {
  if (flags['yes'] === true) return
  process.stderr.write(`${warning}\nType ${expected} to confirm: `)
  if ((await readLine()).trim() === expected) return
  throw new UsageError('\nThat does not match. Nothing was changed.')
}

async function readLine(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.includes('\n') || text.length > MAX_ANSWER_BYTES) break
  }
  return text.split('\n')[0] ?? ''
}
