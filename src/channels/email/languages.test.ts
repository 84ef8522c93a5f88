// Emails in `en-XA`, a language for tests: a word without accents is from no catalog.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert, AlertKind } from '../../domain/alerts/alert.ts'
import type { AccountChange, AccountEmail } from '../../domain/people/account-email.ts'
import { renderAccountEmail } from './account-emails.ts'
import { renderAlertEmail } from './alert-emails.ts'
import { renderOperatorEmail } from './operator-email.ts'
import type { RenderedEmail } from './templates.ts'
import { renderTestEmail } from './test-email.ts'

const PSEUDO = 'en-XA'
const URL = 'https://1.2'
const BASE = { to: '1@2', link: URL, endsAt: '2026-11-14T13:00:00.000Z' }

const CHANGES: AccountChange[] = ['PASSWORD', 'PASSKEY_ADDED', 'IDENTITY_LINKED']
const ACCOUNT: AccountEmail[] = [
  { ...BASE, kind: 'RESET_PASSWORD', name: '1' },
  { ...BASE, kind: 'INVITATION', organization: '1', invitedBy: '2', role: 'ADMIN' },
  { ...BASE, kind: 'CONFIRM_CONTACT', organization: '1' },
  { ...BASE, kind: 'ORGANIZATION_DELETED', organization: '1', deletedBy: '2' },
  ...CHANGES.map((change): AccountEmail => {
    return { ...BASE, kind: 'ACCOUNT_CHANGED', name: '1', change, at: BASE.endsAt, network: '3' }
  }),
]
const KINDS: AlertKind[] = [
  'DOWN',
  'RECOVERED',
  'EXPIRING',
  'WEBHOOK_FAILING',
  'CONTACT_FAILING',
  'NOT_CHECKED',
  'TEST',
]
const alertOf = (kind: AlertKind): Alert => ({
  kind,
  thread: 't',
  organization: '1',
  title: '2',
  summary: '3',
  facts: [],
  links: { open: `${URL}/incidents`, acknowledge: kind === 'DOWN' ? `${URL}/#4` : null },
  at: BASE.endsAt,
})

const EMAILS: [what: string, email: RenderedEmail][] = [
  ...ACCOUNT.map((mail): [string, RenderedEmail] => [mail.kind, renderAccountEmail(mail, PSEUDO)]),
  ...KINDS.flatMap((kind) =>
    (['OWNER', undefined] as const).map((recipient): [string, RenderedEmail] => [
      `${kind} to ${recipient ?? 'a contact'}`,
      renderAlertEmail(
        {
          kind: 'ALERT',
          to: '1@2',
          thread: 't',
          alert: alertOf(kind),
          contactsUrl: URL,
          ...(recipient && { recipient }),
        },
        PSEUDO,
      ),
    ]),
  ),
  ['test', renderTestEmail({ organization: '1', name: '2', baseUrl: URL }, PSEUDO)],
  [
    'operator',
    renderOperatorEmail(
      {
        baseUrl: URL,
        condition: { code: 'NO_BUS', subject: '', message: '1', since: new Date(0) },
        isOver: true,
      },
      PSEUDO,
    ),
  ],
]

// Times are from Intl, codes and the product's name are no words.
const NO_WORDS =
  /https?:\/\/\S+|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \w{3} \d+, \d{4}, \d\d:\d\d UTC|\bUpvane\b|\bNO_BUS\b/g

for (const [what, { locale, subject, text, html }] of EMAILS)
  test(`${what}: every word of the email is from a catalog`, () => {
    assert.equal(locale, PSEUDO)
    const shown = html.replaceAll(/<style>[\s\S]*?<\/style>|<[^>]*>|&\w+;/g, ' ')
    for (const form of [subject, text, shown])
      assert.doesNotMatch(form.replaceAll(NO_WORDS, ''), /[a-z]{2}/, form)
    assert.match(text, /⟦.*⟧/)
  })
