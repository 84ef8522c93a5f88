// Live updates. Without the stream (an older server, a proxy that cuts it) screens still refetch, only later.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ResponseOf } from '../api/contract.ts'
import { findStart, forgetStart } from '../api/stream-start.ts'
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
// The stream starts at the oldest of the first reads, so it waits for them, but not for long.
const FIRST_READS_MS = 3_000
const POLL_MS = 50
// Results arrive constantly, so refetch at most this often, and not from all clients at once.
const GATHER_MS = 2000
const JITTER_MS = 2000
// Bars and figures of a list, which the stream does not carry.
const FIGURES_MS = 30_000

/** Applies the organization's stream messages and refetches what they only name. */
export function useStream(organizationId: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    const refresher = startRefresher(queries, organizationId)
    let figuresAt = Date.now() + FIGURES_MS
    const onChanges = (changes: Changes | undefined) => {
      if (changes === undefined) return refresher.everything()
      const now = new Map(changes.monitors?.map((monitor) => [monitor.id, monitor]))
      showMonitors(queries, organizationId, now)
      refresher.add(topicsOf(changes))
      if (isOnPage(queries, organizationId, now)) refresher.add(['statusPages'])
      if (Date.now() < figuresAt) return
      figuresAt = Date.now() + FIGURES_MS
      refresher.add(['figures'])
    }
    const address = `/app/api/organizations/${encodeURIComponent(organizationId)}/stream`
    let close = () => {}
    const stopWaiting = afterFirstReads(queries, organizationId, (start) => {
      const from = start === undefined ? '' : `?${new URLSearchParams({ from: start })}`
      close = openStream({ first: address + from, later: address }, onChanges)
    })
    return () => {
      stopWaiting()
      refresher.stop()
      close()
      forgetStart(organizationId)
    }
  }, [organizationId, queries])
}

/** Calls back once nothing is being read, with the position of the oldest read. Reads that begin later are covered by
 * the stream itself. */
function afterFirstReads(
  queries: QueryClient,
  organizationId: string,
  open: (start: string | undefined) => void,
): () => void {
  const untilMs = Date.now() + FIRST_READS_MS
  const timer = setInterval(() => {
    const start = findStart(organizationId)
    const isReading = queries.isFetching({ queryKey: [organizationId] }) > 0
    if ((start === undefined || isReading) && Date.now() < untilMs) return
    clearInterval(timer)
    open(start)
  }, POLL_MS)
  return () => clearInterval(timer)
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

/** Collects what to refetch. Nothing is refetched while the page is hidden. */
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

/** Listens until stopped. Undefined means that anything may have changed. Browsers give up when a stream is
 * rejected, so it is reopened later, and everything is read again. */
function openStream(
  { first, later }: { first: string; later: string },
  onChanges: (changes: Changes | undefined) => void,
): () => void {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const open = (address: string) => {
    source = new EventSource(address)
    // Safe because both sides run the same version; otherwise the page reloads.
    source.addEventListener('changes', ({ data }) => onChanges(JSON.parse(data) as Changes))
    source.addEventListener('reset', () => onChanges(undefined))
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return
      retry = setTimeout(() => {
        open(later)
        onChanges(undefined)
      }, RETRY_MS)
    }
  }
  open(first)
  return () => {
    clearTimeout(retry)
    source?.close()
  }
}
