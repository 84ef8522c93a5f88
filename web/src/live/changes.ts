// Applies a stream message to cached data: small changes are written, the rest is listed for refetching. Pure.
import type { ChangesMessage } from '../../../src/contract/private/stream.ts'
import { listedState } from '../../../src/domain/monitors/list-order.ts'
import type { ReadRoute, ResponseOf } from '../api/contract.ts'

export type { ChangesMessage as Changes }
export type MonitorNow = NonNullable<ChangesMessage['monitors']>[number]
/** A list as the stream names it, one monitor, or the bars and figures that the stream does not carry. */
export type Topic = List | 'figures' | `monitor ${string}`

type List = NonNullable<ChangesMessage['lists']>[number]
type Shows = List | 'figures'

const ON_PAGES = ['statusPages', 'statusIncidents', 'maintenanceWindows', 'monitors'] as const

// What each read shows. Reads not listed here (the audit log, deliveries) can show anything.
const SHOWS: readonly [start: string, ...shows: Shows[]][] = [
  ['GET /overview/monitors/{', 'maintenanceWindows', 'alertContacts'],
  ['GET /monitors/{'],
  ['GET /tags', 'monitors', 'statusPages'],
  // Changed rarely; whoever changes one sees it at once.
  ['GET /monitor-views'],
  ['GET /managed-resources'],
  [
    'GET /overview/monitors',
    'monitors',
    'incidents',
    'maintenanceWindows',
    'alertContacts',
    'figures',
  ],
  [
    'GET /overview/incidents/{',
    'incidents',
    'monitors',
    'statusIncidents',
    'alertContacts',
    'figures',
  ],
  ['GET /overview/incidents', 'incidents', 'monitors', 'figures'],
  ['GET /overview/calendar', 'maintenanceWindows', 'monitors', 'figures'],
  ['GET /overview/status-pages', ...ON_PAGES],
  ['GET /overview/status-incidents', 'statusIncidents', 'statusPages'],
  ['GET /status-incidents', 'statusIncidents', 'statusPages'],
  ['POST /status-page-drafts', ...ON_PAGES, 'figures'],
  ['POST /status-incident-drafts', ...ON_PAGES],
  ['GET /monitors', 'monitors', 'figures'],
  ['GET /incidents', 'incidents', 'monitors', 'figures'],
  ['GET /maintenance-windows', 'maintenanceWindows'],
  ['GET /alert-contacts', 'alertContacts'],
  ['GET /escalation-policies', 'alertContacts', 'monitors'],
  ['GET /webhook', 'webhookEndpoints'],
  // The stream carries nothing about probes; the screen polls them every 15 s.
  ['GET /regions'],
  ['GET /members', 'members'],
  ['GET /invitations', 'invitations'],
  ['GET /keys', 'keys'],
]
// The result of one check never changes.
const NEVER = 'GET /monitors/{monitorId}/checks/{at}'
const OF_MONITOR: readonly string[] = [
  'GET /overview/monitors/{monitorId}',
  'GET /monitors/{monitorId}',
  'GET /monitors/{monitorId}/checks',
  'GET /monitors/{monitorId}/response-times',
]

export type ReadKey = readonly [string, ReadRoute, { params?: Record<string, string> }]

/** Whether this read shows anything that changed. */
export function concerns([, route, input]: ReadKey, topics: ReadonlySet<Topic>): boolean {
  if (route === NEVER) return false
  if (OF_MONITOR.includes(route) && topics.has(`monitor ${input.params?.['monitorId'] ?? ''}`))
    return true
  const shown = SHOWS.find(([start]) => route.startsWith(start))
  if (shown === undefined) return [...topics].some((topic) => !topic.startsWith('monitor '))
  const [, ...shows] = shown
  return shows.some((topic) => topics.has(topic))
}

const LISTS_OF_EVENT: Readonly<Record<string, readonly List[]>> = {
  monitor: ['monitors'],
  incident: ['incidents', 'monitors'],
  status_incident: ['statusIncidents', 'statusPages'],
  maintenance: ['maintenanceWindows', 'monitors'],
  webhook: ['webhookEndpoints'],
}

/** What to refetch. A check that changed only the latest figures does not refetch lists. */
export function topicsOf(changes: ChangesMessage): Topic[] {
  const { monitors = [], incidents = [], receivers = [], events = [], lists = [] } = changes
  return [
    ...lists,
    ...monitors.map(({ id }) => `monitor ${id}` as const),
    ...(incidents.length > 0 ? (['incidents'] as const) : []),
    ...receivers.map(({ id }) => (id.startsWith('whe') ? 'webhookEndpoints' : 'alertContacts')),
    ...events.flatMap(({ type }) => LISTS_OF_EVENT[type.split('.')[0] ?? ''] ?? []),
    ...events.flatMap(({ about, monitorId }) =>
      [about, monitorId].flatMap((id) =>
        id?.startsWith('mon_') ? (`monitor ${id}` as const) : [],
      ),
    ),
  ]
}

type Rows = ResponseOf<'GET /overview/monitors'>
type Counts = Rows['counts']

/** The list with its rows updated; the same object if no row changed. */
export function applyToRows(rows: Rows, now: ReadonlyMap<string, MonitorNow>): Rows {
  if (!rows.data.some(({ id }) => now.has(id))) return rows
  const counts: Counts = { ...rows.counts }
  const data = rows.data.map((row) => {
    const next = now.get(row.id)
    if (next === undefined) return row
    const updated = applyToMonitor(row, next)
    counts[listedState(row)] -= 1
    counts[listedState(updated)] += 1
    return updated
  })
  return { ...rows, data, counts }
}

type Shown = Pick<
  Rows['data'][number],
  'state' | 'since' | 'lastCheckedAt' | 'lastResponseMs' | 'nextCheckAt' | 'everySeconds'
>

export function applyToMonitor<M extends Shown>(shown: M, next: MonitorNow): M {
  return {
    ...shown,
    state: next.state,
    since: next.since ?? shown.since,
    lastCheckedAt: next.lastCheckedAt,
    lastResponseMs: next.responseMs,
    nextCheckAt: next.state === 'PAUSED' ? null : nextAfter(shown, next.lastCheckedAt),
  }
}

/** The stream does not carry the next slot: it is the first one after the reported check. */
function nextAfter({ nextCheckAt, everySeconds }: Shown, checkedAt: string | null): string | null {
  if (nextCheckAt === null || checkedAt === null) return nextCheckAt
  const lateMs = Date.parse(checkedAt) - Date.parse(nextCheckAt)
  if (lateMs < 0) return nextCheckAt
  const everyMs = everySeconds * 1000
  const slots = Math.floor(lateMs / everyMs) + 1
  return new Date(Date.parse(nextCheckAt) + slots * everyMs).toISOString()
}

type ShownPage = Pick<ResponseOf<'GET /overview/status-pages/{statusPageId}'>, 'sections'>

/** Whether a page shows a monitor whose state has changed. The server decides what visitors see of it. */
export function showsOtherState(
  { sections }: ShownPage,
  now: ReadonlyMap<string, MonitorNow>,
): boolean {
  return sections.some(({ components }) =>
    components.some(({ monitorId, monitor }) => {
      const next = now.get(monitorId ?? '')
      return next !== undefined && next.state !== monitor?.state
    }),
  )
}
