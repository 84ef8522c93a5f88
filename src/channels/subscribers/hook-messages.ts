// What Slack and webhook subscribers of a status page receive: a request to confirm, and notices.
import { signedHeaders } from '../../domain/events/signature.ts'
import type { SubscriberNotice } from '../../domain/status-pages/notice.ts'
import { toLine, toUnlinkedName } from '../../domain/values/email-text.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { toLocale } from '../../domain/values/locale.ts'
import { messagesOf } from '../../render/messages/messages.ts'
import { noticeHead, noticeTime, noticeUrl } from '../notice-text.ts'

/** `url` is where visitors read the page. */
export type HookPage = {
  uuid: string
  name: string
  locale: string
  timezone: string
  url: string
}

/** URLs that contain the subscriber's token. */
export type HookLinks = { confirm: string; manage: string; unsubscribe: string }

type HookMessage = { page: HookPage; links: HookLinks }
type HookNotice = HookMessage & { notice: SubscriberNotice }
type HookRequest = { headers: Readonly<Record<string, string>>; body: string }

const JSON_HEADERS = { 'content-type': 'application/json' } as const
// Slack cuts longer texts.
const MAX_SLACK_TEXT = 2_900

export function slackConfirmation({ page, links }: HookMessage): HookRequest {
  const { email } = messagesOf(toLocale(page.locale))
  // Anyone can have this sent to any channel, so the page's name is the only text from others.
  const text = escape(email.slackConfirm(toUnlinkedName(page.name)))
  return slackRequest([text, link(links.confirm, email.confirm.button)])
}

export function slackNotice({ page, links, notice }: HookNotice): HookRequest {
  const locale = toLocale(page.locale)
  const { email } = messagesOf(locale)
  const title = toLine(notice.kind === 'WINDOW' ? notice.name : notice.title)
  const message = (notice.kind === 'WINDOW' ? notice.description : notice.message) ?? ''
  const label = notice.kind === 'WINDOW' ? email.openPage : email.openIncident
  return slackRequest([
    `*${escape(`${noticeHead(notice, email)}: ${title}`)}*`,
    // Slack says when it arrived, which can be hours later.
    noticeTime(notice, { locale, timezone: page.timezone }),
    // Slack has one asterisk where Markdown has two.
    escape(message).replaceAll('**', '*').slice(0, MAX_SLACK_TEXT),
    `${link(noticeUrl(notice, page.url), label)} · ${link(links.unsubscribe, email.unsubscribe)}`,
  ])
}

function slackRequest(parts: readonly string[]): HookRequest {
  const text = parts.filter((part) => part !== '').join('\n')
  const body = { text, unfurl_links: false, unfurl_media: false }
  return { headers: JSON_HEADERS, body: JSON.stringify(body) }
}

const link = (url: string, label: string) => `<${url}|${escape(label)}>`

/** Escaping these three prevents names from mentioning a channel or disguising a link. */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

type Signed = { deliveryId: string; sentAt: Date; secret: string }

/**
 * Only the receiver learns the secret: the person who typed the URL may be a stranger, and could otherwise forge
 * notices.
 */
export function challengeRequest(
  { page, links }: HookMessage,
  challenge: string,
  signed: Signed,
): HookRequest {
  const { secret } = signed
  const { unsubscribe: unsubscribeUrl } = links
  const body = { type: 'subscription.challenge', challenge, secret }
  return sign({ ...body, page: toPage(page), unsubscribeUrl }, signed)
}

export function webhookNotice({ page, links, notice }: HookNotice, signed: Signed): HookRequest {
  const { kind, what, ...facts } = notice
  const url = noticeUrl(notice, page.url)
  const [type, name] =
    kind === 'WINDOW'
      ? [`maintenance.${what.toLowerCase()}`, 'maintenance']
      : [`incident.${what.toLowerCase()}`, 'incident']
  const own = { page: toPage(page), [name]: { ...facts, url } }
  const { manage: manageUrl, unsubscribe: unsubscribeUrl } = links
  return sign({ type, ...own, manageUrl, unsubscribeUrl }, signed)
}

const toPage = ({ uuid, name, url }: HookPage) => ({ id: toPublicId('sp', uuid), name, url })

/** The id is the same for every attempt, so that receivers can detect duplicates. */
function sign(content: object, { deliveryId, sentAt, secret }: Signed): HookRequest {
  const body = JSON.stringify(content)
  const message = { id: toPublicId('whd', deliveryId), sentAt, body }
  const headers = signedHeaders(message, [{ secret, rotatedAt: null }])
  return { headers: { ...JSON_HEADERS, ...headers }, body }
}

/** The challenge alone, or as the field of an object. An echo of the whole request is not enough. */
export function isChallengeMet(challenge: string, response: string): boolean {
  const text = response.trim()
  if (text === challenge) return true
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null
    return isObject && Object.keys(value).length === 1 && 'challenge' in value
      ? value.challenge === challenge
      : value === challenge
  } catch {
    return false
  }
}
