// Shared by commands that run until they are stopped.
import { once } from 'node:events'
import { setInterval } from 'node:timers/promises'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { MissingProgramError } from './services/executables.ts'

const PARENT_POLL_MS = 500

/** Call this first: a signal during startup must not leave servers behind. */
export function stopRequested(): Promise<unknown> {
  return Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), npmEnded()])
}

// npm sends SIGTERM to the shell between it and this process, which exits without passing it on.
async function npmEnded(): Promise<void> {
  const parent = process.ppid
  const byNpm = process.env['npm_lifecycle_event'] !== undefined
  for await (const _ of setInterval(PARENT_POLL_MS, undefined, { ref: false }))
    if (byNpm && process.ppid !== parent) return
}

export function wholeNumber(name: string, text: string): number {
  if (/^\d{1,8}$/.test(text)) return Number(text)
  console.error(`--${name} must be a whole number.`)
  process.exit(2)
}

/** Reports a missing program with a message instead of a stack trace. */
export function explainMissing(error: unknown): never {
  if (!(error instanceof MissingProgramError)) throw error
  console.error(error.message)
  process.exit(1)
}

type Options = NonNullable<ParseArgsConfig['options']>

/** The parsed options. `--help` and unknown options print the usage. */
export function readOptions<const O extends Options>(options: O, usage: string) {
  if (process.argv.includes('--help')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return parseArgs({ options }).values
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}
