// The email people send to themselves to test that email works.
import { toLine } from '../../domain/values/email-text.ts'
import { html } from '../../render/html.ts'
import { renderLayout } from './layout.ts'
import type { RenderedEmail } from './templates.ts'

const PRODUCT = 'Upvane'
const LOCALE = 'en'

type TestEmail = { organization: string; name: string; baseUrl: string }

export function renderTestEmail({ organization, name, baseUrl }: TestEmail): RenderedEmail {
  const heading = 'Email works'
  const paragraphs = [
    `Hello ${toLine(name)},`,
    'This is a test. Alerts, invitations, password resets and status page updates are sent the same way.',
  ]
  const why = `You're receiving this because you sent a test from the settings of ${toLine(organization)}.`
  const document = renderLayout({
    lang: LOCALE,
    pageName: PRODUCT,
    preview: html`${paragraphs.join(' ')}`,
    tone: 'UP',
    heading,
    line: undefined,
    body: html`${paragraphs.map((text) => html`<p style="margin:0 0 12px">${text}</p>`)}`,
    rows: [],
    button: { label: `Open ${PRODUCT}`, url: baseUrl },
    footer: html`${why}`,
  })
  const text = [heading, ...paragraphs, baseUrl, `-- \n${why}`].join('\n\n')
  return {
    locale: LOCALE,
    subject: `Test email from ${PRODUCT}`,
    html: document,
    text: `${text}\n`,
  }
}
