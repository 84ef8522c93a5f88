import { subscribeOutcome } from '../../domain/status-pages/subscriber.ts'
import { newToken } from '../../platform/crypto/token.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'
import { countEmail } from '../../store/people/email-limits.ts'
import * as subscribers from '../../store/status-pages/subscribers.ts'
import type { SubscriberEmail } from './fan-out-notices.ts'

// Whoever types in addresses of strangers makes each of them get a mail; a page has room for so many.
const MAX_WAITING = 5_000

type SubscribeRequest = {
  pageUuid: string
  address: string
  componentUuids: readonly string[] | null
}

/**
 * Queues what the form owes an address: a mail that asks to confirm, one that says it is subscribed already, or
 * none because it had one a short while ago. Says nothing of which: who asks may not be whose address it is.
 */
export async function subscribeToPage(tx: TenantTx, request: SubscribeRequest): Promise<void> {
  const { pageUuid, address, componentUuids } = request
  const addressHash = await subscribers.hashAddress(tx, pageUuid, address)
  const known = await subscribers.lockByAddress(tx, pageUuid, addressHash)

  const outcome = subscribeOutcome(known, tx.now)
  if (outcome === 'NOTHING') return
  // Over all pages of all organizations. Nothing shows it: who asks may not be whose address it is.
  if (!(await countEmail(tx, 'SUBSCRIPTION', address))) return
  if (known !== undefined) {
    await subscribers.recordSubscriptionRequest(tx, known.uuid, componentUuids)
    return queueRequested(tx, { kind: outcome, subscriberUuid: known.uuid })
  }

  const waiting = await subscribers.countWaiting(tx, pageUuid, MAX_WAITING)
  if (waiting >= MAX_WAITING) return
  const fresh = { pageUuid, address, addressHash, token: newToken(), componentUuids }
  const uuid = await subscribers.insertSubscriber(tx, fresh)
  if (uuid !== undefined) await queueRequested(tx, { kind: 'CONFIRM', subscriberUuid: uuid })
}

/** In a lane of the organization's own: somebody waits for it, and a page may have thousands of mails under way. */
async function queueRequested(tx: TenantTx, email: SubscriberEmail): Promise<void> {
  const { orgId } = tx
  const receiver = { uuid: orgId, channel: 'EMAIL' as const, event: null }
  await queueMessages(tx, { orgId, cipher: await tx.cipher() }, receiver, [email])
}
