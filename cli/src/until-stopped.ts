import { once } from 'node:events'
import { setInterval } from 'node:timers/promises'

const PARENT_POLL_MS = 500

/** Resolves on Ctrl-C or SIGTERM, or when the reader of our output or npm exits. */
export async function untilStopped(): Promise<void> {
  await Promise.race([
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
    outputClosed(),
    npmEnded(),
  ])
}

// `upv … | head -1` closes the pipe after the first line.
async function outputClosed(): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' ? resolve() : reject(error),
    )
  })
}

// npm sends SIGTERM to the shell between it and this process, which exits without passing it on.
async function npmEnded(): Promise<void> {
  const parent = process.ppid
  const byNpm = process.env['npm_lifecycle_event'] !== undefined
  for await (const _ of setInterval(PARENT_POLL_MS, undefined, { ref: false }))
    if (byNpm && process.ppid !== parent) return
}
