// Alert emails to contacts. In English, like the dashboard.
import { type Alert, headline, opens, toneOfAlert, truncate } from '../../domain/alerts/alert.ts'
import type { AlertEmail } from '../../domain/alerts/email.ts'
import { toLine } from '../../domain/values/email-text.ts'
import { html } from '../../render/html.ts'
import { renderLayout } from './layout.ts'
import type { RenderedEmail } from './templates.ts'

const PRODUCT = 'Upvane'
const LOCALE = 'en'

// biome-ignore format: a table is read by its columns
const KIND_LABELS: Record<Alert['kind'], string> = {
  DOWN:             'Down',
  REMINDER:         'Still down',
  DEGRADED:         'Degraded',
  RECOVERED:        'Recovered',
  PARTLY_RECOVERED: 'Partly recovered',
  CLOSED:           'Closed',
  EXPIRING:         'Expires',
  DNS_CHANGED:      'Changed',
  WEBHOOK_FAILING:  'Failing',
  CONTACT_FAILING:  'Failing',
  NOT_CHECKED:      'No results',
  CHECKED_AGAIN:    'Checked again',
  FAILS_FROM_HOME:  'Failing',
  TEST:             'Test',
}

export function renderAlertEmail({
  alert: sent,
  to,
  contactsUrl,
  recipient,
}: AlertEmail): RenderedEmail {
  const alert = inLines(sent)
  const { title, summary, facts, organization } = alert
  const beside = besideState(alert)
  const button = buttonOf(alert)
  const second = secondOf(alert)
  const role = recipient === 'OWNER' ? 'an owner of' : 'an alert contact for'
  const why = `You're receiving this because ${to} is ${role} ${organization}.`
  const document = renderLayout({
    lang: LOCALE,
    pageName: html`${PRODUCT} <span class="muted" style="font-weight:400;color:#5f6977">for ${organization}</span>`,
    preview: html`${summary}`,
    tone: toneOfAlert(alert),
    heading: title,
    line: { strong: labelOf(alert), more: beside?.text ?? inSentence(summary) },
    body: undefined,
    rows: facts
      .filter((fact) => fact !== beside?.fact)
      .map(({ label, value }) => ({ label, value: html`${value}` })),
    button,
    ...(second && { second }),
    footer: recipient === 'OWNER' ? html`${why}` : html`${why} ${changeLink(contactsUrl)}`,
  })
  const parts = [
    title,
    summary,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...[button, second].flatMap((link) => (link ? `${link.label}:\n${link.url}` : [])),
    `-- \n${why}${recipient === 'OWNER' ? '' : `\nManage alerts: ${contactsUrl}`}`,
  ]
  const text = parts.filter((part) => part !== '').join('\n\n')
  return { locale: LOCALE, subject: subjectOf(alert), html: document, text: `${text}\n` }
}

const changeLink = (url: string) =>
  html`<a class="muted" href="${url}" style="color:#5f6977;text-decoration:underline">Manage alerts</a>`

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
function subjectOf(alert: Alert): string {
  if (alert.kind === 'TEST') return `Test alert from ${PRODUCT}`
  const [cause, lasted] = [detailOf(alert, 'Cause'), detailOf(alert, 'Lasted')]
  if (alert.kind === 'DOWN' && cause)
    return `${headline(alert)}: ${truncate(cause.value, SUBJECT_CAUSE)}`
  if (alert.kind === 'RECOVERED' && lasted) return `${headline(alert)} after ${lasted.value}`
  return headline(alert)
}

const detailOf = ({ facts }: Alert, name: string) => facts.find(({ label }) => label === name)
/** Lowercased because it follows the word for the state. */
const inSentence = (summary: string) =>
  summary.replace(/^(?:After|Since) /, (word) => word.toLowerCase())

/** "Up" only after an outage; a monitor that was merely slow was up all the time. */
const labelOf = ({ kind, title }: Alert) =>
  kind === 'RECOVERED' && / (?:is|are) up again$/.test(title) ? 'Up' : KIND_LABELS[kind]

/** Shown next to the state and therefore not as a row: since when, or for how long. */
function besideState(alert: Alert) {
  const since = opens(alert) ? detailOf(alert, 'Since') : undefined
  if (since) return { fact: since, text: `since ${since.value}` }
  const lasted = alert.kind === 'RECOVERED' ? detailOf(alert, 'Lasted') : undefined
  return lasted && { fact: lasted, text: `after ${lasted.value}` }
}

// biome-ignore format: a table is read by its columns
const BUTTONS: Partial<Record<Alert['kind'], string>> = {
  RECOVERED:       'View incident',
  WEBHOOK_FAILING: 'Open webhooks',
  CONTACT_FAILING: 'Open alert contacts',
  TEST:            'Open alert contacts',
}

function buttonOf({ links, kind }: Alert) {
  if (links.acknowledge !== null) return { label: 'Acknowledge', url: links.acknowledge }
  return { label: BUTTONS[kind] ?? labelOfPage(links.open), url: links.open }
}

function labelOfPage(url: string): string {
  if (url.endsWith('/monitors')) return 'View monitors'
  return url.includes('/monitors/') ? 'View monitor' : 'View incidents'
}

function secondOf(alert: Alert) {
  const { links } = alert
  if (links.acknowledge === null || !opens(alert)) return undefined
  return {
    label: links.open.endsWith('/incidents') ? 'View incidents' : 'View incident',
    url: links.open,
  }
}
