import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountEmail } from '../../domain/people/account-email.ts'
import { renderAccountEmail } from './account-emails.ts'

const LINK = 'https://upvane.example/invitation#t0ken'
const RESET: AccountEmail = {
  kind: 'RESET_PASSWORD',
  to: 'ana@example.com',
  name: 'Ana',
  link: 'https://upvane.example/reset-password#t0ken',
  endsAt: '2026-11-14T13:00:00.000Z',
}
const INVITATION: AccountEmail = {
  kind: 'INVITATION',
  to: 'bob@example.com',
  organization: 'Acme',
  invitedBy: 'Ana',
  role: 'READ_ONLY',
  link: LINK,
  endsAt: '2026-11-21T12:00:00.000Z',
}

test('a link for a new password: for whom, until when, and what if it was not you', () => {
  const { subject, text, html } = renderAccountEmail(RESET)
  assert.equal(subject, 'Choose a new password')
  assert.equal(
    text,
    `Choose a new password

Hello Ana,

Someone (hopefully you) asked to reset your password. The link works once and signs you out everywhere.

Account: ana@example.com
Expires: Sat, Nov 14, 2026, 13:00 UTC

Choose a new password:
https://upvane.example/reset-password#t0ken

-- \nNot you? Ignore this email; nothing changes.
`,
  )
  for (const part of ['Hello Ana,', 'ana@example.com', '13:00 UTC', RESET.link, 'Not you?'])
    assert.ok(html.includes(part), part)
})

test('an invitation: by whom, to what, as what', () => {
  const { subject, text, html } = renderAccountEmail(INVITATION)
  assert.equal(subject, 'You were invited to an organization on Upvane')
  for (const part of ['Ana invited you to join Acme', 'Read only', 'Sat, Nov 21, 2026', LINK])
    for (const form of [text, html]) assert.ok(form.includes(part), part)
})

test('a deleted organization: by whom, until when it can be undone, in its time zone', () => {
  const { subject, text, html } = renderAccountEmail({
    kind: 'ORGANIZATION_DELETED',
    to: 'bob@example.com',
    organization: 'Acme',
    deletedBy: 'Ana',
    timezone: 'Europe/Zurich',
    link: 'https://upvane.example/settings',
    endsAt: '2026-11-21T12:00:00.000Z',
  })
  assert.equal(subject, 'Your organization is being deleted')
  for (const part of ['Ana deleted Acme', 'any owner can undo', 'Sat, Nov 21, 2026, 13:00'])
    for (const form of [text, html]) assert.ok(form.includes(part), part)
})

test("no line, link or subject of a mail to a stranger is the sender's", () => {
  const evil =
    'Your account will be closed.\r\n\r\nConfirm it at https://upvane-login.example/ \u202enow'
  const { subject, text, html } = renderAccountEmail({
    ...INVITATION,
    organization: evil,
    invitedBy: evil,
  })
  assert.equal(subject, renderAccountEmail(INVITATION).subject)
  assert.equal(text.split('\n').length, renderAccountEmail(INVITATION).text.split('\n').length)
  for (const form of [text, html]) assert.doesNotMatch(form, /login\.example|\u202e/)
})

test('what people call themselves and their organization is text, and loads nothing', () => {
  const evil = '"><script>alert(1)</script><img src=x>&'
  for (const mail of [
    { ...INVITATION, organization: evil, invitedBy: evil },
    { ...RESET, name: evil },
  ]) {
    const { html, locale } = renderAccountEmail(mail)
    assert.doesNotMatch(html, /<script|<img|<link|url\(/)
    assert.match(html, /&quot;&gt;&lt;script&gt;/)
    assert.equal(locale, 'en')
  }
})
