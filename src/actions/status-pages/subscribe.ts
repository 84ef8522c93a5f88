import { subscribeOutcome } from '../../domain/status-pages/subscriber.ts'
import { newToken } from '../../platform/crypto/token.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'
import { countEmail } from '../../store/people/email-limits.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { countSubscribers } from '../../store/people/stored-rows.ts'
import * as subscribers from '../../store/status-pages/subscribers.ts'
import type { SubscriberEmail } from './fan-out-notices.ts'

// Each address typed into the form gets an email, including those of strangers, so the number per page is limited.
const MAX_WAITING = 5_000

type SubscribeRequest = {
  pageUuid: string
  address: string
  componentUuids: readonly string[] | null
}

/**
 * Queues the right email for an address: a confirmation request, a note that it is already subscribed, or none if it
 * got one recently. Does not reveal which: the address may not belong to the person who asks.
 */
export async function subscribeToPage(tx: TenantTx, request: SubscribeRequest): Promise<void> {
  const { pageUuid, address, componentUuids } = request
  const addressHash = await subscribers.hashAddress(tx, pageUuid, address)
  const known = await subscribers.lockByAddress(tx, pageUuid, addressHash)

  const outcome = subscribeOutcome(known, tx.now)
  if (outcome === 'NOTHING') return
  // Counts across all pages of all organizations. Reaching the limit is not revealed, for the same reason.
  if (!(await countEmail(tx, 'SUBSCRIPTION', address))) return
  if (known !== undefined) {
    await subscribers.recordSubscriptionRequest(tx, known.uuid, componentUuids)
    return queueRequested(tx, { kind: outcome, subscriberUuid: known.uuid })
  }

  if (!(await hasRoom(tx, pageUuid))) return
  const waiting = await subscribers.countWaiting(tx, pageUuid, MAX_WAITING)
  if (waiting >= MAX_WAITING) return
  const fresh = { pageUuid, address, addressHash, token: newToken(), componentUuids }
  const uuid = await subscribers.insertSubscriber(tx, fresh)
  if (uuid !== undefined) await queueRequested(tx, { kind: 'CONFIRM', subscriberUuid: uuid })
}

/** Takes the lock that parallel requests wait for. */
async function hasRoom(tx: TenantTx, pageUuid: string): Promise<boolean> {
  const { subscribersOfPage } = (await lockUsage(tx)).storage
  return (await countSubscribers(tx, pageUuid, subscribersOfPage)) < subscribersOfPage
}

/** Uses the organization's own receiver: a person is waiting, and a page may have thousands of emails in flight. */
async function queueRequested(tx: TenantTx, email: SubscriberEmail): Promise<void> {
  const { orgId } = tx
  const receiver = { uuid: orgId, channel: 'EMAIL' as const, event: null }
  await queueMessages(tx, { orgId, cipher: await tx.cipher() }, receiver, [email])
}
