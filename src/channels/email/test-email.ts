// The email people send to themselves to test that email works.
import { toLine } from '../../domain/values/email-text.ts'
import { emailTexts } from '../../render/email-texts.ts'
import { html } from '../../render/html.ts'
import { renderLayout } from './layout.ts'
import type { RenderedEmail } from './templates.ts'

const PRODUCT = 'Upvane'

type TestEmail = { organization: string; name: string; baseUrl: string }

export function renderTestEmail(
  { organization, name, baseUrl }: TestEmail,
  language = 'en',
): RenderedEmail {
  const { testEmail: texts } = emailTexts(language)
  const { heading } = texts
  const paragraphs = [texts.hello({ name: toLine(name) }), texts.about]
  const why = texts.because({ organization: toLine(organization) })
  const document = renderLayout({
    lang: language,
    pageName: PRODUCT,
    preview: html`${paragraphs.join(' ')}`,
    tone: 'UP',
    heading,
    line: undefined,
    body: html`${paragraphs.map((text) => html`<p style="margin:0 0 12px">${text}</p>`)}`,
    rows: [],
    button: { label: texts.open, url: baseUrl },
    footer: html`${why}`,
  })
  const text = [heading, ...paragraphs, baseUrl, `-- \n${why}`].join('\n\n')
  return { locale: language, subject: texts.subject, html: document, text: `${text}\n` }
}
