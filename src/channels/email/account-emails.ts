// Emails to people about their accounts. Always in English, whatever the language of their status pages.
import type { AccountChange, AccountEmail } from '../../domain/people/account-email.ts'
import type { Role } from '../../domain/people/role.ts'
import { toUnlinkedName } from '../../domain/values/email-text.ts'
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
const LOCALE = 'en'
const ENVELOPE = '\u2709\ufe0e'
const ROLE_LABELS: Record<Role, string> = {
  READ_ONLY: 'Read only',
  MEMBER: 'Member',
  ADMIN: 'Admin',
  OWNER: 'Owner',
}

export function renderAccountEmail(mail: AccountEmail): RenderedEmail {
  const content = contentOf(mail)
  const { subject, heading, paragraphs, facts, button, otherwise } = content
  const document = renderLayout({
    lang: LOCALE,
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
  return { locale: LOCALE, subject, html: document, text: `${text.join('\n\n')}\n` }
}

function contentOf(mail: AccountEmail): Content {
  switch (mail.kind) {
    case 'RESET_PASSWORD':
      return resetContent(mail)
    case 'INVITATION':
      return invitationContent(mail)
    case 'CONFIRM_CONTACT':
      return confirmContent(mail)
    case 'ORGANIZATION_DELETED':
      return deletedContent(mail)
    case 'ACCOUNT_CHANGED':
      return changedContent(mail)
  }
}

function confirmContent(mail: Extract<AccountEmail, { kind: 'CONFIRM_CONTACT' }>): Content {
  const { organization, to } = mail
  return {
    subject: 'Confirm that you want to receive alerts',
    heading: 'Confirm this address',
    paragraphs: [
      `${toUnlinkedName(organization)} wants to send alerts about its websites and services to this address with ${PRODUCT}. No alert is sent before you confirm.`,
    ],
    facts: [{ label: 'Address', value: to }, ends(mail)],
    button: 'Review and confirm',
    otherwise: "Don't know them? You can ignore this email; nothing more is sent.",
  }
}

function deletedContent(mail: Extract<AccountEmail, { kind: 'ORGANIZATION_DELETED' }>): Content {
  const { organization, deletedBy, endsAt } = mail
  return {
    subject: 'Your organization is being deleted',
    heading: 'Your organization is being deleted',
    paragraphs: [
      `${toUnlinkedName(deletedBy)} deleted ${toUnlinkedName(organization)} on ${PRODUCT}. Its checks, alerts, API keys and status pages are off.`,
      'Until the time below, any owner can undo this. Then everything in it is deleted for good.',
    ],
    facts: [{ label: 'Deleted for good', value: timeIn(mail, endsAt) }],
    button: 'Review or undo',
    otherwise: "You're receiving this because you're an owner of this organization.",
  }
}

// biome-ignore format: a table is read by its columns
const CHANGES: Record<AccountChange, string> = {
  PASSWORD:          'Your password was changed',
  SECOND_FACTOR_ON:  'Two-factor authentication was turned on',
  SECOND_FACTOR_OFF: 'Two-factor authentication was turned off',
  PASSKEY_ADDED:     'A passkey was added to your account',
  PASSKEY_REMOVED:   'A passkey was removed from your account',
  IDENTITY_LINKED:   'Your account was linked to an identity provider',
  IDENTITY_UNLINKED: 'Your account was unlinked from its identity provider',
}

const CHOOSE_PASSWORD = 'choose a new password now. That signs out everyone else.'
// A new password removes neither, so the person who added it could still sign in.
const ALSO_REMOVE: Partial<Record<AccountChange, string>> = {
  IDENTITY_LINKED: ' Then unlink the identity provider on your account page.',
  PASSKEY_ADDED: ' Then remove the passkey on your account page.',
}

function changedContent(mail: Extract<AccountEmail, { kind: 'ACCOUNT_CHANGED' }>): Content {
  const { name, change, to, at, network } = mail
  return {
    subject: CHANGES[change],
    heading: CHANGES[change],
    paragraphs: [
      `Hello ${toUnlinkedName(name)},`,
      `If this was you, you can ignore this email. If not, ${CHOOSE_PASSWORD}${ALSO_REMOVE[change] ?? ''}`,
    ],
    facts: [
      { label: 'Account', value: to },
      { label: 'Time', value: timeIn(mail, at) },
      { label: 'Network', value: network },
    ],
    button: 'Reset your password',
    otherwise: `You're receiving this because it affects how you sign in to ${PRODUCT}.`,
  }
}

function resetContent(mail: Extract<AccountEmail, { kind: 'RESET_PASSWORD' }>): Content {
  const { name, to } = mail
  return {
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    paragraphs: [
      `Hello ${toUnlinkedName(name)},`,
      'Someone (hopefully you) asked to reset your password. The link works once and signs you out everywhere.',
    ],
    facts: [{ label: 'Account', value: to }, ends(mail)],
    button: 'Choose a new password',
    otherwise: 'Not you? Ignore this email; nothing changes.',
  }
}

function invitationContent(mail: Extract<AccountEmail, { kind: 'INVITATION' }>): Content {
  const { organization, invitedBy, role } = mail
  const [who, where] = [toUnlinkedName(invitedBy), toUnlinkedName(organization)]
  return {
    // Contains nothing a stranger chose: recipients judge an email by its subject.
    subject: `You were invited to an organization on ${PRODUCT}`,
    heading: 'Join an organization',
    paragraphs: [
      `${who} invited you to join ${where} on ${PRODUCT}. The link works once, for this address only.`,
    ],
    facts: [{ label: 'Role', value: ROLE_LABELS[role] }, ends(mail)],
    button: 'Accept invitation',
    otherwise: "Don't know them? You can ignore this email.",
  }
}

const ends = (mail: AccountEmail) => ({ label: 'Expires', value: timeIn(mail, mail.endsAt) })

const timeIn = ({ timezone = 'UTC' }: AccountEmail, iso: string): string =>
  formatTime(iso, { locale: LOCALE, timezone })
