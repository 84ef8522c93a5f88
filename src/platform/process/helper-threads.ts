// V8 compiles hot functions and collects garbage on threads of its own. They have the priority of the main thread, so
// where cores are scarce they take turns with it: in a process that runs 1,000 checks a second on one core, checks were
// up to 400 ms late while hot functions were compiled. With a low priority they use what the main thread leaves.
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'

const THREADS = '/proc/self/task'
const HELPER_NAME = 'V8Worker'
// Not the lowest: the main thread waits for them at the end of a collection, and they have to run beside other processes.
const LOWER_BY = 10
const LOWEST = 19

/** They live as long as the process. Only Linux has priorities by thread; elsewhere this does nothing. */
export function lowerHelperPriority(): void {
  if (process.platform !== 'linux') return
  for (const thread of readdirSync(THREADS)) {
    try {
      const name = readFileSync(join(THREADS, thread, 'comm'), 'utf8')
      if (name.includes(HELPER_NAME)) lower(Number(thread))
    } catch {
      // It has ended since it was listed, or priorities are not allowed here: a service that is late at times still serves.
    }
  }
}

function lower(thread: number): void {
  setPriority(thread, Math.min(LOWEST, getPriority(thread) + LOWER_BY))
}
