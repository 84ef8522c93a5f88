// Small changes as they happen. Without the stream (an older server, a proxy that cuts it) screens still read
// anew by themselves, only later.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ResponseOf } from '../api/contract.ts'
import {
  applyToMonitor,
  applyToRows,
  type Changes,
  concerns,
  type MonitorNow,
  type ReadKey,
  showsOtherState,
  type Topic,
  topicsOf,
} from './changes.ts'

const RETRY_MS = 30_000
// Checks land all the time: what is shown is read anew at most this often, and not by everybody at once.
const GATHER_MS = 2000
const JITTER_MS = 2000
// Bars and figures of a list, which the stream does not tell.
const FIGURES_MS = 30_000

/** Shows what the stream tells of the organization, and reads anew what it only names. */
export function useStream(organizationId: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    const refresher = startRefresher(queries, organizationId)
    let figuresAt = Date.now() + FIGURES_MS
    const close = openStream(
      `/app/api/organizations/${encodeURIComponent(organizationId)}/stream`,
      (changes) => {
        if (changes === undefined) return refresher.everything()
        const now = new Map(changes.monitors?.map((monitor) => [monitor.id, monitor]))
        showMonitors(queries, organizationId, now)
        refresher.add(topicsOf(changes))
        if (isOnPage(queries, organizationId, now)) refresher.add(['statusPages'])
        if (Date.now() < figuresAt) return
        figuresAt = Date.now() + FIGURES_MS
        refresher.add(['figures'])
      },
    )
    return () => {
      refresher.stop()
      close()
    }
  }, [organizationId, queries])
}

type Now = ReadonlyMap<string, MonitorNow>

function isOnPage(queries: QueryClient, id: string, now: Now): boolean {
  if (now.size === 0) return false
  const lists = queries.getQueriesData<ResponseOf<'GET /overview/status-pages'>>({
    queryKey: [id, 'GET /overview/status-pages'],
    type: 'active',
  })
  const pages = queries.getQueriesData<ResponseOf<'GET /overview/status-pages/{statusPageId}'>>({
    queryKey: [id, 'GET /overview/status-pages/{statusPageId}'],
    type: 'active',
  })
  return [
    ...lists.flatMap(([, list]) => list?.data ?? []),
    ...pages.flatMap(([, page]) => page ?? []),
  ].some((page) => showsOtherState(page, now))
}

function showMonitors(queries: QueryClient, id: string, now: Now): void {
  if (now.size === 0) return
  queries.setQueriesData<ResponseOf<'GET /overview/monitors'>>(
    { queryKey: [id, 'GET /overview/monitors'], type: 'active' },
    (rows) => rows && applyToRows(rows, now),
  )
  queries.setQueriesData<ResponseOf<'GET /overview/monitors/{monitorId}'>>(
    { queryKey: [id, 'GET /overview/monitors/{monitorId}'], type: 'active' },
    (screen) => {
      const next = screen && now.get(screen.id)
      return next ? applyToMonitor(screen, next) : screen
    },
  )
}

/** Gathers what is to be read anew. Nothing is read for a page that nobody looks at. */
function startRefresher(queries: QueryClient, organizationId: string) {
  const waiting = new Set<Topic>()
  let isAll = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const isConcerned = (key: readonly unknown[]) =>
    key[0] === organizationId && (isAll || concerns(key as unknown as ReadKey, waiting))
  const run = () => {
    timer = undefined
    if (document.visibilityState !== 'visible' || (waiting.size === 0 && !isAll)) return
    void queries.invalidateQueries({ predicate: ({ queryKey }) => isConcerned(queryKey) })
    waiting.clear()
    isAll = false
  }
  const plan = () => {
    timer ??= setTimeout(run, GATHER_MS + Math.random() * JITTER_MS)
  }
  document.addEventListener('visibilitychange', plan)
  return {
    add(topics: readonly Topic[]) {
      for (const topic of topics) waiting.add(topic)
      if (topics.length > 0) plan()
    },
    everything() {
      isAll = true
      plan()
    },
    stop() {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', plan)
    },
  }
}

/** Listens until it is told to stop; undefined: anything may have changed. A browser gives up on a refusal, so a
 * refused stream is tried again later. */
function openStream(
  address: string,
  onChanges: (changes: Changes | undefined) => void,
): () => void {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    source = new EventSource(address)
    // Safe because both ends are of one version, or the page is loaded anew.
    source.addEventListener('changes', ({ data }) => onChanges(JSON.parse(data) as Changes))
    source.addEventListener('reset', () => onChanges(undefined))
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return
      retry = setTimeout(() => {
        open()
        onChanges(undefined)
      }, RETRY_MS)
    }
  }
  open()
  return () => {
    clearTimeout(retry)
    source?.close()
  }
}
