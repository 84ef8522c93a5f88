import { once } from 'node:events'
import { setInterval } from 'node:timers/promises'

const PARENT_POLL_MS = 500

/** Resolves with Ctrl-C, SIGTERM, the end of whoever reads our output, or of npm. */
export async function untilStopped(): Promise<void> {
  await Promise.race([
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
    outputClosed(),
    npmEnded(),
  ])
}

// `upv … | head -1` closes the pipe when it has read enough.
async function outputClosed(): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' ? resolve() : reject(error),
    )
  })
}

// npm gives SIGTERM to the shell between it and us, which dies of it without passing it on.
async function npmEnded(): Promise<void> {
  const parent = process.ppid
  const byNpm = process.env['npm_lifecycle_event'] !== undefined
  for await (const _ of setInterval(PARENT_POLL_MS, undefined, { ref: false }))
    if (byNpm && process.ppid !== parent) return
}
