// Everything a page shows at one moment, as plain data. What is not in here cannot be shown.
import type { Bars, Day } from '../../domain/monitors/day-bars.ts'
import type { AffectedState, ComponentState } from '../../domain/status-pages/page-state.ts'
import type { StatusIncidentStatus } from '../../domain/status-pages/status-incident.ts'
import type { PageIncidentRow, PageRow } from '../../store/status-pages/snapshots.ts'

export type ShownPage = Omit<PageRow, 'id' | 'domain' | 'subscribersEnabled' | 'now'> & {
  /** `sp_…` */
  id: string
  /** Its one true address, without a slash at the end. */
  url: string
  /** Whether readers can subscribe: the page allows it and this service can send mail. */
  canSubscribe: boolean
}

export type PageComponent = {
  /** `cmp_…` */
  id: string
  name: string
  description: string | null
  state: ComponentState
  changedAt: Date | null
  /** Null when nothing was measured, or when the page does not tell. */
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
  /** As they are now; those of a resolved incident are as bad as they ever were. */
  components: PageAffectedComponent[]
  /** Newest first. */
  updates: Update[]
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

export type PageSnapshot = {
  page: ShownPage
  state: ComponentState
  asOf: Date
  /** Oldest first; each component has a bar for each. */
  days: Day[]
  sections: PageSection[]
  /** Newest first. */
  incidents: PageIncident[]
  /** Soonest first. */
  windows: PageWindow[]
}

export function allComponents({ sections }: PageSnapshot): PageComponent[] {
  return sections.flatMap(({ components }) => components)
}

export function openIncidents({ incidents }: PageSnapshot): PageIncident[] {
  return incidents.filter(({ resolvedAt }) => resolvedAt === null)
}
