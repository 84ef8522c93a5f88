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
import { newUuid } from './new-uuid.ts'

const MAX_OWNED = 20

type OrganizationRequest = { name: string; ownerUuid: string }

/** The first one of an installation: without limits, as the operator is who made it. Returns its id. */
export async function createFirstOrganization(
  tx: Tx,
  secrets: OrganizationSecrets,
  { name, ownerUuid }: OrganizationRequest,
): Promise<string> {
  const id = newUuid(tx)
  await insertOrganization(tx, { id, name, plan: 'UNLIMITED', subscription: 'ACTIVE' })
  await secrets.create(tx, id)
  await addMember(tx, id, { userUuid: ownerUuid, role: 'OWNER' })
  return id
}

/**
 * One more, for somebody who owns one. It has that one's plan and limits: nobody gets further than the operator
 * let them, by being invited somewhere or by starting anew.
 */
export async function createOrganization(
  tx: Tx,
  secrets: OrganizationSecrets,
  { name, ownerUuid }: OrganizationRequest,
): Promise<{ id: string; plan: string }> {
  // Held, so that many at once are counted one by one.
  await lockUser(tx, ownerUuid)
  const model = await findTemplateOrganization(tx, ownerUuid)
  if (model === undefined)
    throw new ApiError('forbidden', 'Only an owner of an organization can make another one.')
  if ((await countOwned(tx, ownerUuid)) >= MAX_OWNED)
    throw new ApiError('conflict', `Nobody can own more than ${MAX_OWNED} organizations.`)

  const id = newUuid(tx)
  await insertOrganizationLike(tx, { id, name }, model.id)
  await secrets.create(tx, id)
  await addMember(tx, id, { userUuid: ownerUuid, role: 'OWNER' })
  return { id, plan: model.plan }
}
