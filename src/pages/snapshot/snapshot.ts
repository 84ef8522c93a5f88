// Everything a page shows at one moment, as plain data. What is not in here cannot be shown.
import type { Bars, Day } from '../../domain/monitors/day-bars.ts'
import type { AffectedState, ComponentState } from '../../domain/status-pages/page-state.ts'
import type { StatusIncidentStatus } from '../../domain/status-pages/status-incident.ts'
import type { IncidentRow, PageRow } from '../../store/status-pages/snapshots.ts'

export type PageSettings = Omit<PageRow, 'id' | 'domain' | 'subscribersEnabled' | 'now'> & {
  /** `sp_…` */
  id: string
  /** Its one true address, without a slash at the end. */
  url: string
  /** Whether readers can subscribe: the page allows it and this service can send mail. */
  canSubscribe: boolean
}

export type Component = {
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

export type Section = {
  id: string
  name: string | null
  collapsed: boolean
  state: ComponentState
  components: Component[]
}

export type AffectedComponent = { id: string; name: string; state: AffectedState }

export type Update = {
  /** `siu_…` */
  id: string
  status: StatusIncidentStatus
  message: string
  createdAt: Date
  components: AffectedComponent[]
}

export type Incident = Pick<
  IncidentRow,
  'title' | 'status' | 'impact' | 'startedAt' | 'resolvedAt' | 'createdAt' | 'updatedAt'
> & {
  /** `sin_…` */
  id: string
  /** As they are now; those of a resolved incident are as bad as they ever were. */
  components: AffectedComponent[]
  /** Newest first. */
  updates: Update[]
}

export type Window = {
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
  page: PageSettings
  state: ComponentState
  asOf: Date
  /** Oldest first; each component has a bar for each. */
  days: Day[]
  sections: Section[]
  /** Newest first. */
  incidents: Incident[]
  /** Soonest first. */
  windows: Window[]
}

export function allComponents({ sections }: PageSnapshot): Component[] {
  return sections.flatMap(({ components }) => components)
}

export function openIncidents({ incidents }: PageSnapshot): Incident[] {
  return incidents.filter(({ resolvedAt }) => resolvedAt === null)
}
