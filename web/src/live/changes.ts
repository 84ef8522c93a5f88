// What a message of the stream means for what is shown: small changes are written into it, for the rest it is said
// what to read anew. Pure.
import type { ChangesMessage } from '../../../src/contract/private/stream.ts'
import type { ReadRoute, ResponseOf } from '../api/contract.ts'

export type { ChangesMessage as Changes }
export type MonitorNow = NonNullable<ChangesMessage['monitors']>[number]
/** A list of the organization, as the stream names them, one monitor, or bars and figures that the stream does not
 * tell. */
export type Topic = List | 'figures' | `monitor ${string}`

type List = NonNullable<ChangesMessage['lists']>[number]
type Shows = List | 'figures'

const ON_PAGES = ['statusPages', 'statusIncidents', 'maintenanceWindows', 'monitors'] as const

// What each read shows. What is not here (the audit log, deliveries) shows a bit of everything.
const SHOWS: readonly [start: string, ...shows: Shows[]][] = [
  ['GET /overview/monitors/{', 'maintenanceWindows', 'alertContacts'],
  ['GET /monitors/{'],
  [
    'GET /overview/monitors',
    'monitors',
    'incidents',
    'maintenanceWindows',
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
  ['GET /webhook', 'webhookEndpoints'],
  // Nothing in the stream is about probes; the screen reads them every 15 s.
  ['GET /regions'],
  ['GET /members', 'members'],
  ['GET /invitations', 'invitations'],
  ['GET /keys', 'keys'],
]
// Read by its key alone: what one check saw does not change.
const NEVER = 'GET /monitors/{monitorId}/checks/{at}'
const OF_MONITOR: readonly string[] = [
  'GET /overview/monitors/{monitorId}',
  'GET /monitors/{monitorId}',
  'GET /monitors/{monitorId}/checks',
  'GET /monitors/{monitorId}/response-times',
]

export type ReadKey = readonly [string, ReadRoute, { params?: Record<string, string> }]

/** Whether this read shows something of what changed. */
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

/** What is to be read anew. A check that changed nothing but the latest figures is no reason to read lists. */
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

/** The list with what is known of its rows; the same one when none of them is concerned. */
export function applyToRows(rows: Rows, now: ReadonlyMap<string, MonitorNow>): Rows {
  if (!rows.data.some(({ id }) => now.has(id))) return rows
  const counts: Counts = { ...rows.counts }
  const data = rows.data.map((row) => {
    const next = now.get(row.id)
    if (next === undefined) return row
    counts[row.state] -= 1
    counts[next.state] += 1
    return applyToMonitor(row, next)
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

/** The stream does not tell the next slot: it is the first one after the check that was told. */
function nextAfter({ nextCheckAt, everySeconds }: Shown, checkedAt: string | null): string | null {
  if (nextCheckAt === null || checkedAt === null) return nextCheckAt
  const lateMs = Date.parse(checkedAt) - Date.parse(nextCheckAt)
  if (lateMs < 0) return nextCheckAt
  const everyMs = everySeconds * 1000
  const slots = Math.floor(lateMs / everyMs) + 1
  return new Date(Date.parse(nextCheckAt) + slots * everyMs).toISOString()
}

type ShownPage = Pick<ResponseOf<'GET /overview/status-pages/{statusPageId}'>, 'sections'>

/** Whether a page shows a monitor whose state is another one by now: what readers see of it is the server's to say. */
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
