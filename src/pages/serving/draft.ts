// A page with unsaved changes. It uses the same snapshot and renderers as the public page, so that both match.
import { randomUUID } from 'node:crypto'
import type { PageInput } from '../../domain/status-pages/rules.ts'
import { arrange, namedMonitors } from '../../domain/status-pages/sections.ts'
import type { PublishedIncidentDraft } from '../../domain/status-pages/status-incident.ts'
import {
  type Component,
  PAGE_DEFAULTS,
  type PageSettings,
  type Section,
  type StatusPage,
} from '../../domain/status-pages/status-page.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import { validationError } from '../../platform/api-error.ts'
import { runInTurn } from '../../platform/limits/busy-work.ts'
import type { Html } from '../../render/html.ts'
import type { Tenant } from '../../store/core/tenants.ts'
import * as drafts from '../../store/status-pages/drafts.ts'
import {
  type AffectedRow,
  listIncidents,
  type PageComponentRow,
  type PageRow,
} from '../../store/status-pages/snapshots.ts'
import { findPage } from '../../store/status-pages/status-pages.ts'
import {
  type BuildOptions,
  composeSnapshot,
  type PublishedIncidentRows,
} from '../snapshot/build-snapshot.ts'
import { renderIncidentPage } from '../views/incident-page.ts'
import { type View, viewOf } from '../views/layout.ts'
import { type Links, linksAt } from '../views/links.ts'
import { renderOverview } from '../views/overview.ts'
import { renderMessages } from '../views/render-messages.ts'

/** The document and its style, separately: the preview frame's policy forbids inline styles. */
type PagePreview = { html: string; style: string }

/** A page before any settings were chosen. */
const BLANK: PageSettings = { ...PAGE_DEFAULTS, name: '', slug: 'new' }

/** Undefined if the page does not exist. A null id is for a page that is not created yet. */
export async function renderPagePreview(
  tenant: Tenant,
  pageUuid: string | null,
  draft: PageInput,
  options: BuildOptions,
): Promise<PagePreview | undefined> {
  const before = pageUuid === null ? null : await findPage(tenant, pageUuid)
  if (before === undefined) return undefined
  const incidentRows = pageUuid === null ? NO_INCIDENTS : await listIncidents(tenant, pageUuid)
  const snapshot = await compose(tenant, { before, draft, incidentRows }, options)
  const view = viewOf(snapshot, linksOf(snapshot.page.slug, options))
  await renderMessages(tenant.orgId, snapshot.incidents)
  return runInTurn(tenant.orgId, () => toPreview(view, renderOverview(view)))
}

const NO_INCIDENTS: PublishedIncidentRows = { incidents: [], updates: [] }

/** Undefined if the page does not exist or does not show that incident. */
export async function renderIncidentPreview(
  tenant: Tenant,
  pageUuid: string,
  draft: PublishedIncidentDraft,
  options: BuildOptions,
): Promise<PagePreview | undefined> {
  const [before, soFar, now] = await Promise.all([
    findPage(tenant, pageUuid),
    draft.uuid === undefined ? NO_INCIDENTS : listIncidents(tenant, pageUuid, draft.uuid),
    drafts.databaseNow(tenant),
  ])
  if (before === undefined) return undefined
  if (draft.uuid !== undefined && soFar.incidents.length === 0) return undefined
  const incidentRows = withDraft(soFar, draft, now)
  const snapshot = await compose(tenant, { before, draft: {}, incidentRows }, options)
  const [incident] = snapshot.incidents
  if (incident === undefined) throw new Error('The draft of an incident was lost')
  const view = viewOf(snapshot, linksOf(snapshot.page.slug, options))
  await renderMessages(tenant.orgId, [incident])
  return runInTurn(tenant.orgId, () => toPreview(view, renderIncidentPage(view, incident)))
}

function toPreview({ style }: View, { text }: Html): PagePreview {
  return { html: text.replace(`<style>${style.text}</style>`, ''), style: style.text }
}

type DraftedPage = {
  before: StatusPage | null
  draft: PageInput
  incidentRows: PublishedIncidentRows
}

async function compose(
  tenant: Tenant,
  { before, draft, incidentRows }: DraftedPage,
  options: BuildOptions,
) {
  const known = before?.sections ?? []
  const named = [
    ...namedMonitors(draft),
    ...known.flatMap(({ components }) => components.flatMap((one) => one.monitorUuid ?? [])),
  ]
  const [shown, now] = await Promise.all([
    drafts.listShownMonitors(tenant, [...new Set(named)]),
    drafts.databaseNow(tenant),
  ])
  const monitors = new Map(shown.map((monitor) => [monitor.id, monitor]))
  const monitorUuids = new Set(monitors.keys())
  const arranged = arrange(draft, { sections: known, monitorUuids, newUuid: randomUUID })
  if (arranged && arranged.problems.length > 0) throw validationError(arranged.problems)
  const sections: readonly Section[] = arranged?.sections ?? known

  const all = sections.flatMap(({ components }) => components)
  const windows = await drafts.listDraftWindows(tenant, before?.uuid ?? null, all)
  const rows = {
    page: toPageRow(before, draft, now),
    sections: sections.map(({ uuid, name, collapsed }) => ({ id: uuid, name, collapsed })),
    components: sections.flatMap(({ uuid, components }) =>
      components.map((component) => toComponentRow(component, uuid, monitors)),
    ),
    incidentRows,
    windows,
  }
  return composeSnapshot(tenant, rows, options)
}

function toPageRow(before: StatusPage | null, draft: PageInput, now: Date): PageRow {
  const { published: _, customDomain, ...settings } = { ...BLANK, ...before, ...draft }
  const isProven = before?.customDomainStatus === 'ACTIVE' && customDomain === before.customDomain
  return {
    ...settings,
    id: before?.uuid ?? randomUUID(),
    domain: isProven ? customDomain : null,
    createdAt: before?.createdAt ?? now,
    updatedAt: before?.updatedAt ?? now,
    now,
  }
}

const NO_MONITOR = { name: '', no: null, state: null, changedAt: null, inWindow: false }

function toComponentRow(
  { uuid, name, description, monitorUuid, manualState }: Component,
  sectionId: string,
  monitors: ReadonlyMap<string, drafts.ShownMonitor>,
): PageComponentRow {
  const monitor = monitors.get(monitorUuid ?? '') ?? NO_MONITOR
  return {
    id: uuid,
    sectionId,
    name: name ?? monitor.name,
    description,
    manualState,
    monitorNo: monitor.no,
    monitorState: monitor.state,
    changedAt: monitor.changedAt,
    inWindow: monitor.inWindow,
  }
}

/** Puts the update on top of the existing ones; without a message only the incident itself changes. */
function withDraft(
  { incidents, updates }: PublishedIncidentRows,
  draft: PublishedIncidentDraft,
  now: Date,
): PublishedIncidentRows {
  const { title, status, impact, message } = draft
  const isOver = status === 'RESOLVED'
  const fresh = {
    id: randomUUID(),
    startedAt: now,
    resolvedAt: null,
    createdAt: now,
    status: null,
    postMortemAt: null,
    postMortem: null,
  }
  const before = incidents[0] ?? fresh
  const components = toAffected(draft, isOver)
  const incident = {
    id: before.id,
    title,
    status,
    impact,
    startedAt: draft.startedAt ?? before.startedAt,
    resolvedAt: isOver ? (before.resolvedAt ?? now) : null,
    components,
    createdAt: before.createdAt,
    updatedAt: now,
    nextUpdateBy: draft.nextUpdateBy ?? null,
    postMortemAt: before.postMortemAt,
    postMortem: before.postMortem,
  }
  const update = { id: randomUUID(), incidentId: before.id, components, createdAt: now }
  const isSilent = message.trim() === '' && status === before.status
  return {
    incidents: [incident],
    updates: isSilent ? updates : [{ ...update, status, message }, ...updates],
  }
}

/** Components of a resolved incident are operational again. */
function toAffected({ components }: PublishedIncidentDraft, isOver: boolean): AffectedRow[] {
  return components.flatMap(({ componentId, state }) => {
    const uuid = fromPublicId('cmp', componentId)
    if (uuid === undefined) return []
    return [{ componentId: uuid, state: isOver ? 'OPERATIONAL' : state }]
  })
}

/** Assets come from the status pages' host, which may differ from the dashboard's. */
function linksOf(slug: string, { statusBaseUrl }: BuildOptions): Links {
  return { ...linksAt(`/status/${slug}`), assets: `${statusBaseUrl}/status/-` }
}
