import { useSyncExternalStore } from 'react'

const TICK_MS = 1000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** One clock for the whole page, however many times it shows; it stands still while nobody looks. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  if (document.visibilityState !== 'visible') return
  now = Date.now()
  for (const listener of listeners) listener()
}

/** A clock that nobody looked at has stood still. */
function read(): number {
  if (timer === undefined && Date.now() - now >= TICK_MS) now = Date.now()
  return now
}

/** The present, in steps of so much. */
export function useNow(stepMs = TICK_MS): number {
  return useSyncExternalStore(subscribe, () => read() - (now % stepMs))
}
