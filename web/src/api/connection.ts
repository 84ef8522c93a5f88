// Whether the server responds. `call.ts` writes it; the shell reads it for the offline notice.
import { useSyncExternalStore } from 'react'

type Connection = { offlineSince: number | undefined }

let now: Connection = { offlineSince: undefined }
const listeners = new Set<() => void>()

export function noteResponse(): void {
  // Notify only on a change: a new object for every response would re-render the shell each time.
  if (now.offlineSince !== undefined) change({ offlineSince: undefined })
}

export function noteNoResponse(): void {
  if (now.offlineSince === undefined) change({ offlineSince: Date.now() })
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => now)
}

/** For what is not a component. */
export const isOffline = (): boolean => now.offlineSince !== undefined

function change(next: Connection): void {
  now = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
