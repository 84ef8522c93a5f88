// Parts not needed for the first paint: loaded when the browser is idle, or as soon as one is needed.
import { useSyncExternalStore } from 'react'

// Until then the first screen has the CPU to itself.
const QUIET_MS = 1000

type LazyPart<T> = {
  /** The loaded part; undefined until then. */
  use: () => T | undefined
  fetch: () => void
}

const lazyParts: LazyPart<unknown>[] = []

export function lazyPart<T>(load: () => Promise<T>): LazyPart<T> {
  let part: T | undefined
  let isRequested = false
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const arrive = (loaded: T) => {
    part = loaded
    for (const listener of listeners) listener()
  }
  // Offline: the next use tries again.
  const fail = () => {
    isRequested = false
  }
  const own: LazyPart<T> = {
    use: () => useSyncExternalStore(subscribe, () => part),
    fetch() {
      if (isRequested) return
      isRequested = true
      void load().then(arrive, fail)
    },
  }
  lazyParts.push(own)
  return own
}

/** Loads all parts that are not in use yet, so their first use does not wait. */
export function prefetchLazyParts(): () => void {
  const fetchAll = () => {
    for (const { fetch } of lazyParts) fetch()
  }
  const timer = setTimeout(() => {
    // Not every browser supports it.
    if ('requestIdleCallback' in window) window.requestIdleCallback(fetchAll)
    else fetchAll()
  }, QUIET_MS)
  return () => clearTimeout(timer)
}
