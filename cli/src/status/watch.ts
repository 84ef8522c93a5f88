// Reads the status again and again, and says so when it cannot.
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, Snapshot } from './frame.ts'

export type Watched = { snapshot: Snapshot | null; connection: Connection }

type WatchOptions = {
  read(signal: AbortSignal): Promise<Snapshot>
  /** What failed, for people; throws what is not worth a retry. */
  explain(error: unknown): string
  everyMs: number
  /** Ends it. */
  signal: AbortSignal
  report(watched: Watched): void
}

/** Resolves when the signal aborts. */
export async function watch({
  read,
  explain,
  everyMs,
  signal,
  report,
}: WatchOptions): Promise<void> {
  let watched: Watched = { snapshot: null, connection: null }
  while (!signal.aborted) {
    watched = await next(watched, read, explain, signal)
    if (!signal.aborted) report(watched)
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

async function next(
  { snapshot, connection }: Watched,
  read: WatchOptions['read'],
  explain: WatchOptions['explain'],
  signal: AbortSignal,
): Promise<Watched> {
  try {
    return { snapshot: await read(signal), connection: null }
  } catch (error) {
    if (signal.aborted) return { snapshot, connection }
    const reason = explain(error)
    return { snapshot, connection: { lostAt: connection?.lostAt ?? new Date(), reason } }
  }
}
