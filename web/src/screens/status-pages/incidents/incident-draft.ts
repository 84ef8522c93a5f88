// An incident to be published, before it is sent.
import type { AffectedState } from '../../../../../src/domain/status-pages/page-state.ts'
import type {
  Impact,
  StatusIncidentStatus,
} from '../../../../../src/domain/status-pages/status-incident.ts'
import type { ResponseOf } from '../../../api/contract.ts'
import { publishText } from '../../../messages/publishing/incidents.ts'
import type { StatusPageView } from '../page.ts'
import { type NextUpdate, NO_NEXT_UPDATE, nextUpdateTime } from './next-update-choice.ts'

type AffectedDraft = { componentId: string; state: AffectedState }
export type Detected = Pick<
  ResponseOf<'GET /overview/incidents/{incidentId}'>,
  'id' | 'monitor' | 'startedAt' | 'resolvedAt'
>
export type PublishedIncident = ResponseOf<'GET /status-incidents/{statusIncidentId}'>

export type StatusIncidentDraft = {
  title: string
  status: StatusIncidentStatus
  impact: Impact
  message: string
  statusPageIds: string[]
  components: AffectedDraft[]
  notifySubscribers: boolean
  nextUpdate: NextUpdate
}

/** A component and its location on a page. */
export type ComponentOption = {
  id: string
  name: string
  location: string
  monitorId: string | null
}

export function componentOptions(
  pages: readonly StatusPageView[],
  pageIds: readonly string[],
): ComponentOption[] {
  const chosen = pages.filter(({ id }) => pageIds.includes(id))
  const several = chosen.length > 1
  return chosen.flatMap(({ name: page, sections }) =>
    sections.flatMap(({ name: section, components }) =>
      components.map(({ id, name, monitorId }) => {
        const location = section === null ? page : several ? `${page}, ${section}` : section
        return { id, name, monitorId, location }
      }),
    ),
  )
}

/** Takes from a detected incident only what visitors can already see: which components are down. Never its cause. */
export function draftOf(
  pages: readonly StatusPageView[],
  detected: Detected | undefined,
  pageId = '',
): StatusIncidentDraft {
  const down = pages.flatMap(({ id: statusPageId, sections }) =>
    sections
      .flatMap(({ components }) => components)
      .filter(({ monitorId }) => detected !== undefined && monitorId === detected.monitor.id)
      .map(({ id, name }) => ({ id, name, statusPageId })),
  )
  const [first] = down
  const shown = [...new Set(down.map(({ statusPageId }) => statusPageId))]
  return {
    title: first === undefined ? '' : publishText.draftTitle({ component: first.name }),
    status: 'INVESTIGATING',
    impact: first === undefined ? 'MINOR' : 'MAJOR',
    message: first === undefined ? '' : publishText.draftMessage({ component: first.name }),
    statusPageIds: shown.length === 0 ? firstPages(pages, pageId) : shown,
    components: down.map(({ id }) => ({ componentId: id, state: 'MAJOR_OUTAGE' })),
    notifySubscribers: true,
    nextUpdate: NO_NEXT_UPDATE,
  }
}

/** The requested page, or the only one. Of several, components or the person choose: others have nothing to do with it. */
function firstPages(pages: readonly StatusPageView[], pageId: string): string[] {
  const requested = pages.filter(({ id }) => id === pageId)
  const open = pages.filter(({ published }) => published)
  const candidates = open.length > 0 ? open : pages
  const chosen = requested.length > 0 ? requested : candidates.length === 1 ? candidates : []
  return chosen.map(({ id }) => id)
}

/** As it is sent; empty if nothing is promised, or the incident ends. */
export function toNextUpdate({ nextUpdate, status }: StatusIncidentDraft): {
  nextUpdateBy?: string
} {
  const by = status === 'RESOLVED' ? undefined : nextUpdateTime(nextUpdate, new Date())
  return by === undefined ? {} : { nextUpdateBy: by }
}
