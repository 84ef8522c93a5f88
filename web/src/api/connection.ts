// Whether the server answers, for the notice that says so. Written by `call.ts`, read by the shell.
import { useSyncExternalStore } from 'react'

type Connection = { lostSince: number | undefined; answeredAt: number }

let now: Connection = { lostSince: undefined, answeredAt: Date.now() }
const listeners = new Set<() => void>()

export function noteAnswer(): void {
  // Only the change is told: a new object for every answer would draw the shell with each of them.
  if (now.lostSince === undefined) now.answeredAt = Date.now()
  else change({ lostSince: undefined, answeredAt: Date.now() })
}

export function noteSilence(): void {
  if (now.lostSince === undefined) change({ ...now, lostSince: Date.now() })
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => now)
}

function change(next: Connection): void {
  now = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
