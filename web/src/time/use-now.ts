import { useSyncExternalStore } from 'react'

const TICK_MS = 1000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** One clock for the whole page. It stops while the page is hidden. */
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

/** Without subscribers the clock stops, so catch up first. */
function read(): number {
  if (timer === undefined && Date.now() - now >= TICK_MS) now = Date.now()
  return now
}

/** The current time, rounded down to a multiple of the step. */
export function useNow(stepMs = TICK_MS): number {
  return useSyncExternalStore(subscribe, () => read() - (now % stepMs))
}
