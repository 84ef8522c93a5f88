import { ApiError } from '../../platform/api-error.ts'
import type { Tx } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { addMember } from '../../store/people/members.ts'
import { insertOrganization } from '../../store/people/organizations.ts'
import {
  countOwned,
  findTemplateOrganization,
  insertOrganizationLike,
} from '../../store/people/own-organizations.ts'
import { lockUser } from '../../store/people/users.ts'

const MAX_OWNED = 20

type OrganizationRequest = { name: string; ownerUuid: string }

/** The first organization of an installation has no limits, because the operator created it. Returns its id. */
export async function createFirstOrganization(
  tx: Tx,
  secrets: OrganizationSecrets,
  { name, ownerUuid }: OrganizationRequest,
): Promise<string> {
  const id = tx.newUuid()
  await insertOrganization(tx, { id, name, plan: 'UNLIMITED', subscription: 'ACTIVE' })
  await secrets.create(tx, id)
  await addMember(tx, id, { userUuid: ownerUuid, role: 'OWNER' })
  return id
}

/**
 * Creates another organization for an owner, with the plan and limits of the one they own. So no one exceeds what the
 * operator granted, neither by an invitation nor by starting over.
 */
export async function createOrganization(
  tx: Tx,
  secrets: OrganizationSecrets,
  { name, ownerUuid }: OrganizationRequest,
): Promise<{ id: string; plan: string }> {
  // Locked, so that concurrent requests are counted one by one.
  await lockUser(tx, ownerUuid)
  const model = await findTemplateOrganization(tx, ownerUuid)
  if (model === undefined)
    throw new ApiError('forbidden', 'Only an owner of an organization can make another one.')
  if ((await countOwned(tx, ownerUuid)) >= MAX_OWNED)
    throw new ApiError('conflict', `Nobody can own more than ${MAX_OWNED} organizations.`)

  const id = tx.newUuid()
  await insertOrganizationLike(tx, { id, name }, model.id)
  await secrets.create(tx, id)
  await addMember(tx, id, { userUuid: ownerUuid, role: 'OWNER' })
  return { id, plan: model.plan }
}
