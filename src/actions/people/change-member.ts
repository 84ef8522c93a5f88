import { allows, type Role, roleChangeRefusal } from '../../domain/people/role.ts'
import { ApiError } from '../../platform/api-error.ts'
import { deleteContact } from '../../store/alerts/contacts.ts'
import { findOwnContact } from '../../store/alerts/push-devices.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { deleteReceiver } from '../../store/deliveries/receivers.ts'
import { lockMembers, removeMember, setRole } from '../../store/people/members.ts'

/** Changes a member's role, or removes them. Returns the role they had; undefined if they are not a member. */
export async function changeMember(
  tx: TenantTx,
  userUuid: string,
  { byUuid, to }: { byUuid: string; to: Role | null },
): Promise<Role | undefined> {
  const members = await lockMembers(tx)
  // The current role, not the one at the time of the request: it may just have been lowered.
  const by = members.get(byUuid)?.role
  if (by === undefined || !(userUuid === byUuid || allows(by, 'ADMIN')))
    throw new ApiError('forbidden', 'Your role in this organization does not allow this.')
  const from = members.get(userUuid)?.role
  if (from === undefined) return undefined
  // Leaves out owners whose account is disabled: they cannot act for the organization.
  const owners = [...members.values()].filter(
    ({ role, isOpen }) => role === 'OWNER' && isOpen,
  ).length
  const refusal = roleChangeRefusal({ by, from, to, owners })
  if (refusal !== undefined) throw new ApiError('conflict', refusal)

  if (to === null) await removeWithDevices(tx, userUuid)
  else await setRole(tx, userUuid, to)
  return from
}

/** Their devices receive nothing anymore, not even what is already queued. */
async function removeWithDevices(tx: TenantTx, userUuid: string): Promise<void> {
  const contactUuid = await findOwnContact(tx, userUuid)
  if (contactUuid !== undefined) {
    await deleteReceiver(tx, contactUuid)
    await deleteContact(tx, contactUuid)
  }
  await removeMember(tx, userUuid)
}
