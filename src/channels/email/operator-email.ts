// Emails to the operator about the installation itself.
import type { Condition } from '../../domain/operating/condition.ts'
import { helpOf, helpUrl, REMEDIES } from '../../domain/operating/condition-remedies.ts'
import { emailTexts } from '../../render/email-texts.ts'
import { formatTime } from '../../render/email-times.ts'
import { html } from '../../render/html.ts'
import { renderLayout } from './layout.ts'
import type { RenderedEmail } from './templates.ts'

const PRODUCT = 'Upvane'
const MAX_SUBJECT_MESSAGE = 120

type OperatorNotice = { baseUrl: string; condition: Condition; isOver: boolean }

export function renderOperatorEmail(
  { baseUrl, condition, isOver }: OperatorNotice,
  language = 'en',
): RenderedEmail {
  const { operatorEmails: texts } = emailTexts(language)
  const { code, message, since } = condition
  const { host } = new URL(baseUrl)
  const heading = (isOver ? texts.resolved : texts.began)({ host, message: shorten(message) })
  const moment = formatTime(since.toISOString(), { locale: language, timezone: 'UTC' })
  const advice = isOver ? texts.recovered : texts.fixIt
  const more = texts.more({ url: helpUrl(baseUrl, code), file: helpOf(code) })
  const remedy = isOver ? [] : [REMEDIES[code], more]
  const { facts, states } = texts
  const document = renderLayout({
    lang: language,
    pageName: PRODUCT,
    preview: html`${isOver ? advice : message}`,
    tone: isOver ? 'UP' : 'DOWN',
    heading,
    line: { strong: isOver ? states.resolved : states.problem, more: texts.since({ moment }) },
    body: html`${[advice, ...remedy].map((line) => html`<p style="margin:0 0 12px">${line}</p>`)}`,
    rows: [
      { label: facts.what, value: html`${message}` },
      { label: facts.code, value: html`${code}` },
    ],
    button: { label: texts.open, url: baseUrl },
    footer: html`${texts.because}`,
  })
  const rows = [`${facts.code}: ${code}`, `${facts.since}: ${moment}`]
  const parts = [heading, message, ...rows, advice, ...remedy, baseUrl]
  const text = [...parts, `-- \n${texts.because}`].join('\n\n')
  return {
    locale: language,
    subject: `${isOver ? '✓' : '✕'} ${heading}`,
    html: document,
    text: `${text}\n`,
  }
}

const shorten = (text: string) =>
  text.length > MAX_SUBJECT_MESSAGE ? `${text.slice(0, MAX_SUBJECT_MESSAGE - 1)}…` : text
