// `upvane org set-region`: the region where an organization's checks start.
import { changeHomeRegion } from '../../actions/monitors/set-home-region.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Database } from '../../store/core/db.ts'
import { lockOrganization } from '../../store/people/organizations.ts'
import { recordForOrganization } from '../cli/audit.ts'
import { type Flags, idFlag, required, UsageError } from '../cli/flags.ts'

/** Instead of a region's name: the installation decides. */
const AUTO = 'auto'

export async function setOrganizationRegion(database: Database, flags: Flags) {
  const orgId = idFlag(flags, 'id', 'org')
  const region = required(flags, 'region')
  const home = region === AUTO ? null : region
  return database.transaction(undefined, async (tx) => {
    if ((await lockOrganization(tx, orgId)) === undefined)
      throw new UsageError('There is no such organization. Try upvane org list.')
    await changeHomeRegion({ orgId, query: tx.query }, home).catch(explainRefusal)
    const line = { action: 'org set-region', organizationId: orgId, resourceId: region }
    await recordForOrganization(tx, { ...line, detail: { region } })
    return { id: toPublicId('org', orgId), homeRegion: home }
  })
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  throw new UsageError(`The region ${error.details[0]?.message ?? 'is not known'}.`)
}
