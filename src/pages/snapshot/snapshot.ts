// Everything a page shows at one moment, as plain data. Only this data can be shown.
import type { Bars, Day } from '../../domain/monitors/day-bars.ts'
import type { LedgerEntry } from '../../domain/status-pages/ledger.ts'
import type { AffectedState, ComponentState } from '../../domain/status-pages/page-state.ts'
import type { StatusIncidentStatus } from '../../domain/status-pages/status-incident.ts'
import type { PageIncidentRow, PageRow } from '../../store/status-pages/snapshots.ts'

export type ShownPage = Omit<PageRow, 'id' | 'domain' | 'subscribersEnabled' | 'now'> & {
  /** `sp_…` */
  id: string
  /** Its canonical URL, without a trailing slash. */
  url: string
  /** Whether visitors can subscribe by email: the page allows it and this service can send email. */
  canSubscribe: boolean
  /** Whether visitors can subscribe in other ways. */
  canSubscribeByHook: boolean
}

export type PageComponent = {
  /** `cmp_…` */
  id: string
  name: string
  description: string | null
  state: ComponentState
  changedAt: Date | null
  /** Null until half of the time was measured, and if the page does not show it. */
  uptime: number | null
  responseMs: number | null
  bars: Bars
}

export type PageSection = {
  id: string
  name: string | null
  collapsed: boolean
  state: ComponentState
  components: PageComponent[]
}

export type PageAffectedComponent = { id: string; name: string; state: AffectedState }

export type Update = {
  /** `siu_…` */
  id: string
  status: StatusIncidentStatus
  message: string
  createdAt: Date
  components: PageAffectedComponent[]
}

export type PageIncident = Pick<
  PageIncidentRow,
  'title' | 'status' | 'impact' | 'startedAt' | 'resolvedAt' | 'createdAt' | 'updatedAt'
> & {
  /** `sin_…` */
  id: string
  /** Current states; for a resolved incident, the worst states it ever had. */
  components: PageAffectedComponent[]
  /** Newest first. */
  updates: Update[]
  /** When visitors can expect the next update; null if that is not known, or already past. */
  nextUpdateBy: Date | null
  /** Only of a resolved incident. The message is null if the page has too many. */
  postMortem: { message: string | null; createdAt: Date } | null
}

export type PageWindow = {
  /** `mw_…` */
  id: string
  name: string
  description: string | null
  phase: 'UPCOMING' | 'ACTIVE' | 'PAST'
  startsAt: Date
  endsAt: Date
  createdAt: Date
  updatedAt: Date
  components: { id: string; name: string }[]
}

/** `since`: when the page began to show it. Entries are newest first. */
export type PageLedger = { since: Date; entries: LedgerEntry[] }

export type PageSnapshot = {
  page: ShownPage
  state: ComponentState
  asOf: Date
  /** Oldest first; each component has one bar per day. */
  days: Day[]
  sections: PageSection[]
  /** Newest first. */
  incidents: PageIncident[]
  /** Soonest first. */
  windows: PageWindow[]
  /** Only if the page shows one. */
  ledger?: PageLedger
}

export function allComponents({ sections }: PageSnapshot): PageComponent[] {
  return sections.flatMap(({ components }) => components)
}

export function openIncidents({ incidents }: PageSnapshot): PageIncident[] {
  return incidents.filter(({ resolvedAt }) => resolvedAt === null)
}
