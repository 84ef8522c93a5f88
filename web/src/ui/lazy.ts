// Parts that the first picture does without: fetched when the browser has time for them, or as soon as somebody
// reaches for one.
import { useSyncExternalStore } from 'react'

// Until then the first screen has the processor for itself.
const QUIET_MS = 1000

type LazyPart<T> = {
  /** What was fetched; undefined until it is there. */
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
  // Without a connection: whoever reaches for it again asks again.
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

/** Fetches what nobody has reached for yet, so that its first use waits for nothing. */
export function prefetchLazyParts(): () => void {
  const fetchAll = () => {
    for (const { fetch } of lazyParts) fetch()
  }
  const timer = setTimeout(() => {
    // Not every browser tells when it is idle.
    if ('requestIdleCallback' in window) window.requestIdleCallback(fetchAll)
    else fetchAll()
  }, QUIET_MS)
  return () => clearTimeout(timer)
}
