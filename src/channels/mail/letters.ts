// What the mails of a status page say: subject, HTML and the same as plain text.
import { type Notice, toneOf } from '../../domain/status-pages/notice.ts'
import { type Locale, toLocale } from '../../domain/values/locale.ts'
import { toLine, toUnlinkedName } from '../../domain/values/mail-text.ts'
import { layOut } from './layout.ts'
import { type Markup, markdown, markup, preview } from './markup.ts'
import { type Clock, formatDuration, formatRange, formatTime } from './times.ts'
import { fill, headOf, WORDS, type Words } from './words.ts'

type PageFacts = { name: string; locale: string; timezone: string; url: string }

/** Addresses that know the subscriber by his token. */
type SubscriberLinks = { confirm: string; manage: string; unsubscribe: string }

export type Letter = { locale: Locale; subject: string; html: string; text: string }

type Fact = { label: string; value: string }

export function noticeLetter(notice: Notice, page: PageFacts, links: SubscriberLinks): Letter {
  const locale = toLocale(page.locale)
  const words = WORDS[locale]
  const clock = { locale, timezone: page.timezone }
  const head = headOf(notice, words)
  const title = toLine(notice.kind === 'WINDOW' ? notice.name : notice.title)
  const message = (notice.kind === 'WINDOW' ? notice.description : notice.message) ?? ''
  const when = whenOf(notice, clock)
  const facts = [...affected(notice, words), ...times(notice, words, clock)]
  const button = buttonOf(notice, page, words)
  const body = message === '' ? undefined : markdown(message)
  const html = layOut({
    lang: locale,
    pageName: page.name,
    preview: body === undefined ? markup`${head}, ${when}` : preview(body),
    tone: toneOf(notice),
    heading: title,
    line: { strong: head, more: when },
    body,
    rows: facts.map(({ label, value }) => ({ label, value: markup`${value}` })),
    button,
    footer: footer(page, links, words),
  })
  const text = paragraphs(
    `${head}: ${title}\n${when}`,
    message,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    button.url,
    `-- \n${fill(words.because, toLine(page.name))}\n${words.choose}: ${links.manage}\n${words.unsubscribe}: ${links.unsubscribe}`,
  )
  return { locale, subject: `${head}: ${title}`, html, text }
}

function buttonOf(notice: Notice, { url }: PageFacts, words: Words) {
  if (notice.kind === 'STATUS_INCIDENT')
    return { label: words.openIncident, url: `${url}/incidents/${notice.id}` }
  // One that was canceled has no page any more.
  const isThere = notice.what !== 'CANCELED'
  return { label: words.openPage, url: isThere ? `${url}/maintenance/${notice.id}` : url }
}

function affected({ components, ...notice }: Notice, words: Words): Fact[] {
  if (components.length === 0) return []
  const named = components.map((component) =>
    notice.kind === 'STATUS_INCIDENT' && 'state' in component
      ? `${toLine(component.name)} (${words.state[component.state]})`
      : toLine(component.name),
  )
  return [{ label: words.affected, value: named.join(', ') }]
}

/** Of a window: its span. Of an incident: when this was said. */
function whenOf(notice: Notice, clock: Clock): string {
  return notice.kind === 'WINDOW'
    ? formatRange(notice.startsAt, notice.endsAt, clock)
    : formatTime(notice.at, clock)
}

function times(notice: Notice, words: Words, clock: Clock): Fact[] {
  if (notice.kind === 'WINDOW') return []
  const fact = (label: string, iso: string) => ({ label, value: formatTime(iso, clock) })
  const { startedAt, resolvedAt } = notice
  if (resolvedAt === null) return [fact(words.started, startedAt)]
  const lasted = { label: words.lasted, value: formatDuration(startedAt, resolvedAt, clock) }
  return [fact(words.started, startedAt), fact(words.resolved, resolvedAt), lasted]
}

function footer(page: PageFacts, links: SubscriberLinks, words: Words): Markup {
  return markup`${fill(words.because, toLine(page.name))}<br>${link(links.manage, words.choose)} &middot; ${link(links.unsubscribe, words.unsubscribe)}`
}

const link = (url: string, label: string) =>
  markup`<a class="muted" href="${url}" style="color:#5f6977;text-decoration:underline">${label}</a>`

const ENVELOPE = '\u2709\ufe0e'

/** CONFIRM leads to the page that confirms, REMIND to what can be changed. */
export function askedLetter(
  kind: 'CONFIRM' | 'REMIND',
  page: PageFacts,
  links: SubscriberLinks,
): Letter {
  const locale = toLocale(page.locale)
  const words = WORDS[locale][kind === 'CONFIRM' ? 'confirm' : 'known']
  const url = kind === 'CONFIRM' ? links.confirm : links.manage
  // Anybody can have it sent to anybody, so the page's name is all it takes from others.
  const pageName = toUnlinkedName(page.name)
  const text = fill(words.text, pageName)
  const html = layOut({
    lang: locale,
    pageName,
    preview: markup`${text}`,
    tone: 'NONE',
    glyph: ENVELOPE,
    heading: words.heading,
    line: undefined,
    body: markup`<p style="margin:0 0 12px">${text}</p>`,
    rows: [],
    button: { label: words.button, url },
    footer: markup`${words.otherwise}`,
  })
  const plain = paragraphs(words.heading, text, `${words.button}:\n${url}`, words.otherwise)
  return { locale, subject: words.heading, html, text: plain }
}

const paragraphs = (...parts: string[]): string =>
  `${parts.filter((part) => part !== '').join('\n\n')}\n`
