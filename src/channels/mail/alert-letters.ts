// What a contact is told by e-mail. In English, as the dashboard is.
import { type Alert, headline, opens, toneOfAlert } from '../../domain/alert.ts'
import type { AlertMail } from '../../domain/alert-mail.ts'
import { layOut } from './layout.ts'
import type { Letter } from './letters.ts'
import { markup } from './markup.ts'

const PRODUCT = 'Upvane'
const LOCALE = 'en'

// biome-ignore format: a table is read by its columns
const WORDS: Record<Alert['kind'], string> = {
  DOWN:             'Down',
  REMINDER:         'Still down',
  DEGRADED:         'Degraded',
  RECOVERED:        'Over',
  PARTLY_RECOVERED: 'Partly over',
  EXPIRING:         'Expires',
  DNS_CHANGED:      'Changed',
  WEBHOOK_FAILING:  'Failing',
  TEST:             'Test',
}

export function alertLetter({ alert, to, contactsUrl }: AlertMail): Letter {
  const { title, summary, facts, organization } = alert
  // Beside the state, as its first word, where the cause is a row of its own.
  const since = opens(alert) ? facts.find(({ label }) => label === 'Since') : undefined
  const button = buttonOf(alert)
  const second = secondOf(alert)
  const why = `You get this because ${to} is an alert contact of ${organization}.`
  const html = layOut({
    lang: LOCALE,
    pageName: `${PRODUCT} for ${organization}`,
    preview: markup`${summary}`,
    tone: toneOfAlert(alert),
    heading: title,
    line: {
      strong: WORDS[alert.kind],
      more: since === undefined ? summary : `since ${since.value}`,
    },
    body: undefined,
    rows: facts
      .filter((fact) => fact !== since)
      .map(({ label, value }) => ({ label, value: markup`${value}` })),
    button,
    ...(second && { second }),
    footer: markup`${why} <a class="muted" href="${contactsUrl}" style="color:#5f6977;text-decoration:underline">Change what is sent</a>`,
  })
  const parts = [
    title,
    summary,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...[button, second].flatMap((link) => (link ? `${link.label}:\n${link.url}` : [])),
    `-- \n${why}\nChange what is sent: ${contactsUrl}`,
  ]
  const text = parts.filter((part) => part !== '').join('\n\n')
  return { locale: LOCALE, subject: headline(alert), html, text: `${text}\n` }
}

function buttonOf({ links, kind }: Alert) {
  if (links.acknowledge !== null) return { label: 'Acknowledge', url: links.acknowledge }
  return { label: kind === 'RECOVERED' ? 'See what happened' : 'Open', url: links.open }
}

function secondOf(alert: Alert) {
  const { links } = alert
  if (links.acknowledge === null || !opens(alert)) return undefined
  return { label: 'Open the incident', url: links.open }
}
