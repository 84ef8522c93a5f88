import type { AccountMail } from '../../domain/people/account-email.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'

/** In the organization's own lane: somebody waits for it. */
export async function queueAccountMail(tx: TenantTx, mail: AccountMail): Promise<void> {
  const { orgId } = tx
  const lane = { uuid: orgId, channel: 'EMAIL' as const, event: null }
  await queueMessages(tx, { orgId, cipher: await tx.cipher() }, lane, [mail])
}
