import { hookLimits } from '../../domain/events/hook-subscriber.ts'
import { type HookKind, subscribeOutcome } from '../../domain/status-pages/subscriber.ts'
import { newToken } from '../../platform/crypto/token.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'
import { countRequest } from '../../store/people/email-limits.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { countHooks } from '../../store/status-pages/hook-subscribers.ts'
import * as subscribers from '../../store/status-pages/subscribers.ts'
import { newWebhookSecret } from '../webhooks/secret.ts'
import type { SubscriberEmail } from './fan-out-notices.ts'

// Per page. One that does not answer is deleted at once, so few are waiting.
const MAX_HOOKS = 500
const MAX_WAITING = 50

type HookRequest = { pageUuid: string; kind: HookKind; url: string }

/**
 * Queues the request to confirm a URL, unless it is confirmed, was asked recently, or a limit is reached. Does not
 * reveal which: the URL may not belong to the person who asks.
 */
export async function subscribeHook(tx: TenantTx, request: HookRequest): Promise<void> {
  const { pageUuid, kind, url } = request
  const addressHash = await subscribers.hashAddress(tx, pageUuid, url)
  const known = await subscribers.lockByAddress(tx, pageUuid, addressHash)
  if (subscribeOutcome(known, tx.now) !== 'CONFIRM') return
  for (const limit of hookLimits(kind, url)) if (!(await countRequest(tx, limit))) return
  if (known !== undefined) {
    await subscribers.recordSubscriptionRequest(tx, known.uuid, null)
    return queueConfirmation(tx, known.uuid)
  }

  // Parallel requests could otherwise pass the limit together.
  await lockUsage(tx)
  const { all, waiting } = await countHooks(tx, pageUuid, MAX_HOOKS)
  if (all >= MAX_HOOKS || waiting >= MAX_WAITING) return
  const own = { pageUuid, address: url, addressHash, token: newToken(), componentUuids: null, kind }
  const secret = kind === 'WEBHOOK' ? { secret: newWebhookSecret() } : {}
  const uuid = await subscribers.insertSubscriber(tx, { ...own, ...secret })
  if (uuid !== undefined) await queueConfirmation(tx, uuid)
}

async function queueConfirmation(tx: TenantTx, subscriberUuid: string): Promise<void> {
  const receiver = { uuid: subscriberUuid, channel: 'SUBSCRIBER' as const, event: null }
  const message: SubscriberEmail = { kind: 'CONFIRM', subscriberUuid }
  await queueMessages(tx, { orgId: tx.orgId, cipher: await tx.cipher() }, receiver, [message])
}
