// What a published incident refers to: pages, their components, a detected incident. Unknown IDs and those of other
// organizations get the same error.
import { fromPublicId, type IdPrefix } from '../values/id.ts'
import type { Problem } from '../values/problem.ts'
import type { AffectedState } from './page-state.ts'
import type { Affected, StatusIncident } from './status-incident.ts'

type AffectedInput = { componentId: string; state: AffectedState }

/** As sent. Fields that were not sent stay unchanged. */
export type References = {
  statusPageIds?: string[] | undefined
  components?: AffectedInput[] | undefined
  incidentId?: string | null | undefined
}
export type ResolvedReferences = Pick<StatusIncident, 'pageUuids' | 'components' | 'incidentUuid'>

/** Those of the referenced IDs that belong to the organization. */
export type KnownReferences = {
  pageUuids: ReadonlySet<string>
  /** The page of each component. */
  pageOfComponent: ReadonlyMap<string, string>
  incidentUuids: ReadonlySet<string>
}

/** The IDs to look up: all that were sent, and the components whose pages may have changed. */
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
  // A page named twice counts once.
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

/** Empty for an invalid ID, which matches nothing. */
const uuidOf = (prefix: IdPrefix, id: string): string => fromPublicId(prefix, id) ?? ''
