// Status pages with their statistics, and previews of pages and incidents before they are saved.
import * as contract from '../../../contract/private/page-screens.ts'
import type { Tag } from '../../../domain/monitors/tag.ts'
import { type PageInput, pageInputProblems } from '../../../domain/status-pages/rules.ts'
import type { PublishedIncidentDraft } from '../../../domain/status-pages/status-incident.ts'
import {
  type ShownComponent,
  type StatusPage,
  toApiComponent,
  toApiStatusPage,
} from '../../../domain/status-pages/status-page.ts'
import { fromPublicId, toPublicId } from '../../../domain/values/id.ts'
import { notFound } from '../../../platform/api-error.ts'
import type { Tenant } from '../../../store/core/tenants.ts'
import { findSectionTags } from '../../../store/status-pages/followed-tags.ts'
import {
  findPageFigures,
  listPublishedIncidents,
  type PageFigures,
  type PublishedIncidentRow,
} from '../../../store/status-pages/page-list.ts'
import { findPage, listPages } from '../../../store/status-pages/status-pages.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import { toApiTag } from '../tags.ts'

type Preview = { html: string; style: string }

/** The renderers of public pages, for the dashboard. Undefined if the id does not exist. */
export type PreviewRenderer = {
  page(tenant: Tenant, pageUuid: string | null, draft: PageInput): Promise<Preview | undefined>
  incident(
    tenant: Tenant,
    pageUuid: string,
    draft: PublishedIncidentDraft,
  ): Promise<Preview | undefined>
}

export type PageScreenOptions = { baseUrl: string; statusBaseUrl: string; draw: PreviewRenderer }

type ListHandler = Handler<typeof contract.listStatusPageRows>

export function pageScreenOperations(options: PageScreenOptions): readonly BoundOperation[] {
  const { statusBaseUrl, draw } = options
  const ownHosts = [options.baseUrl, statusBaseUrl].map((url) => new URL(url).hostname)
  const toRow = (page: StatusPage, { figures, tags }: Beside) => {
    const { sections, ...rest } = toApiStatusPage(page, statusBaseUrl)
    return {
      ...rest,
      sections: sections.map((section, at) => ({
        ...section,
        components: (page.sections[at]?.components ?? []).map(toComponentRow),
        tag: toSectionTag(tags.get(page.sections[at]?.uuid ?? '')),
      })),
      ...(figures.get(page.uuid) ?? { subscribers: 0, waiting: 0, openIncidents: 0 }),
    }
  }

  const list: ListHandler = async ({ query }, { tenant }) => {
    const { limit, offset } = query
    const { pages, total } = await listPages(tenant, query)
    const beside = await findBeside(
      tenant,
      pages.map(({ uuid }) => uuid),
    )
    return {
      data: pages.map((page) => toRow(page, beside)),
      pagination: { limit, offset, total },
    }
  }

  const get: Handler<typeof contract.getStatusPageScreen> = async ({ params }, { tenant }) => {
    const page = await findPage(tenant, params.statusPageId)
    if (!page) throw notFound('status page')
    return toRow(page, await findBeside(tenant, [page.uuid]))
  }

  return [
    bind(contract.listStatusPageRows, list),
    bind(contract.getStatusPageScreen, get),
    bind(contract.listStatusIncidentRows, published),
    bind(contract.previewStatusPage, previewingPage(draw), {
      rules: (body) => pageInputProblems(body as PageInput, ownHosts),
    }),
    bind(contract.previewStatusIncident, previewingIncident(draw)),
  ]
}

/** What is not part of a page itself. */
type Beside = { figures: ReadonlyMap<string, PageFigures>; tags: ReadonlyMap<string, Tag> }

async function findBeside(tenant: Tenant, pageUuids: readonly string[]): Promise<Beside> {
  const [figures, tags] = await Promise.all([
    findPageFigures(tenant, pageUuids),
    findSectionTags(tenant, pageUuids),
  ])
  return { figures, tags }
}

const toSectionTag = (tag: Tag | undefined) => (tag === undefined ? null : toApiTag(tag))

function toComponentRow(component: ShownComponent) {
  const { name, manualState, monitorName, monitorType: type, monitorState: state } = component
  return {
    ...toApiComponent(component),
    ownName: name,
    manualState,
    monitor:
      monitorName !== null && type !== null && state !== null
        ? { name: monitorName, type, state }
        : null,
  }
}

const published: Handler<typeof contract.listStatusIncidentRows> = async (
  { query },
  { tenant },
) => {
  const { limit, offset, statusPageId: pageUuid } = query
  const { incidents, total } = await listPublishedIncidents(tenant, { limit, offset, pageUuid })
  return { data: incidents.map(toPublishedRow), pagination: { limit, offset, total } }
}

function toPublishedRow({
  uuid,
  incidentUuid,
  startedAt,
  resolvedAt,
  ...rest
}: PublishedIncidentRow) {
  return {
    id: toPublicId('sin', uuid),
    title: rest.title,
    status: rest.status,
    impact: rest.impact,
    components: rest.components.map(({ componentUuid, state }) => ({
      componentId: toPublicId('cmp', componentUuid),
      state,
    })),
    incidentId: incidentUuid && toPublicId('inc', incidentUuid),
    startedAt,
    resolvedAt,
    updates: rest.updates,
  }
}

const previewingPage =
  (draw: PreviewRenderer): Handler<typeof contract.previewStatusPage> =>
  async ({ body }, { tenant }) => {
    const { statusPageId, ...draft } = body
    const uuid = statusPageId === undefined ? null : fromPublicId('sp', statusPageId)
    const drawing = uuid !== undefined && (await draw.page(tenant, uuid, draft as PageInput))
    if (!drawing) throw notFound('status page')
    return drawing
  }

const previewingIncident =
  (draw: PreviewRenderer): Handler<typeof contract.previewStatusIncident> =>
  async ({ body }, { tenant }) => {
    const { statusPageId, statusIncidentId, ...draft } = body
    const pageUuid = fromPublicId('sp', statusPageId)
    const uuid = statusIncidentId && fromPublicId('sin', statusIncidentId)
    const isKnown = statusIncidentId === undefined || uuid !== undefined
    const drawing =
      pageUuid && isKnown && (await draw.incident(tenant, pageUuid, { ...draft, uuid }))
    if (!drawing) throw notFound('published incident')
    return drawing
  }
