// The SUBSCRIBER channel: Slack channels and webhooks that subscribed to a status page. Messages are rendered when they
// are sent, so a subscriber who leaves while they wait gets nothing.
import type { SubscriberEmail } from '../../actions/status-pages/fan-out-notices.ts'
import {
  type DeliveryChannel,
  type OutgoingDelivery,
  skippedDelivery,
} from '../../channels/channel.ts'
import * as messages from '../../channels/subscribers/hook-messages.ts'
import { sendHook } from '../../channels/subscribers/send-hook.ts'
import type { SendResult } from '../../domain/events/delivery-outcome.ts'
import { isStale, NOTICE_HOURS } from '../../domain/status-pages/notice.ts'
import { pageUrl } from '../../domain/status-pages/status-page.ts'
import { type HookKind, isLinkAlive } from '../../domain/status-pages/subscriber.ts'
import type { WebhookClient } from '../../outbound/webhook-client.ts'
import { newToken } from '../../platform/crypto/token.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { decryptMessage } from '../../store/deliveries/receivers.ts'
import {
  confirmRecipient,
  dropUnconfirmed,
  findRecipients,
  type Recipient,
} from '../../store/status-pages/recipients.ts'
import {
  type EmailPage,
  findEmailPages,
  findNotices,
  type StoredNotice,
} from '../../store/status-pages/subscriber-notices.ts'
import { openSendContexts } from './send-contexts.ts'

type SubscriberChannelDeps = {
  database: Database
  secrets: OrganizationSecrets
  /** For URLs of strangers. */
  client: WebhookClient
  slack: { client: WebhookClient; origin: string }
  statusBaseUrl: string
}

type Context = {
  messages: Map<string, SubscriberEmail>
  recipients: Map<string, Recipient>
  notices: Map<string, StoredNotice>
  pages: Map<string, EmailPage>
}

export function subscriberChannel(deps: SubscriberChannelDeps): DeliveryChannel {
  return {
    async prepare(sendings) {
      const contextOf = openSendContexts(sendings, (own) => openContext(deps, own))
      return async (sending, deadlineMs) =>
        send(deps, await contextOf(sending), sending, deadlineMs)
    },
  }
}

async function openContext(
  { database, secrets }: SubscriberChannelDeps,
  sendings: readonly OutgoingDelivery[],
): Promise<Context> {
  const opened: Context['messages'] = new Map()
  for (const { orgId, deliveryId, message } of sendings) {
    if (message === null) throw new Error(`Delivery ${deliveryId} carries nothing`)
    const delivery = { orgId, deliveryId, message }
    opened.set(deliveryId, await decryptMessage<SubscriberEmail>(database, secrets, delivery))
  }
  const all = [...opened.values()]
  const noticeUuids = all.flatMap((one) => (one.kind === 'NOTICE' ? one.noticeUuid : []))
  const [recipients, notices] = await Promise.all([
    findRecipients(database, secrets, [...new Set(all.map((one) => one.subscriberUuid))]),
    findNotices(database, [...new Set(noticeUuids)]),
  ])
  const pageUuids = new Set([...recipients.values()].map(({ pageUuid }) => pageUuid))
  return {
    messages: opened,
    recipients,
    notices,
    pages: await findEmailPages(database, [...pageUuids]),
  }
}

type Addressed = {
  recipient: Recipient & { kind: HookKind }
  about: { page: messages.HookPage; links: messages.HookLinks }
  sending: OutgoingDelivery
  deadlineMs: number
}

async function send(
  deps: SubscriberChannelDeps,
  context: Context,
  sending: OutgoingDelivery,
  deadlineMs: number,
): Promise<SendResult> {
  const message = context.messages.get(sending.deliveryId)
  const recipient = context.recipients.get(message?.subscriberUuid ?? '')
  const page = context.pages.get(recipient?.pageUuid ?? '')
  if (message === undefined || recipient === undefined || page === undefined)
    return skippedDelivery('The subscriber is gone')
  const { kind } = recipient
  if (kind === 'EMAIL') throw new Error(`Subscriber ${recipient.uuid} is not reached by a URL`)
  const about = aboutOf(deps, page, recipient.token)
  const addressed = { recipient: { ...recipient, kind }, about, sending, deadlineMs }
  return message.kind === 'NOTICE'
    ? sendNotice(deps, addressed, context.notices.get(message.noticeUuid))
    : askToConfirm(deps, addressed)
}

async function sendNotice(
  deps: SubscriberChannelDeps,
  { recipient, about, sending, deadlineMs }: Addressed,
  stored: StoredNotice | undefined,
): Promise<SendResult> {
  if (stored === undefined || isStale(stored.createdAt, sending.startedAt))
    return skippedDelivery(`It is older than ${NOTICE_HOURS} hours`)
  const news = { ...about, notice: stored.notice }
  const request =
    recipient.kind === 'SLACK'
      ? messages.slackNotice(news)
      : messages.webhookNotice(news, signedWith(recipient, sending))
  return sendHook(...targetOf(deps, recipient, request), deadlineMs)
}

/** Asks once: a URL that does not answer is forgotten, and its owner is not asked again until someone types it. */
async function askToConfirm(
  deps: SubscriberChannelDeps,
  { recipient, about, sending, deadlineMs }: Addressed,
): Promise<SendResult> {
  const { uuid, kind, confirmedAt } = recipient
  if (confirmedAt !== null) return skippedDelivery('It was confirmed meanwhile')
  if (!isLinkAlive(recipient, sending.startedAt)) return skippedDelivery('It is too old')
  const challenge = newToken()
  const request =
    kind === 'SLACK'
      ? messages.slackConfirmation(about)
      : messages.challengeRequest(about, challenge, signedWith(recipient, sending))
  const result = await sendHook(
    ...targetOf(deps, recipient, request),
    deadlineMs,
    ({ body }) => kind === 'SLACK' || messages.isChallengeMet(challenge, body.toString('utf8')),
  )
  const isOurFault = result.outcome === 'FAILED' && !result.isReceiverFault
  if (isOurFault) return result
  if (result.outcome === 'FAILED') {
    await dropUnconfirmed(deps.database, uuid)
    return { ...result, next: 'OVER' }
  }
  if (kind === 'WEBHOOK') await confirmRecipient(deps.database, uuid)
  return result
}

type HookRequest = ReturnType<typeof messages.slackNotice>
type Target = Parameters<typeof sendHook>[1]

function targetOf(
  { client, slack }: SubscriberChannelDeps,
  { uuid, kind, address }: Addressed['recipient'],
  request: HookRequest,
): [WebhookClient, Target] {
  const to = { endpointId: uuid, kind, ...request }
  if (kind === 'WEBHOOK') return [client, { ...to, url: address }]
  return [slack.client, { ...to, url: `${slack.origin}${new URL(address).pathname}` }]
}

function signedWith({ uuid, secret }: Recipient, { deliveryId, startedAt }: OutgoingDelivery) {
  if (secret === null) throw new Error(`Subscriber ${uuid} has no secret`)
  return { deliveryId, sentAt: startedAt, secret }
}

function aboutOf({ statusBaseUrl }: SubscriberChannelDeps, page: EmailPage, token: string) {
  const url = pageUrl(page, statusBaseUrl)
  // On the service's own address, so that it works even if the page's domain stops working.
  const own = `${statusBaseUrl}/status/${page.slug}`
  const links = {
    confirm: `${url}/confirm/${token}`,
    manage: `${url}/manage/${token}`,
    unsubscribe: `${own}/unsubscribe/${token}`,
  }
  const { uuid, name, locale, timezone } = page
  return { page: { uuid, name, locale, timezone, url }, links }
}
