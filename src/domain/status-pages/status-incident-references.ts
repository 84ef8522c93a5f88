// What a published incident names: pages, components on them, a detected incident. What is unknown and what
// is another organization's is refused with the same words.
import { fromPublicId, type IdPrefix } from '../values/id.ts'
import type { Problem } from '../values/problem.ts'
import type { AffectedState } from './page-state.ts'
import type { Affected, StatusIncident } from './status-incident.ts'

type AffectedInput = { componentId: string; state: AffectedState }

/** As they were sent; what was not sent stays. */
export type References = {
  statusPageIds?: string[] | undefined
  components?: AffectedInput[] | undefined
  incidentId?: string | null | undefined
}
export type ResolvedReferences = Pick<StatusIncident, 'pageUuids' | 'components' | 'incidentUuid'>

/** Those among the named ones that the organization has. */
export type KnownReferences = {
  pageUuids: ReadonlySet<string>
  /** The page each component stands on. */
  pageOfComponent: ReadonlyMap<string, string>
  incidentUuids: ReadonlySet<string>
}

/** The ids to look for: all that were sent, and the components whose pages may have changed. */
export function referencedUuids(sent: References, before: ResolvedReferences) {
  const components = sent.components?.map(({ componentId }) => uuidOf('cmp', componentId))
  return {
    pages: (sent.statusPageIds ?? []).flatMap((id) => uuidOf('sp', id) || []),
    components: (components ?? before.components.map(({ componentUuid }) => componentUuid)).filter(
      (uuid) => uuid !== '',
    ),
    incident: sent.incidentId ? uuidOf('inc', sent.incidentId) || null : null,
  }
}

export function resolveReferences(
  sent: References,
  before: ResolvedReferences,
  known: KnownReferences,
): { named: ResolvedReferences; problems: Problem[] } {
  const { statusPageIds } = sent
  // Who names a page twice means it once.
  const pageUuids = statusPageIds
    ? [...new Set(statusPageIds.map((id) => uuidOf('sp', id)))]
    : before.pageUuids
  const components = sent.components?.map(toAffected) ?? before.components
  const incidentUuid =
    sent.incidentId === undefined
      ? before.incidentUuid
      : sent.incidentId && uuidOf('inc', sent.incidentId)
  const problems = [
    ...pageProblems(statusPageIds ?? [], known),
    ...componentProblems(components, pageUuids, known),
    ...(sent.incidentId && !known.incidentUuids.has(incidentUuid ?? '')
      ? [{ path: 'incidentId', message: 'is not an incident of this organization' }]
      : []),
  ]
  return { named: { pageUuids, components, incidentUuid }, problems }
}

function pageProblems(ids: readonly string[], known: KnownReferences): Problem[] {
  return ids.flatMap((id, index) =>
    known.pageUuids.has(uuidOf('sp', id))
      ? []
      : [
          {
            path: `statusPageIds.${index}`,
            message: 'is not a status page of this organization',
          },
        ],
  )
}

function componentProblems(
  components: readonly Affected[],
  pageUuids: readonly string[],
  known: KnownReferences,
): Problem[] {
  const seen = new Set<string>()
  return components.flatMap(({ componentUuid }, index) => {
    const path = `components.${index}.componentId`
    const page = known.pageOfComponent.get(componentUuid)
    if (page === undefined || !pageUuids.includes(page))
      return [{ path, message: 'is not a component on the pages of this incident' }]
    if (seen.has(componentUuid)) return [{ path, message: 'is listed more than once' }]
    seen.add(componentUuid)
    return []
  })
}

const toAffected = ({ componentId, state }: AffectedInput): Affected => ({
  componentUuid: uuidOf('cmp', componentId),
  state,
})

/** Empty for what is no id: nothing has it. */
const uuidOf = (prefix: IdPrefix, id: string): string => fromPublicId(prefix, id) ?? ''
