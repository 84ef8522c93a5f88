import type { AccountEmail } from '../../domain/people/account-email.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'

/** Uses the organization's own receiver, because a person is waiting for the email. */
export async function queueAccountEmail(tx: TenantTx, email: AccountEmail): Promise<void> {
  const { orgId } = tx
  const receiver = { uuid: orgId, channel: 'EMAIL' as const, event: null }
  await queueMessages(tx, { orgId, cipher: await tx.cipher() }, receiver, [email])
}
