// Emails of a status page: subject, HTML, and the same as plain text.
import { type SubscriberNotice, toneOf } from '../../domain/status-pages/notice.ts'
import { toLine, toUnlinkedName } from '../../domain/values/email-text.ts'
import { toLocale } from '../../domain/values/locale.ts'
import { type Clock, formatDuration, formatTime } from '../../render/email-times.ts'
import { type Html, html } from '../../render/html.ts'
import { messagesOf } from '../../render/messages/messages.ts'
import type { EmailMessages, Messages } from '../../render/messages/shape.ts'
import { noticeHead, noticeTime, noticeUrl } from '../notice-text.ts'
import { renderLayout } from './layout.ts'
import { markdown, preview } from './markup.ts'

type PageInfo = { name: string; locale: string; timezone: string; url: string }

/** URLs that contain the subscriber's token. */
type SubscriberLinks = { confirm: string; manage: string; unsubscribe: string }

export type RenderedEmail = { locale: string; subject: string; html: string; text: string }

type DetailRow = { label: string; value: string }

export function renderNoticeEmail(
  notice: SubscriberNotice,
  page: PageInfo,
  links: SubscriberLinks,
): RenderedEmail {
  const locale = toLocale(page.locale)
  const { page: pageMessages, email: messages } = messagesOf(locale)
  const clock = { locale, timezone: page.timezone }
  const head = noticeHead(notice, messages)
  const title = toLine(notice.kind === 'WINDOW' ? notice.name : notice.title)
  const message = (notice.kind === 'WINDOW' ? notice.description : notice.message) ?? ''
  const when = noticeTime(notice, clock)
  const details = [
    ...affected(notice, messages, pageMessages.states),
    ...times(notice, messages, clock),
  ]
  const button = buttonOf(notice, page, messages)
  const body = message === '' ? undefined : markdown(message)
  const document = renderLayout({
    lang: locale,
    pageName: page.name,
    preview: body === undefined ? html`${head}, ${when}` : preview(body),
    tone: toneOf(notice),
    heading: title,
    line: { strong: head, more: when },
    body,
    rows: details.map(({ label, value }) => ({ label, value: html`${value}` })),
    button,
    footer: footer(page, links, messages),
  })
  const text = paragraphs(
    `${head}: ${title}\n${when}`,
    message,
    details.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    button.url,
    `-- \n${messages.because(toLine(page.name))}\n${messages.choose}: ${links.manage}\n${messages.unsubscribe}: ${links.unsubscribe}`,
  )
  return { locale, subject: `${head}: ${title}`, html: document, text }
}

function buttonOf(notice: SubscriberNotice, { url }: PageInfo, messages: EmailMessages) {
  const label = notice.kind === 'STATUS_INCIDENT' ? messages.openIncident : messages.openPage
  return { label, url: noticeUrl(notice, url) }
}

function affected(
  { components, ...notice }: SubscriberNotice,
  messages: EmailMessages,
  states: Messages['page']['states'],
): DetailRow[] {
  if (components.length === 0) return []
  const named = components.map((component) =>
    notice.kind === 'STATUS_INCIDENT' && 'state' in component
      ? `${toLine(component.name)} (${states[component.state]})`
      : toLine(component.name),
  )
  return [{ label: messages.affected, value: named.join(', ') }]
}

function times(notice: SubscriberNotice, messages: EmailMessages, clock: Clock): DetailRow[] {
  if (notice.kind === 'WINDOW') return []
  const detail = (label: string, iso: string) => ({ label, value: formatTime(iso, clock) })
  const { startedAt, resolvedAt } = notice
  if (resolvedAt === null) return [detail(messages.started, startedAt)]
  const lasted = { label: messages.lasted, value: formatDuration(startedAt, resolvedAt, clock) }
  return [detail(messages.started, startedAt), detail(messages.resolved, resolvedAt), lasted]
}

function footer(page: PageInfo, links: SubscriberLinks, messages: EmailMessages): Html {
  return html`${messages.because(toLine(page.name))}<br>${link(links.manage, messages.choose)} &middot; ${link(links.unsubscribe, messages.unsubscribe)}`
}

const link = (url: string, label: string) =>
  html`<a class="muted" href="${url}" style="color:#5f6977;text-decoration:underline">${label}</a>`

const ENVELOPE = '\u2709\ufe0e'

/** CONFIRM links to the confirmation page, REMIND to the subscription's settings. */
export function renderSubscriptionEmail(
  kind: 'CONFIRM' | 'REMIND',
  page: PageInfo,
  links: SubscriberLinks,
): RenderedEmail {
  const locale = toLocale(page.locale)
  const { email } = messagesOf(locale)
  const messages = kind === 'CONFIRM' ? email.confirm : email.known
  const url = kind === 'CONFIRM' ? links.confirm : links.manage
  // Anyone can have this sent to any address, so the page's name is the only text from others.
  const pageName = toUnlinkedName(page.name)
  const text = messages.text(pageName)
  const document = renderLayout({
    lang: locale,
    pageName,
    preview: html`${text}`,
    tone: 'NONE',
    glyph: ENVELOPE,
    heading: messages.heading,
    line: undefined,
    body: html`<p style="margin:0 0 12px">${text}</p>`,
    rows: [],
    button: { label: messages.button, url },
    footer: html`${messages.otherwise}`,
  })
  const plain = paragraphs(
    messages.heading,
    text,
    `${messages.button}:\n${url}`,
    messages.otherwise,
  )
  return { locale, subject: messages.heading, html: document, text: plain }
}

const paragraphs = (...parts: string[]): string =>
  `${parts.filter((part) => part !== '').join('\n\n')}\n`
