// Alert emails to contacts, in the language of the alert.
import { type Alert, headline, opens, toneOfAlert, truncate } from '../../domain/alerts/alert.ts'
import type { AlertEmail } from '../../domain/alerts/email.ts'
import { toLine } from '../../domain/values/email-text.ts'
import { emailTexts } from '../../render/email-texts.ts'
import { type Html, html } from '../../render/html.ts'
import { renderLayout } from './layout.ts'
import type { RenderedEmail } from './templates.ts'

type AlertTexts = ReturnType<typeof emailTexts>['alertEmails']

export function renderAlertEmail(
  { alert: sent, to, contactsUrl, recipient }: AlertEmail,
  language = 'en',
): RenderedEmail {
  const { alertEmails: texts } = emailTexts(language)
  const alert = inLines(sent)
  const { title, summary, facts, organization } = alert
  const beside = besideState(alert, texts)
  const button = buttonOf(alert, texts)
  const second = secondOf(alert, texts)
  const because = recipient === 'OWNER' ? texts.becauseOwner : texts.becauseContact
  const why = because({ address: to, organization })
  const document = renderLayout({
    lang: language,
    pageName: html`${texts.from({ name: organization, organization: muted })}`,
    preview: html`${summary}`,
    tone: toneOfAlert(alert),
    heading: title,
    line: { strong: labelOf(alert, texts), more: beside?.text ?? inSentence(summary) },
    body: undefined,
    rows: facts
      .filter((fact) => fact !== beside?.fact)
      .map(({ label, value }) => ({ label, value: html`${value}` })),
    button,
    ...(second && { second }),
    footer:
      recipient === 'OWNER' ? html`${why}` : html`${why} ${changeLink(contactsUrl, texts.manage)}`,
  })
  const parts = [
    title,
    summary,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...[button, second].flatMap((link) => (link ? `${link.label}:\n${link.url}` : [])),
    `-- \n${why}${recipient === 'OWNER' ? '' : `\n${texts.manage}: ${contactsUrl}`}`,
  ]
  const text = parts.filter((part) => part !== '').join('\n\n')
  return { locale: language, subject: subjectOf(alert, texts), html: document, text: `${text}\n` }
}

const muted = (inside: Html | string) =>
  html`<span class="muted" style="font-weight:400;color:#5f6977">${inside}</span>`

const changeLink = (url: string, label: string) =>
  html`<a class="muted" href="${url}" style="color:#5f6977;text-decoration:underline">${label}</a>`

/** Names may contain line breaks, which would start new paragraphs in the plain text. */
function inLines(alert: Alert): Alert {
  return {
    ...alert,
    title: toLine(alert.title),
    summary: toLine(alert.summary),
    organization: toLine(alert.organization),
    facts: alert.facts.map(({ label, value }) => ({ label, value: toLine(value) })),
  }
}

const SUBJECT_CAUSE = 60

/** `✕ Checkout is down: HTTP 503`, `✓ Checkout is up again after 7 min 40 s`: the subject alone says it all. */
function subjectOf(alert: Alert, texts: AlertTexts): string {
  if (alert.kind === 'TEST') return texts.test
  const [cause, lasted] = [detailOf(alert, 'Cause'), detailOf(alert, 'Lasted')]
  if (alert.kind === 'DOWN' && cause)
    return texts.downBecause({
      headline: headline(alert),
      cause: truncate(cause.value, SUBJECT_CAUSE),
    })
  if (alert.kind === 'RECOVERED' && lasted)
    return texts.upAfter({ headline: headline(alert), duration: lasted.value })
  return headline(alert)
}

const detailOf = ({ facts }: Alert, name: string) => facts.find(({ label }) => label === name)
/** Lowercased because it follows the word for the state. */
const inSentence = (summary: string) =>
  summary.replace(/^(?:After|Since) /, (word) => word.toLowerCase())

/** "Up" only after an outage; a monitor that was merely slow was up all the time. */
const labelOf = ({ kind, title }: Alert, { up, states }: AlertTexts) =>
  kind === 'RECOVERED' && / (?:is|are) up again$/.test(title) ? up : states[kind]

/** Shown next to the state and therefore not as a row: since when, or for how long. */
function besideState(alert: Alert, texts: AlertTexts) {
  const since = opens(alert) ? detailOf(alert, 'Since') : undefined
  if (since) return { fact: since, text: texts.since({ moment: since.value }) }
  const lasted = alert.kind === 'RECOVERED' ? detailOf(alert, 'Lasted') : undefined
  return lasted && { fact: lasted, text: texts.after({ duration: lasted.value }) }
}

// biome-ignore format: a table is read by its columns
const BUTTONS: Partial<Record<Alert['kind'], keyof AlertTexts['buttons']>> = {
  RECOVERED:       'incident',
  WEBHOOK_FAILING: 'webhooks',
  CONTACT_FAILING: 'contacts',
  TEST:            'contacts',
}

function buttonOf({ links, kind }: Alert, { buttons }: AlertTexts) {
  if (links.acknowledge !== null) return { label: buttons.acknowledge, url: links.acknowledge }
  return { label: buttons[BUTTONS[kind] ?? pageOf(links.open)], url: links.open }
}

function pageOf(url: string): 'monitors' | 'monitor' | 'incidents' {
  if (url.endsWith('/monitors')) return 'monitors'
  return url.includes('/monitors/') ? 'monitor' : 'incidents'
}

function secondOf(alert: Alert, { buttons }: AlertTexts) {
  const { links } = alert
  if (links.acknowledge === null || !opens(alert)) return undefined
  return {
    label: links.open.endsWith('/incidents') ? buttons.incidents : buttons.incident,
    url: links.open,
  }
}
