import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '../../domain/alerts/alert.ts'
import { renderAlertEmail } from './alert-emails.ts'

const DOWN: Alert = {
  kind: 'DOWN',
  thread: 't',
  organization: 'Acme',
  title: 'Checkout is down',
  summary: 'HTTP 503 since Sat, Nov 14, 14:27 CET',
  facts: [
    { label: 'Cause', value: 'HTTP 503' },
    { label: 'Response', value: '<script>alert(1)</script>' },
    { label: 'Since', value: 'Sat, Nov 14, 14:27 CET' },
  ],
  links: { open: 'https://up.example/i/1', acknowledge: 'https://up.example/i/1#acknowledge' },
  at: '2026-11-14T13:27:10.000Z',
}
const mail = (alert: Alert, recipient?: 'OWNER') =>
  renderAlertEmail({
    kind: 'ALERT',
    to: 'ops@example.com',
    thread: 't',
    alert,
    contactsUrl: 'https://up.example/alert-contacts',
    ...(recipient && { recipient }),
  })

test('an outage: its cause in the subject, since when beside its state, and what the target said as text', () => {
  const { subject, html, text } = mail(DOWN)
  assert.equal(subject, '✕ Checkout is down: HTTP 503')
  assert.match(html, />Down<\/b> &middot; since Sat, Nov 14, 14:27 CET</)
  assert.doesNotMatch(html, /<script>|>Since</)
  assert.match(html, /href="https:\/\/up\.example\/i\/1#acknowledge"[^>]*>Acknowledge</)
  assert.match(text, /^View incident:\nhttps:\/\/up\.example\/i\/1$/m)
})

// biome-ignore format: a table is read by its columns
const rows: [title: string, word: string][] = [
  ['Checkout is up again',          'Up'],
  ['3 monitors are up again',       'Up'],
  ['Checkout is no longer degraded', 'Recovered'],
]
for (const [title, word] of rows)
  test(`an end: "${title}" is ${word}, after how long`, () => {
    const facts = [{ label: 'Lasted', value: '7 min 40 s' }]
    const links = { ...DOWN.links, acknowledge: null }
    const { html, subject } = mail({ ...DOWN, kind: 'RECOVERED', title, facts, links })
    assert.match(html, new RegExp(`>${word}</b> &middot; after 7 min 40 s<`))
    assert.doesNotMatch(html, />Lasted</)
    assert.equal(subject, `✓ ${title} after 7 min 40 s`)
  })

test('many: the summary goes on behind the word, and the button says where it leads', () => {
  const links = { open: 'https://up.example/incidents', acknowledge: null }
  const summary = 'After 7 min 40 s, since Sat, Nov 14, 14:27 CET'
  const title = '3 monitors are up again'
  const own = { ...DOWN, title, summary, facts: [], links }
  assert.match(
    mail({ ...own, kind: 'RECOVERED' }).html,
    />Up<\/b> &middot; after 7 min 40 s, since/,
  )
  assert.match(mail({ ...own, kind: 'DOWN' }).html, />View incidents</)
  const monitor = { ...links, open: 'https://up.example/monitors/mon_1' }
  assert.match(mail({ ...own, kind: 'EXPIRING', links: monitor }).html, />View monitor</)
  const monitors = { ...links, open: 'https://up.example/monitors' }
  assert.match(mail({ ...own, kind: 'NOT_CHECKED', links: monitors }).html, />View monitors</)
  assert.match(mail({ ...own, kind: 'NOT_CHECKED', links: monitor }).html, />View monitor</)
})

test('an owner learns why they get it, and not how to change what contacts get', () => {
  const alert: Alert = { ...DOWN, kind: 'CONTACT_FAILING', title: 'An alert to Ops failed' }
  const { html, text } = mail({ ...alert, links: { ...DOWN.links, acknowledge: null } }, 'OWNER')
  assert.match(text, /ops@example\.com is an owner of Acme\.\n$/)
  assert.doesNotMatch(html + text, /Manage alerts/)
  assert.match(html, />Open alert contacts</)
  assert.match(mail(DOWN).text, /Manage alerts: https:\/\/up\.example\/alert-contacts\n$/)
})

test('names cannot begin lines of their own, and a test has a fixed subject', () => {
  const evil = 'API\r\n\r\nYour account is closed \u202e'
  const lines = (alert: Alert) => mail(alert).text.split('\n').length
  const hostile = { ...DOWN, title: `${evil} is down`, organization: evil }
  assert.equal(lines(hostile), lines(DOWN))
  assert.doesNotMatch(mail(hostile).html, /\u202e/)
  const { subject } = mail({ ...DOWN, kind: 'TEST', title: 'Test alert for your bank' })
  assert.equal(subject, 'Test alert from Upvane')
})
