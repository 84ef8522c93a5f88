// Reads a page and builds its snapshot.
import {
  type Day,
  dayBars,
  localDays,
  type PublishedSpan,
  publishedBars,
  uptimeOf,
} from '../../domain/monitors/day-bars.ts'
import { shownNextUpdate } from '../../domain/status-pages/next-update.ts'
import {
  type AffectedState,
  componentState,
  pageState,
} from '../../domain/status-pages/page-state.ts'
import { pageUrl } from '../../domain/status-pages/status-page.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Tenant } from '../../store/core/tenants.ts'
import { findHistories, type MonitorHistory } from '../../store/history/uptime.ts'
import * as store from '../../store/status-pages/snapshots.ts'
import type {
  PageAffectedComponent,
  PageComponent,
  PageIncident,
  PageSection,
  PageSnapshot,
  PageWindow,
  ShownPage,
  Update,
} from './snapshot.ts'
import { worse } from './tone.ts'

export type BuildOptions = {
  /** Base URL of pages without a custom domain. */
  statusBaseUrl: string
  canSendMail: boolean
}

type Measured = {
  histories: Map<number, MonitorHistory>
  windowSpans: Map<number, { id: string; from: Date; to: Date }[]>
  responses: Map<number, number>
}

/** A page and its parts, without measurements. */
type PageRows = {
  page: store.PageRow
  sections: readonly store.PageSectionRow[]
  components: readonly store.PageComponentRow[]
  incidentRows: PublishedIncidentRows
  windows: readonly store.PageWindowRow[]
}

/** Undefined if the page was deleted or is no longer published. */
export async function buildSnapshot(
  tenant: Tenant,
  pageId: string,
  options: BuildOptions,
): Promise<PageSnapshot | undefined> {
  const [page, sections, components, incidentRows, windows] = await Promise.all([
    store.findPage(tenant, pageId),
    store.listSections(tenant, pageId),
    store.listComponents(tenant, pageId),
    store.listIncidents(tenant, pageId),
    store.listWindows(tenant, pageId),
  ])
  if (page === undefined) return undefined
  return composeSnapshot(tenant, { page, sections, components, incidentRows, windows }, options)
}

export async function composeSnapshot(
  tenant: Tenant,
  { page, sections, components, incidentRows, windows }: PageRows,
  options: BuildOptions,
): Promise<PageSnapshot> {
  const days = localDays(page.timezone, page.historyDays, page.now)
  const incidents = toIncidents(incidentRows, components, page.now)
  const shownWindows = toWindows(windows, components, page.now)
  const measured = await measure(tenant, page, components, days)
  const updatesOf = Map.groupBy(incidentRows.updates, ({ incidentId }) => incidentId)
  const context = { page, days, incidentRows, updatesOf, measured, windows: shownWindows }
  const shown = components.map((row) => toComponent(row, context))
  const grouped = sections.map((row): PageSection => {
    const own = components.flatMap((component, index) =>
      component.sectionId === row.id ? (shown[index] ?? []) : [],
    )
    const state = pageState(own.map((component) => component.state))
    const { name, collapsed } = row
    return { id: toPublicId('sec', row.id), name, collapsed, state, components: own }
  })
  return {
    page: toSettings(page, options),
    state: pageState(shown.map(({ state }) => state)),
    asOf: page.now,
    days,
    sections: grouped,
    incidents,
    windows: shownWindows,
  }
}

/** One incident of a page, for its own URL. Undefined if the page does not show it. */
export async function findIncident(
  tenant: Tenant,
  pageId: string,
  incidentId: string,
): Promise<PageIncident | undefined> {
  const [incidentRows, components] = await Promise.all([
    store.listIncidents(tenant, pageId, incidentId),
    store.listComponents(tenant, pageId),
  ])
  return toIncidents(incidentRows, components, new Date())[0]
}

function toSettings(row: store.PageRow, { statusBaseUrl, canSendMail }: BuildOptions) {
  const { now: _, domain, subscribersEnabled, ...shown } = row
  const settings: ShownPage = {
    ...shown,
    id: toPublicId('sp', row.id),
    url: pageUrl({ ...row, customDomain: domain, customDomainStatus: 'ACTIVE' }, statusBaseUrl),
    canSubscribe: subscribersEnabled && canSendMail,
    canSubscribeByHook: subscribersEnabled,
  }
  return settings
}

async function measure(
  tenant: Tenant,
  page: store.PageRow,
  components: readonly store.PageComponentRow[],
  days: readonly Day[],
): Promise<Measured> {
  const monitorNos = [...new Set(components.flatMap(({ monitorNo }) => monitorNo ?? []))]
  const within = { from: days[0]?.from ?? page.now, to: page.now }
  const [histories, spans, responses] = await Promise.all([
    findHistories(tenant, monitorNos, within),
    store.listWindowSpans(tenant, monitorNos, within),
    page.showResponseTime
      ? store.findTypicalResponses(tenant, monitorNos)
      : new Map<number, number>(),
  ])
  const windowSpans = Map.groupBy(spans, ({ monitorNo }) => monitorNo)
  return {
    histories,
    responses,
    windowSpans: new Map(
      [...windowSpans].map(([no, own]) => [
        no,
        own.map(({ id, from, to }) => ({ id, from, to: to ?? page.now })),
      ]),
    ),
  }
}

export type PublishedIncidentRows = Awaited<ReturnType<typeof store.listIncidents>>
type SnapshotContext = {
  page: store.PageRow
  days: readonly Day[]
  incidentRows: PublishedIncidentRows
  updatesOf: ReadonlyMap<string, store.PageUpdateRow[]>
  measured: Measured
  windows: readonly PageWindow[]
}

function toComponent(row: store.PageComponentRow, context: SnapshotContext): PageComponent {
  const { page, days, incidentRows, measured } = context
  const published = publishedOf(row.id, context)
  const { monitorNo } = row
  const open = incidentRows.incidents.filter(({ resolvedAt }) => resolvedAt === null)
  const incidentStates = open.flatMap(({ components }) => stateIn(components, row.id) ?? [])
  const state = componentState({ ...row, incidentStates })
  const bars =
    monitorNo === null
      ? publishedBars(days, published, firstGoodDay(row, page))
      : dayBars(days, historyOf(monitorNo, context), published)
  return {
    id: toPublicId('cmp', row.id),
    name: row.name,
    description: row.description,
    state,
    changedAt: row.changedAt,
    uptime: page.showUptime ? uptimeOf(bars, days) : null,
    responseMs: monitorNo === null ? null : (measured.responses.get(monitorNo) ?? null),
    bars,
  }
}

/** Without a monitor, days count as good by the owner's word, from the page's first day. */
function firstGoodDay(
  { manualState }: store.PageComponentRow,
  { createdAt, now }: store.PageRow,
): Date {
  return manualState === 'UNKNOWN' ? now : createdAt
}

function historyOf(monitorNo: number, { measured, windows }: SnapshotContext) {
  const history = measured.histories.get(monitorNo) ?? { spans: [], outside: [] }
  const shown = new Set(windows.map(({ id }) => id))
  const spans = (measured.windowSpans.get(monitorNo) ?? []).map((span) => {
    const id = toPublicId('mw', span.id)
    // A window that the page does not show still marks the day, but has no link.
    return { ...span, id: shown.has(id) ? id : '' }
  })
  return { ...history, windows: spans }
}

/** The worst state that an incident ever gave the component, for the incident's whole duration. */
function publishedOf(
  componentId: string,
  { incidentRows, updatesOf, page }: SnapshotContext,
): PublishedSpan[] {
  return incidentRows.incidents.flatMap((incident): PublishedSpan[] => {
    const said = [incident, ...(updatesOf.get(incident.id) ?? [])]
    const worst = said
      .flatMap(({ components }) => stateIn(components, componentId) ?? [])
      .reduce<AffectedState>(worse, 'OPERATIONAL')
    const state = BAR_OF[worst]
    if (state === undefined) return []
    const id = toPublicId('sin', incident.id)
    return [{ id, state, from: incident.startedAt, to: incident.resolvedAt ?? page.now }]
  })
}

const BAR_OF: Partial<Record<AffectedState, 'DOWN' | 'DEGRADED'>> = {
  DEGRADED: 'DEGRADED',
  PARTIAL_OUTAGE: 'DOWN',
  MAJOR_OUTAGE: 'DOWN',
}

function stateIn(
  components: readonly store.AffectedRow[] | null,
  componentId: string,
): AffectedState | undefined {
  return components?.find((affected) => affected.componentId === componentId)?.state
}

function toIncidents(
  { incidents, updates }: PublishedIncidentRows,
  components: readonly store.PageComponentRow[],
  now: Date,
): PageIncident[] {
  const byIncident = Map.groupBy(updates, ({ incidentId }) => incidentId)
  const names = new Map(components.map(({ id, name }) => [id, name]))
  return incidents.map(({ postMortemAt, postMortem, ...row }) => {
    const own = byIncident.get(row.id) ?? []
    const said = row.resolvedAt === null ? [row] : [row, ...own]
    const isWritten = postMortemAt !== null && row.resolvedAt !== null
    return {
      ...row,
      nextUpdateBy: shownNextUpdate(row, now),
      postMortem: isWritten ? { message: postMortem, createdAt: postMortemAt } : null,
      id: toPublicId('sin', row.id),
      components: toAffected(worstOf(said), names),
      updates: own.map(
        (update): Update => ({
          ...update,
          id: toPublicId('siu', update.id),
          components: toAffected(update.components, names),
        }),
      ),
    }
  })
}

function worstOf(said: readonly { components: store.AffectedRow[] | null }[]): store.AffectedRow[] {
  const worst = new Map<string, AffectedState>()
  for (const { componentId, state } of said.flatMap(({ components }) => components ?? []))
    worst.set(componentId, worse(worst.get(componentId) ?? state, state))
  return [...worst].map(([componentId, state]) => ({ componentId, state }))
}

/** Components of other pages, and deleted ones, have no name here and are left out. */
function toAffected(
  affected: readonly store.AffectedRow[],
  names: ReadonlyMap<string, string>,
): PageAffectedComponent[] {
  return affected.flatMap(({ componentId, state }) => {
    const name = names.get(componentId)
    return name === undefined ? [] : [{ id: toPublicId('cmp', componentId), name, state }]
  })
}

function toWindows(
  rows: readonly store.PageWindowRow[],
  components: readonly store.PageComponentRow[],
  now: Date,
): PageWindow[] {
  const windows = rows.map(({ componentIds, ...row }): PageWindow => {
    const ids = new Set(componentIds)
    return {
      ...row,
      id: toPublicId('mw', row.id),
      phase: row.endsAt <= now ? 'PAST' : row.startsAt <= now ? 'ACTIVE' : 'UPCOMING',
      components: components
        .filter(({ id }) => ids.has(id))
        .map(({ id, name }) => ({ id: toPublicId('cmp', id), name })),
    }
  })
  return windows.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
}
