// Emails to people about their accounts, in the language of the recipient.
import type { AccountChange, AccountEmail } from '../../domain/people/account-email.ts'
import { toUnlinkedName } from '../../domain/values/email-text.ts'
import { emailTexts } from '../../render/email-texts.ts'
import { formatTime } from '../../render/email-times.ts'
import { html } from '../../render/html.ts'
import { renderLayout } from './layout.ts'
import type { RenderedEmail } from './templates.ts'

type Content = {
  subject: string
  heading: string
  paragraphs: string[]
  facts: { label: string; value: string }[]
  button: string
  otherwise: string
}

const PRODUCT = 'Upvane'
const ENVELOPE = '\u2709\ufe0e'

export function renderAccountEmail(mail: AccountEmail, language = 'en'): RenderedEmail {
  const content = contentOf(mail, writingIn(mail, language))
  const { subject, heading, paragraphs, facts, button, otherwise } = content
  const document = renderLayout({
    lang: language,
    pageName: PRODUCT,
    preview: html`${paragraphs.join(' ')}`,
    tone: 'NONE',
    glyph: ENVELOPE,
    heading,
    line: undefined,
    body: html`${paragraphs.map((text) => html`<p style="margin:0 0 12px">${text}</p>`)}`,
    rows: facts.map(({ label, value }) => ({ label, value: html`${value}` })),
    button: { label: button, url: mail.link },
    footer: html`${otherwise}`,
  })
  const text = [
    heading,
    ...paragraphs,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    `${button}:\n${mail.link}`,
    `-- \n${otherwise}`,
  ]
  return { locale: language, subject, html: document, text: `${text.join('\n\n')}\n` }
}

/** The words of one email, and how it writes a time. */
type Writing = {
  texts: ReturnType<typeof emailTexts>['accountEmails']
  timeOf: (iso: string) => string
}
type Of<Kind extends AccountEmail['kind']> = Extract<AccountEmail, { kind: Kind }>

const writingIn = ({ timezone = 'UTC' }: AccountEmail, locale: string): Writing => ({
  texts: emailTexts(locale).accountEmails,
  timeOf: (iso) => formatTime(iso, { locale, timezone }),
})

function contentOf(mail: AccountEmail, writing: Writing): Content {
  switch (mail.kind) {
    case 'RESET_PASSWORD':
      return resetContent(mail, writing)
    case 'INVITATION':
      return invitationContent(mail, writing)
    case 'CONFIRM_CONTACT':
      return confirmContent(mail, writing)
    case 'ORGANIZATION_DELETED':
      return deletedContent(mail, writing)
    case 'ACCOUNT_CHANGED':
      return changedContent(mail, writing)
  }
}

function confirmContent({ organization, to, endsAt }: Of<'CONFIRM_CONTACT'>, writing: Writing) {
  const { confirmContact: texts, facts } = writing.texts
  return {
    ...texts,
    paragraphs: [texts.about({ organization: toUnlinkedName(organization) })],
    facts: [{ label: facts.address, value: to }, expires(endsAt, writing)],
  }
}

function deletedContent(mail: Of<'ORGANIZATION_DELETED'>, { texts: all, timeOf }: Writing) {
  const { organizationDeleted: texts, facts } = all
  const [by, organization] = [toUnlinkedName(mail.deletedBy), toUnlinkedName(mail.organization)]
  return {
    ...texts,
    heading: texts.subject,
    paragraphs: [texts.about({ by, organization }), texts.undo],
    facts: [{ label: facts.deletedForGood, value: timeOf(mail.endsAt) }],
  }
}

function changedContent(mail: Of<'ACCOUNT_CHANGED'>, { texts: all, timeOf }: Writing): Content {
  const { accountChanged: texts, facts, hello } = all
  const { name, change, to, at, network } = mail
  return {
    subject: texts.subjects[change],
    heading: texts.subjects[change],
    paragraphs: [hello({ name: toUnlinkedName(name) }), texts[NOT_YOU[change] ?? 'notYou']],
    facts: [
      { label: facts.account, value: to },
      { label: facts.time, value: timeOf(at) },
      { label: facts.network, value: network },
    ],
    button: texts.button,
    otherwise: texts.otherwise,
  }
}

// A new password removes neither, so the person who added it could still sign in.
const NOT_YOU: Partial<Record<AccountChange, 'notYouAndLinked' | 'notYouAndPasskey'>> = {
  IDENTITY_LINKED: 'notYouAndLinked',
  PASSKEY_ADDED: 'notYouAndPasskey',
}

function resetContent({ name, to, endsAt }: Of<'RESET_PASSWORD'>, writing: Writing): Content {
  const { resetPassword: texts, facts, hello } = writing.texts
  return {
    ...texts,
    heading: texts.subject,
    paragraphs: [hello({ name: toUnlinkedName(name) }), texts.about],
    facts: [{ label: facts.account, value: to }, expires(endsAt, writing)],
  }
}

/** The subject contains nothing a stranger chose: people judge an email by it. */
function invitationContent(mail: Of<'INVITATION'>, writing: Writing): Content {
  const { invitation: texts, facts, roles } = writing.texts
  const [by, organization] = [toUnlinkedName(mail.invitedBy), toUnlinkedName(mail.organization)]
  return {
    ...texts,
    paragraphs: [texts.about({ by, organization })],
    facts: [{ label: facts.role, value: roles[mail.role] }, expires(mail.endsAt, writing)],
  }
}

const expires = (endsAt: string, { texts, timeOf }: Writing) => ({
  label: texts.facts.expires,
  value: timeOf(endsAt),
})
