// The EMAIL channel: renders each email when it is sent. So a queue of many emails is a queue of small rows, and a
// person who unsubscribes while it waits gets nothing.
import type { SubscriberEmail } from '../../actions/status-pages/fan-out-notices.ts'
import {
  type DeliveryChannel,
  type OutgoingDelivery,
  skippedDelivery,
} from '../../channels/channel.ts'
import { renderAccountEmail } from '../../channels/email/account-emails.ts'
import { renderAlertEmail } from '../../channels/email/alert-emails.ts'
import type { Email } from '../../channels/email/compose.ts'
import { Relay } from '../../channels/email/relay.ts'
import { renderNoticeEmail, renderSubscriptionEmail } from '../../channels/email/templates.ts'
import { sendEmail } from '../../channels/email.ts'
import { ALREADY_OVER } from '../../domain/alerts/alert.ts'
import { type AlertEmail, isAlertEmail } from '../../domain/alerts/email.ts'
import type { SendResult } from '../../domain/events/delivery-outcome.ts'
import { type AccountEmail, isAccountEmail } from '../../domain/people/account-email.ts'
import { isStale, NOTICE_HOURS } from '../../domain/status-pages/notice.ts'
import { pageUrl } from '../../domain/status-pages/status-page.ts'
import { isLinkAlive } from '../../domain/status-pages/subscriber.ts'
import { createdAtOf } from '../../domain/values/email-text.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { SmtpConfig } from '../../platform/config/smtp-config.ts'
import type { Log } from '../../platform/observability/log.ts'
import { findOutdated } from '../../store/alerts/messages.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { decryptMessage } from '../../store/deliveries/receivers.ts'
import { findRecipients, type Recipient } from '../../store/status-pages/recipients.ts'
import {
  type EmailPage,
  findEmailPages,
  findNotices,
  type StoredNotice,
} from '../../store/status-pages/subscriber-notices.ts'
import { openSendContexts } from './send-contexts.ts'

type EmailChannelDeps = {
  database: Database
  secrets: OrganizationSecrets
  smtp: SmtpConfig
  statusBaseUrl: string
  log: Log
  onRelayFailed(): void
}

/** The data needed to render one organization's emails. */
type EmailSendContext = {
  mails: Map<string, SubscriberEmail | AccountEmail | AlertEmail>
  /** Deliveries of alerts that are outdated, because what they report is over. */
  overtaken: ReadonlySet<string>
  recipients: Map<string, Recipient>
  notices: Map<string, StoredNotice>
  pages: Map<string, EmailPage>
}

const WARN_EVERY_MS = 60_000

export function emailChannel(deps: EmailChannelDeps): DeliveryChannel & { close(): void } {
  const relay = new Relay(deps.smtp.relay, clientName(deps.statusBaseUrl))
  const warn = warner(deps.log)
  return {
    async prepare(sendings) {
      const contextOf = openSendContexts(sendings, (own) => openContext(deps, own))
      return async (sending, deadlineMs) => {
        const context = await contextOf(sending)
        const email = buildEmail(deps, context, sending)
        if (typeof email === 'string') return skippedDelivery(email)
        const result = await sendEmail(relay, email, deadlineMs)
        if (result.isReceiverFault) deps.onRelayFailed()
        warn(result)
        return result
      }
    },
    close: () => relay.close(),
  }
}

async function openContext(
  { database, secrets }: EmailChannelDeps,
  sendings: readonly OutgoingDelivery[],
): Promise<EmailSendContext> {
  const mails: EmailSendContext['mails'] = new Map()
  for (const { orgId, deliveryId, message } of sendings) {
    if (message === null) throw new Error(`Delivery ${deliveryId} carries nothing`)
    const delivery = { orgId, deliveryId, message }
    mails.set(
      deliveryId,
      await decryptMessage<SubscriberEmail | AccountEmail | AlertEmail>(
        database,
        secrets,
        delivery,
      ),
    )
  }
  const all = [...mails.values()].flatMap((email) =>
    isAccountEmail(email) || isAlertEmail(email) ? [] : email,
  )
  const noticeUuids = all.flatMap((email) => (email.kind === 'NOTICE' ? email.noticeUuid : []))
  const alerts = [...mails].flatMap(([uuid, email]) => (isAlertEmail(email) ? uuid : []))
  const [recipients, notices, overtaken] = await Promise.all([
    findRecipients(
      database,
      secrets,
      all.map(({ subscriberUuid }) => subscriberUuid),
    ),
    findNotices(database, [...new Set(noticeUuids)]),
    findOutdated(database, alerts),
  ])
  const pageUuids = new Set([...recipients.values()].map(({ pageUuid }) => pageUuid))
  const pages = await findEmailPages(database, [...pageUuids])
  return { mails, overtaken, recipients, notices, pages }
}

/** Returns the reason if there is nothing to send anymore. */
function buildEmail(
  deps: EmailChannelDeps,
  context: EmailSendContext,
  sending: OutgoingDelivery,
): Email | string {
  const email = context.mails.get(sending.deliveryId)
  if (email !== undefined && isAccountEmail(email)) return buildAccountEmail(deps, sending, email)
  if (email !== undefined && isAlertEmail(email))
    return buildAlertEmail(deps, context, sending, email)
  return buildSubscriberEmail(deps, context, sending, email)
}

function buildSubscriberEmail(
  deps: EmailChannelDeps,
  context: EmailSendContext,
  sending: OutgoingDelivery,
  email: SubscriberEmail | undefined,
): Email | string {
  const recipient = context.recipients.get(email?.subscriberUuid ?? '')
  const page = context.pages.get(recipient?.pageUuid ?? '')
  if (email === undefined || recipient === undefined || page === undefined)
    return 'The recipient has unsubscribed'
  return email.kind === 'NOTICE'
    ? buildNoticeEmail(deps, sending, {
        recipient,
        page,
        notice: context.notices.get(email.noticeUuid),
      })
    : buildSubscriptionEmail(deps, sending, { recipient, page, kind: email.kind })
}

type Addressed = { recipient: Recipient; page: EmailPage }

function buildNoticeEmail(
  deps: EmailChannelDeps,
  sending: OutgoingDelivery,
  { recipient, page, notice }: Addressed & { notice: StoredNotice | undefined },
): Email | string {
  if (notice === undefined || isStale(notice.createdAt, sending.startedAt))
    return `It is older than ${NOTICE_HOURS} hours`
  const { token } = recipient
  const own = `${deps.statusBaseUrl}/status/${page.slug}`
  const host = senderHost(deps.smtp)
  return {
    ...envelopeOf(deps, sending, { recipient, page }),
    content: renderNoticeEmail(notice.notice, pageDetails(deps, page), linksOf(deps, page, token)),
    threadId: `<${notice.notice.id}.${page.uuid}@${host}>`,
    list: {
      id: `${toPublicId('sp', page.uuid)}.${host}`,
      // On the service's own address, so that it works even if the page's domain stops working.
      unsubscribe: `${own}/unsubscribe/${token}`,
    },
  }
}

function buildSubscriptionEmail(
  deps: EmailChannelDeps,
  sending: OutgoingDelivery,
  { recipient, page, kind }: Addressed & { kind: 'CONFIRM' | 'REMIND' },
): Email | string {
  if (kind === 'CONFIRM' && recipient.confirmedAt !== null) return 'It was confirmed meanwhile'
  if (!isLinkAlive(recipient, sending.startedAt)) return 'Its link would not work any more'
  const links = linksOf(deps, page, recipient.token)
  return {
    ...envelopeOf(deps, sending, { recipient, page }),
    content: renderSubscriptionEmail(kind, pageDetails(deps, page), links),
    threadId: undefined,
    list: undefined,
  }
}

function buildAccountEmail(
  { smtp }: EmailChannelDeps,
  { deliveryId, startedAt }: OutgoingDelivery,
  email: AccountEmail,
): Email | string {
  if (new Date(email.endsAt) <= startedAt) return 'Its link would not work any more'
  return {
    content: renderAccountEmail(email),
    from: { name: 'Upvane', address: smtp.from },
    to: email.to,
    messageId: `<${deliveryId}@${senderHost(smtp)}>`,
    date: createdAtOf(deliveryId),
    threadId: undefined,
    list: undefined,
  }
}

function buildAlertEmail(
  { smtp }: EmailChannelDeps,
  { overtaken }: EmailSendContext,
  { deliveryId, startedAt }: OutgoingDelivery,
  email: AlertEmail,
): Email | string {
  if (overtaken.has(deliveryId)) return ALREADY_OVER
  if (isStale(new Date(email.alert.at), startedAt)) return `It is older than ${NOTICE_HOURS} hours`
  const host = senderHost(smtp)
  return {
    content: renderAlertEmail(email),
    from: { name: 'Upvane', address: smtp.from },
    to: email.to,
    messageId: `<${deliveryId}@${host}>`,
    date: createdAtOf(deliveryId),
    threadId: `<${email.thread}.alert@${host}>`,
    list: undefined,
  }
}

function envelopeOf(
  { smtp }: EmailChannelDeps,
  { deliveryId }: OutgoingDelivery,
  { recipient, page }: Addressed,
) {
  return {
    from: { name: page.name, address: smtp.from },
    to: recipient.address,
    messageId: `<${deliveryId}@${senderHost(smtp)}>`,
    date: createdAtOf(deliveryId),
  }
}

function pageDetails({ statusBaseUrl }: EmailChannelDeps, page: EmailPage) {
  const { name, locale, timezone } = page
  return { name, locale, timezone, url: pageUrl(page, statusBaseUrl) }
}

function linksOf({ statusBaseUrl }: EmailChannelDeps, page: EmailPage, token: string) {
  const url = pageUrl(page, statusBaseUrl)
  return {
    confirm: `${url}/confirm/${token}`,
    manage: `${url}/manage/${token}`,
    unsubscribe: `${url}/unsubscribe/${token}`,
  }
}

const senderHost = ({ from }: SmtpConfig) => from.slice(from.indexOf('@') + 1)

/** The name for the SMTP greeting: a hostname, or an address in brackets. */
function clientName(url: string): string {
  const { hostname } = new URL(url)
  if (hostname.startsWith('[')) return hostname.replace('[', '[IPv6:')
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname
}

/** Only the operator can fix the relay, so it is logged, but not for every email. */
function warner(log: Log): (result: SendResult) => void {
  let saidMs = Number.NEGATIVE_INFINITY
  return ({ isReceiverFault, errorCode, error, responseBody }) => {
    const nowMs = performance.now()
    if (!isReceiverFault || nowMs - saidMs < WARN_EVERY_MS) return
    saidMs = nowMs
    log.warn({ errorCode, error, answer: responseBody }, 'mail relay failed')
  }
}
