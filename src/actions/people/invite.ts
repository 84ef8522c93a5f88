import { type Role, roleChangeRefusal } from '../../domain/people/role.ts'
import { storageRefusal } from '../../domain/values/storage-limits.ts'
import { ApiError } from '../../platform/api-error.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { countInvitations, insertInvitation, isMember } from '../../store/people/members.ts'

type InviteTx = Pick<TenantTx, 'query' | 'orgId' | 'now' | 'newUuid'>

const INVITATION_DAYS = 7

type Invited = { uuid: string; token: string; expiresAt: Date }

/** Creates a link that admits one person. Inviting them again replaces the link. */
export async function invite(
  tx: InviteTx,
  request: { email: string; role: Role; by: { name: string; role: Role } },
): Promise<Invited> {
  const { email, role, by } = request
  const refusal = roleChangeRefusal({ by: by.role, from: null, to: role, owners: 0 })
  if (refusal !== undefined) throw new ApiError('conflict', refusal)
  if (await isMember(tx, email)) throw new ApiError('conflict', 'Already a member.')

  const open = await countInvitations(tx, email)
  const surplus =
    open && storageRefusal('open invitations', open.limits.openInvitations, open.count + 1)
  if (surplus !== undefined) throw new ApiError('plan_limit', `${surplus} Withdraw one first.`)

  const uuid = tx.newUuid()
  const token = newToken()
  const expiresAt = new Date(tx.now.getTime() + INVITATION_DAYS * 86_400_000)
  const tokenHash = hashToken(token)
  await insertInvitation(tx, { uuid, email, role, invitedBy: by.name, expiresAt, tokenHash })
  return { uuid, token, expiresAt }
}
