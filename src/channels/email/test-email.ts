// The email people send to themselves to test that email works.
import { toLine } from '../../domain/values/email-text.ts'
import { html } from '../../render/html.ts'
import { renderLayout } from './layout.ts'
import type { RenderedEmail } from './templates.ts'

const PRODUCT = 'Upvane'
const LOCALE = 'en'

type TestEmail = { organization: string; name: string; baseUrl: string }

export function renderTestEmail({ organization, name, baseUrl }: TestEmail): RenderedEmail {
  const heading = 'Mail arrives'
  const paragraphs = [
    `Hello ${toLine(name)},`,
    'alerts, invitations, links for a new password and notices to subscribers of status pages come from here. This one was sent to see that they do.',
  ]
  const why = `You asked for it in the settings of ${toLine(organization)}.`
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
