// Emails account owners about every change to how they sign in, so that no change goes unnoticed.

import { queueAccountEmail } from '../../../actions/people/queue-account-email.ts'
import type { AccountChange } from '../../../domain/people/account-email.ts'
import { PATHS } from '../../../domain/values/dashboard-paths.ts'
import { networkOf } from '../../../domain/values/network.ts'
import type { Background } from '../../../platform/process/background.ts'
import type { Tenants } from '../../../store/core/tenants.ts'
import { membershipsOf } from '../../../store/people/members.ts'
import { zoneOfPerson } from '../../../store/people/time-zones.ts'
import { findUser } from '../../../store/people/users.ts'
import type { VisitorContext } from '../../http/contexts.ts'

// A late notice still matters, but not forever.
const NOTIFY_WITHIN_MS = 3 * 86_400_000

export type NotifyOwner = (
  visit: Pick<VisitorContext, 'people' | 'baseUrl' | 'address'>,
  userUuid: string,
  change: AccountChange,
) => Promise<void>

type NoticeDeps = { tenants: Tenants; background: Background; canMail: boolean }

/** The response does not wait for it, unless the background queue is full. */
export function createOwnerNotifier({ tenants, background, canMail }: NoticeDeps): NotifyOwner {
  return async (visit, userUuid, change) => {
    if (!canMail) return
    const now = new Date()
    const queue = () => queueNotice(tenants, visit, { userUuid, change, now })
    if (!background.begin('account notice', queue)) await queue()
  }
}

async function queueNotice(
  tenants: Tenants,
  { people, baseUrl, address }: Parameters<NotifyOwner>[0],
  { userUuid, change, now }: { userUuid: string; change: AccountChange; now: Date },
): Promise<void> {
  const user = await findUser(people, userUuid)
  // An email is sent on behalf of an organization. A person without one has nothing to take over.
  const [membership] = await membershipsOf(people, userUuid)
  if (user === undefined || membership === undefined) return
  const { email: to, name } = user
  const timezone = zoneOfPerson(user, membership)
  const endsAt = new Date(now.getTime() + NOTIFY_WITHIN_MS).toISOString()
  const about = { name, change, at: now.toISOString(), network: networkOf(address) }
  const link = `${baseUrl}${PATHS.signIn}?forgot=1`
  await tenants.transaction(membership.orgId, (tx) =>
    queueAccountEmail(tx, { kind: 'ACCOUNT_CHANGED', to, link, endsAt, timezone, ...about }),
  )
}
