// Emails to the operator about the installation itself.
import type { Trouble } from '../../domain/operating/trouble.ts'
import { helpOf, helpUrl, REMEDIES } from '../../domain/operating/trouble-remedies.ts'
import { formatTime } from '../../render/email-times.ts'
import { html } from '../../render/html.ts'
import { renderLayout } from './layout.ts'
import type { RenderedEmail } from './templates.ts'

const PRODUCT = 'Upvane'
const LOCALE = 'en'
const MAX_SUBJECT_MESSAGE = 120

type OperatorNotice = { baseUrl: string; trouble: Trouble; isOver: boolean }

export function renderOperatorEmail({ baseUrl, trouble, isOver }: OperatorNotice): RenderedEmail {
  const { code, message, since } = trouble
  const { host } = new URL(baseUrl)
  const heading = `${PRODUCT} at ${host}: ${isOver ? 'resolved: ' : ''}${shorten(message)}`
  const from = formatTime(since.toISOString(), { locale: LOCALE, timezone: 'UTC' })
  const advice = isOver
    ? 'The service has recovered. Missed work is caught up on or recorded as missed.'
    : 'Outages may go unnoticed until this is fixed.'
  const remedy = isOver
    ? []
    : [
        REMEDIES[code],
        `More: ${helpUrl(baseUrl, code)} or, while that cannot be reached, ${helpOf(code)} in the directory of Upvane.`,
      ]
  const why = "You're receiving this because OPERATOR_EMAIL of this installation is your address."
  const document = renderLayout({
    lang: LOCALE,
    pageName: PRODUCT,
    preview: html`${isOver ? advice : message}`,
    tone: isOver ? 'UP' : 'DOWN',
    heading,
    line: { strong: isOver ? 'Resolved' : 'Problem', more: `since ${from}` },
    body: html`${[advice, ...remedy].map((line) => html`<p style="margin:0 0 12px">${line}</p>`)}`,
    rows: [
      { label: 'What', value: html`${message}` },
      { label: 'Code', value: html`${code}` },
    ],
    button: { label: `Open ${PRODUCT}`, url: baseUrl },
    footer: html`${why}`,
  })
  const parts = [heading, message, `Code: ${code}`, `Since: ${from}`, advice, ...remedy, baseUrl]
  const text = [...parts, `-- \n${why}`].join('\n\n')
  return {
    locale: LOCALE,
    subject: `${isOver ? '✓' : '✕'} ${heading}`,
    html: document,
    text: `${text}\n`,
  }
}

const shorten = (text: string) =>
  text.length > MAX_SUBJECT_MESSAGE ? `${text.slice(0, MAX_SUBJECT_MESSAGE - 1)}…` : text
