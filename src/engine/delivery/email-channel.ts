// The channel EMAIL: makes the mail of a delivery when it is sent, from what it tells and to whom. So a queue of
// many mails is a queue of small rows, and whoever unsubscribes while it waits gets nothing any more.
import type { SubscriberMail } from '../../actions/status-pages/fan-out-notices.ts'
import type { Channel, Sending, SendResult } from '../../channels/channel.ts'
import { droppedMail, sendMail } from '../../channels/email.ts'
import { accountLetter } from '../../channels/mail/account-letters.ts'
import { alertLetter } from '../../channels/mail/alert-letters.ts'
import { askedLetter, noticeLetter } from '../../channels/mail/letters.ts'
import type { Mail } from '../../channels/mail/message.ts'
import { Relay } from '../../channels/mail/relay.ts'
import { OVERTAKEN } from '../../domain/alerts/alert.ts'
import { type AlertMail, isAlertMail } from '../../domain/alerts/email.ts'
import { type AccountMail, isAccountMail } from '../../domain/people/account-email.ts'
import { isStale, NOTICE_HOURS } from '../../domain/status-pages/notice.ts'
import { pageUrl } from '../../domain/status-pages/status-page.ts'
import { isLinkAlive } from '../../domain/status-pages/subscriber.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { bornAt } from '../../domain/values/mail-text.ts'
import type { SmtpConfig } from '../../platform/config/smtp-config.ts'
import type { Log } from '../../platform/observability/log.ts'
import { findOvertaken } from '../../store/alerts/messages.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { openMessage } from '../../store/deliveries/receivers.ts'
import {
  findMailPages,
  findNotices,
  type MailPage,
  type StoredNotice,
} from '../../store/status-pages/subscriber-notices.ts'
import { findRecipients, type Recipient } from '../../store/status-pages/subscribers.ts'
import { openDesks } from './send-contexts.ts'

type MailChannelDeps = {
  database: Database
  secrets: OrganizationSecrets
  smtp: SmtpConfig
  statusBaseUrl: string
  log: Log
  onRelayFailed(): void
}

/** What the mails of one organization are made from. */
type Desk = {
  mails: Map<string, SubscriberMail | AccountMail | AlertMail>
  /** Alerts of what is over by now, and told to be. */
  overtaken: ReadonlySet<string>
  recipients: Map<string, Recipient>
  notices: Map<string, StoredNotice>
  pages: Map<string, MailPage>
}

const WARN_EVERY_MS = 60_000

export function mailChannel(deps: MailChannelDeps): Channel & { close(): void } {
  const relay = new Relay(deps.smtp.relay, clientName(deps.statusBaseUrl))
  const warn = warner(deps.log)
  return {
    async prepare(sendings) {
      const deskOf = openDesks(sendings, (own) => openDesk(deps, own))
      return async (sending, deadlineMs) => {
        const desk = await deskOf(sending)
        const mail = makeMail(deps, desk, sending)
        if (typeof mail === 'string') return droppedMail(mail)
        const result = await sendMail(relay, mail, deadlineMs)
        if (result.isReceiverFault) deps.onRelayFailed()
        warn(result)
        return result
      }
    },
    close: () => relay.close(),
  }
}

async function openDesk(
  { database, secrets }: MailChannelDeps,
  sendings: readonly Sending[],
): Promise<Desk> {
  const mails: Desk['mails'] = new Map()
  for (const { orgId, deliveryId, message } of sendings) {
    if (message === null) throw new Error(`Delivery ${deliveryId} carries nothing`)
    const delivery = { orgId, deliveryId, message }
    mails.set(
      deliveryId,
      await openMessage<SubscriberMail | AccountMail | AlertMail>(database, secrets, delivery),
    )
  }
  const all = [...mails.values()].flatMap((mail) =>
    isAccountMail(mail) || isAlertMail(mail) ? [] : mail,
  )
  const noticeUuids = all.flatMap((mail) => (mail.kind === 'NOTICE' ? mail.noticeUuid : []))
  const alerts = [...mails].flatMap(([uuid, mail]) => (isAlertMail(mail) ? uuid : []))
  const [recipients, notices, overtaken] = await Promise.all([
    findRecipients(
      database,
      secrets,
      all.map(({ subscriberUuid }) => subscriberUuid),
    ),
    findNotices(database, [...new Set(noticeUuids)]),
    findOvertaken(database, alerts),
  ])
  const pageUuids = new Set([...recipients.values()].map(({ pageUuid }) => pageUuid))
  const pages = await findMailPages(database, [...pageUuids])
  return { mails, overtaken, recipients, notices, pages }
}

/** Returns why there is none any more. */
function makeMail(deps: MailChannelDeps, desk: Desk, sending: Sending): Mail | string {
  const mail = desk.mails.get(sending.deliveryId)
  if (mail !== undefined && isAccountMail(mail)) return accountMail(deps, sending, mail)
  if (mail !== undefined && isAlertMail(mail)) return alertMail(deps, desk, sending, mail)
  return subscriberMail(deps, desk, sending, mail)
}

function subscriberMail(
  deps: MailChannelDeps,
  desk: Desk,
  sending: Sending,
  mail: SubscriberMail | undefined,
): Mail | string {
  const recipient = desk.recipients.get(mail?.subscriberUuid ?? '')
  const page = desk.pages.get(recipient?.pageUuid ?? '')
  if (mail === undefined || recipient === undefined || page === undefined)
    return 'The recipient has unsubscribed'
  return mail.kind === 'NOTICE'
    ? noticeMail(deps, sending, { recipient, page, notice: desk.notices.get(mail.noticeUuid) })
    : askedMail(deps, sending, { recipient, page, kind: mail.kind })
}

type Addressed = { recipient: Recipient; page: MailPage }

function noticeMail(
  deps: MailChannelDeps,
  sending: Sending,
  { recipient, page, notice }: Addressed & { notice: StoredNotice | undefined },
): Mail | string {
  if (notice === undefined || isStale(notice.createdAt, sending.startedAt))
    return `It is older than ${NOTICE_HOURS} hours`
  const { token } = recipient
  const own = `${deps.statusBaseUrl}/status/${page.slug}`
  const host = senderHost(deps.smtp)
  return {
    ...envelopeOf(deps, sending, { recipient, page }),
    letter: noticeLetter(notice.notice, factsOf(deps, page), linksOf(deps, page, token)),
    threadId: `<${notice.notice.id}.${page.uuid}@${host}>`,
    list: {
      id: `${toPublicId('sp', page.uuid)}.${host}`,
      // At the service's own address: it works whatever becomes of the page's domain.
      unsubscribe: `${own}/unsubscribe/${token}`,
    },
  }
}

function askedMail(
  deps: MailChannelDeps,
  sending: Sending,
  { recipient, page, kind }: Addressed & { kind: 'CONFIRM' | 'REMIND' },
): Mail | string {
  if (kind === 'CONFIRM' && recipient.confirmedAt !== null) return 'It was confirmed meanwhile'
  if (!isLinkAlive(recipient, sending.startedAt)) return 'Its link would not work any more'
  const links = linksOf(deps, page, recipient.token)
  return {
    ...envelopeOf(deps, sending, { recipient, page }),
    letter: askedLetter(kind, factsOf(deps, page), links),
    threadId: undefined,
    list: undefined,
  }
}

function accountMail(
  { smtp }: MailChannelDeps,
  { deliveryId, startedAt }: Sending,
  mail: AccountMail,
): Mail | string {
  if (new Date(mail.endsAt) <= startedAt) return 'Its link would not work any more'
  return {
    letter: accountLetter(mail),
    from: { name: 'Upvane', address: smtp.from },
    to: mail.to,
    messageId: `<${deliveryId}@${senderHost(smtp)}>`,
    date: bornAt(deliveryId),
    threadId: undefined,
    list: undefined,
  }
}

function alertMail(
  { smtp }: MailChannelDeps,
  { overtaken }: Desk,
  { deliveryId, startedAt }: Sending,
  mail: AlertMail,
): Mail | string {
  if (overtaken.has(deliveryId)) return OVERTAKEN
  if (isStale(new Date(mail.alert.at), startedAt)) return `It is older than ${NOTICE_HOURS} hours`
  const host = senderHost(smtp)
  return {
    letter: alertLetter(mail),
    from: { name: 'Upvane', address: smtp.from },
    to: mail.to,
    messageId: `<${deliveryId}@${host}>`,
    date: bornAt(deliveryId),
    threadId: `<${mail.thread}.alert@${host}>`,
    list: undefined,
  }
}

function envelopeOf(
  { smtp }: MailChannelDeps,
  { deliveryId }: Sending,
  { recipient, page }: Addressed,
) {
  return {
    from: { name: page.name, address: smtp.from },
    to: recipient.address,
    messageId: `<${deliveryId}@${senderHost(smtp)}>`,
    date: bornAt(deliveryId),
  }
}

function factsOf({ statusBaseUrl }: MailChannelDeps, page: MailPage) {
  const { name, locale, timezone } = page
  return { name, locale, timezone, url: pageUrl(page, statusBaseUrl) }
}

function linksOf({ statusBaseUrl }: MailChannelDeps, page: MailPage, token: string) {
  const url = pageUrl(page, statusBaseUrl)
  return {
    confirm: `${url}/confirm/${token}`,
    manage: `${url}/manage/${token}`,
    unsubscribe: `${url}/unsubscribe/${token}`,
  }
}

const senderHost = ({ from }: SmtpConfig) => from.slice(from.indexOf('@') + 1)

/** As SMTP wants to be greeted: by a name, or by an address in brackets. */
function clientName(url: string): string {
  const { hostname } = new URL(url)
  if (hostname.startsWith('[')) return hostname.replace('[', '[IPv6:')
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname
}

/** Only the operator can mend the relay; he is told, but not for every mail. */
function warner(log: Log): (result: SendResult) => void {
  let saidMs = Number.NEGATIVE_INFINITY
  return ({ isReceiverFault, errorCode, error, responseBody }) => {
    const nowMs = performance.now()
    if (!isReceiverFault || nowMs - saidMs < WARN_EVERY_MS) return
    saidMs = nowMs
    log.warn({ errorCode, error, answer: responseBody }, 'mail relay failed')
  }
}
