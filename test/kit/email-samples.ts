// Emails of every kind, about a shop that fails: for rendering tests and screenshots.
import { renderAccountEmail } from '../../src/channels/email/account-emails.ts'
import { renderAlertEmail } from '../../src/channels/email/alert-emails.ts'
import type { AlertKind } from '../../src/domain/alerts/alert.ts'
import type { OutageDetails } from '../../src/domain/alerts/details.ts'
import { type NotifiedCondition, testAlert, toAlert } from '../../src/domain/alerts/text.ts'
import type { Evidence } from '../../src/domain/incidents/evidence.ts'

const SETTING = {
  organization: 'Acme',
  baseUrl: 'https://up.acme.com',
  timezone: 'Europe/Berlin',
  at: new Date('2026-11-14T13:35:00Z'),
}
const INCIDENT = '01a1dde6-47f7-7000-8000-4b3aa8ac5a4e'
const LONG = `https://checkout.acme.com/${'a-very-long-path-without-a-break'.repeat(5)}`

function condition(name: string, fields: Partial<NotifiedCondition> = {}): NotifiedCondition {
  const address = 'https://checkout.acme.com/health'
  return {
    uuid: INCIDENT,
    kind: 'DOWN',
    incidentUuid: INCIDENT,
    host: 'checkout.acme.com',
    since: new Date('2026-11-14T13:27:10Z'),
    endedAt: null,
    resolution: null,
    about: { monitorId: name, name, address, cause: 'HTTP 503, expected 200-206' },
    ...fields,
  }
}

const evidence = (fields: Partial<Evidence>): Evidence => ({
  checkId: 'chk_1',
  outcome: 'FAILED',
  causeCode: null,
  cause: null,
  resolvedIp: null,
  dnsAnswers: null,
  timings: null,
  certExpiresAt: null,
  checkedAt: '2026-11-14T13:27:12.000Z',
  location: 'eu-central',
  responseMs: 118,
  httpStatus: 503,
  bodyExcerpt: '<h1>upstream connect error</h1> or disconnect before headers',
  attempts: [],
  ...fields,
})
const DETAILS: OutageDetails = {
  opened: evidence({}),
  resolved: evidence({ httpStatus: 200, bodyExcerpt: null }),
  taken: {
    by: 'Maria Rossi',
    at: new Date('2026-11-14T13:29:00Z'),
    note: 'Rolling back the release of 14:20',
  },
  uptime: 0.99982,
}

const ended = { endedAt: new Date('2026-11-14T13:34:50Z'), resolution: 'RECOVERED' }
const said = (kind: NotifiedCondition['kind'], name: string, cause: string): NotifiedCondition =>
  condition(name, {
    kind,
    incidentUuid: null,
    about: { monitorId: name, name, address: 'acme.com', cause },
  })
const many = Array.from({ length: 30 }, (_, i) => condition(`Checkout ${i + 1}`))
const LOST = condition('x'.repeat(120), {
  about: { monitorId: 'x', name: 'x'.repeat(120), address: LONG, cause: `DNS ${'y'.repeat(190)}` },
})

function alert(kind: AlertKind, notified: NotifiedCondition[]): string {
  const details = new Map([[INCIDENT, DETAILS]])
  const open = kind === 'PARTLY_RECOVERED' ? [condition('Search')] : []
  const made = toAlert({ kind, thread: INCIDENT, conditions: notified, open, details }, SETTING)
  return toHtml(made)
}

const toHtml = (made: ReturnType<typeof toAlert>) =>
  renderAlertEmail({
    kind: 'ALERT',
    to: 'ops@acme.com',
    thread: INCIDENT,
    alert: made,
    contactsUrl: 'https://up.acme.com/alert-contacts',
  }).html

const account = { to: 'maria.rossi@acme.com', link: 'https://up.acme.com/x#token' }
const ends = { endsAt: '2026-11-21T13:35:00.000Z' }

/** As HTML, by name. */
export const EMAIL_SAMPLES: Record<string, string> = {
  down: alert('DOWN', [condition('Checkout')]),
  'down-30': alert('DOWN', many),
  'down-long': alert('DOWN', [LOST]),
  reminder: alert('REMINDER', [condition('Checkout')]),
  recovered: alert('RECOVERED', [condition('Checkout', ended)]),
  'recovered-30': alert(
    'RECOVERED',
    many.map((one) => ({ ...one, ...ended })),
  ),
  'partly-recovered': alert('PARTLY_RECOVERED', [
    condition('Checkout', ended),
    condition('Cart', ended),
  ]),
  degraded: alert('DEGRADED', [said('DEGRADED', 'Shop', 'Slower than its threshold')]),
  expiring: alert('EXPIRING', [
    said('EXPIRING', 'acme.com', 'The certificate expires on Tue, Nov 24, 2026, in 10 days'),
  ]),
  'dns-changed': alert('DNS_CHANGED', [
    said('DNS_CHANGED', 'acme.com', '192.0.2.7, 192.0.2.8 → 198.51.100.4'),
  ]),
  test: toHtml(testAlert('Ops', SETTING)),
  invitation: renderAccountEmail({
    kind: 'INVITATION',
    organization: 'Acme',
    invitedBy: 'Maria Rossi',
    role: 'ADMIN',
    ...account,
    ...ends,
  }).html,
  reset: renderAccountEmail({ kind: 'RESET_PASSWORD', name: 'Maria', ...account, ...ends }).html,
}
