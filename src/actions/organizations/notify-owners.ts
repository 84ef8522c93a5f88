import { PATHS } from '../../domain/values/dashboard-paths.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { listMembers } from '../../store/people/members.ts'
import { findSettings } from '../../store/people/organization-settings.ts'
import { findOwnZones } from '../../store/people/time-zones.ts'
import { queueAccountEmail } from '../people/queue-account-email.ts'

type Deletion = { deletedBy: string; eraseAt: Date; baseUrl: string }

/** Emails every owner, so that no deletion goes unnoticed. Call it in the transaction of the deletion. */
export async function notifyOwners(
  tx: TenantTx,
  { deletedBy, eraseAt, baseUrl }: Deletion,
): Promise<void> {
  const { name: organization } = await findSettings(tx)
  const zoneOf = await findOwnZones(tx)
  const owners = (await listMembers(tx)).filter(({ role }) => role === 'OWNER')
  for (const { email: to } of owners)
    await queueAccountEmail(tx, {
      kind: 'ORGANIZATION_DELETED',
      to,
      organization,
      deletedBy,
      timezone: zoneOf(to),
      link: `${baseUrl}${PATHS.settings}`,
      endsAt: eraseAt.toISOString(),
    })
}
