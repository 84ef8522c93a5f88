// Parts not needed for the first paint: loaded when the browser is idle, or as soon as one is needed.
import { useSyncExternalStore } from 'react'
import { checkConnection } from '../api/call.ts'

// Until then the first screen has the CPU to itself.
const QUIET_MS = 1000

type LazyPart<T> = {
  /** The loaded part; undefined until then. */
  use: () => T | undefined
  /** Whether it could be loaded. Afterward it is known whether the server responds. */
  fetch: () => Promise<boolean>
}

const lazyParts: LazyPart<unknown>['fetch'][] = []
const listeners = new Set<() => void>()
let missing = 0

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function lazyPart<T>(load: () => Promise<T>): LazyPart<T> {
  let part: T | undefined
  let loading: Promise<boolean> | undefined
  missing += 1
  const arrive = (loaded: T) => {
    part = loaded
    missing -= 1
    for (const listener of listeners) listener()
    return true
  }
  // The next use tries again.
  const fail = async () => {
    await checkConnection()
    loading = undefined
    return false
  }
  const fetch = () => {
    loading ??= loadFailedStyles().then(load).then(arrive, fail)
    return loading
  }
  lazyParts.push(fetch)
  return { use: () => useSyncExternalStore(subscribe, () => part), fetch }
}

/** Whether every part is there, so that none needs the server anymore. */
export const useHasAllParts = (): boolean => useSyncExternalStore(subscribe, () => missing === 0)

/** Loads all parts that are not in use yet, so their first use does not wait. */
export function prefetchLazyParts(): () => void {
  const fetchAll = () => {
    void loadFailedStyles()
    for (const fetch of lazyParts) void fetch()
  }
  const timer = setTimeout(() => {
    // Not every browser supports it.
    if ('requestIdleCallback' in window) window.requestIdleCallback(fetchAll)
    else fetchAll()
  }, QUIET_MS)
  return () => clearTimeout(timer)
}

// Stylesheets that could not be loaded. The bundler never requests one again, so what it loads at the next try would have no
// styles.
const failedStyles = new Set<string>()

/** Remembers each one that fails from now on. */
export function watchStyles(): void {
  const remember = ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    failedStyles.add(target.href)
    target.remove()
  }
  window.addEventListener('error', remember, { capture: true })
}

let loadingStyles: Promise<void> | undefined

/** Requests them again. One that fails again is remembered, and holds up nothing else. */
function loadFailedStyles(): Promise<void> {
  loadingStyles ??= Promise.all([...failedStyles].map(loadStyle)).then(() => {
    loadingStyles = undefined
  })
  return loadingStyles
}

function loadStyle(href: string): Promise<unknown> {
  failedStyles.delete(href)
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  const ended = new Promise((resolve) => {
    link.addEventListener('load', resolve)
    link.addEventListener('error', resolve)
  })
  document.head.append(link)
  return ended
}
