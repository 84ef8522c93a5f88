// Stops, freezes and thaws a server together with its children.
import { findChildren, isRunning, signal, waitUntilGone } from './processes.ts'

const STOP_TIMEOUT_MS = 10_000

/** Shuts the server down cleanly, which SIGINT starts in both PostgreSQL and NATS. */
export async function stopServer(pid: number): Promise<void> {
  thawServer(pid)
  signal(pid, 'SIGINT')
  if (!(await waitUntilGone([pid], STOP_TIMEOUT_MS))) await killServer(pid)
}

export async function killServer(pid: number): Promise<void> {
  const pids = freezeServer(pid)
  for (const one of pids) signal(one, 'SIGKILL')
  if (!(await waitUntilGone(pids, STOP_TIMEOUT_MS)))
    throw new Error(`Processes ${pids.join(', ')} outlived SIGKILL.`)
}

/** Freezes the server and its children, and returns their pids. */
export function freezeServer(pid: number): number[] {
  if (!isRunning(pid)) return []
  // The parent first, so it cannot create children that would be missed.
  signal(pid, 'SIGSTOP')
  const children = findChildren(pid)
  for (const child of children) signal(child, 'SIGSTOP')
  return [pid, ...children]
}

export function thawServer(pid: number): void {
  if (!isRunning(pid)) return
  for (const child of findChildren(pid)) signal(child, 'SIGCONT')
  signal(pid, 'SIGCONT')
}
