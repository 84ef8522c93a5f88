import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSigned, type SignedHeaders } from '../../domain/events/signature.ts'
import type { StatusIncidentNotice, SubscriberNotice } from '../../domain/status-pages/notice.ts'
import {
  challengeRequest,
  isChallengeMet,
  slackConfirmation,
  slackNotice,
  webhookNotice,
} from './hook-messages.ts'

const CHALLENGE = 'c'.repeat(43)

// biome-ignore format: a table is read by its columns
const RESPONSES: [string, boolean][] = [
  [CHALLENGE,                                             true],
  [`${CHALLENGE}\r\n`,                                    true],
  [JSON.stringify(CHALLENGE),                             true],
  [JSON.stringify({ challenge: CHALLENGE }),              true],
  [JSON.stringify({ challenge: 'other' }),                false],
  [JSON.stringify({ challenge: CHALLENGE, page: {} }),    false],
  [JSON.stringify([CHALLENGE]),                           false],
  [`${CHALLENGE}${CHALLENGE}`,                            false],
  [`got ${CHALLENGE}`,                                    false],
  ['null',                                                false],
  ['{}',                                                  false],
  ['',                                                    false],
]

test('isChallengeMet: the challenge alone; an echo of everything is not consent', () => {
  for (const [response, expected] of RESPONSES)
    assert.equal(isChallengeMet(CHALLENGE, response), expected, response)
})

const PAGE = {
  uuid: '01890000-0000-7000-8000-000000000000',
  name: 'Acme',
  locale: 'de',
  timezone: 'Europe/Berlin',
  url: 'https://s.example',
}
const LINKS = {
  confirm: 'https://s.example/c',
  manage: 'https://s.example/m',
  unsubscribe: 'https://s.example/u',
}
const ABOUT = { page: PAGE, links: LINKS }
const INCIDENT: StatusIncidentNotice = {
  kind: 'STATUS_INCIDENT',
  id: 'sin_1',
  what: 'UPDATED',
  title: 'Down <!channel>',
  status: 'IDENTIFIED',
  impact: 'MAJOR',
  message: '**Found** & fixing <https://evil.example|it>',
  at: '2026-11-16T12:00:00.000Z',
  startedAt: '2026-11-16T11:00:00.000Z',
  resolvedAt: null,
  components: [{ name: 'API', state: 'DEGRADED' }],
}
const textOf = ({ body }: { body: string }) => (JSON.parse(body) as { text: string }).text

test('slackNotice: in the page’s language, and nothing mentions a channel or disguises a link', () => {
  assert.equal(
    textOf(slackNotice({ ...ABOUT, notice: INCIDENT })),
    [
      '*Ursache gefunden: Down &lt;!channel&gt;*',
      'Mo., 16. Nov. 2026, 13:00 MEZ',
      '*Found* &amp; fixing &lt;https://evil.example|it&gt;',
      '<https://s.example/incidents/sin_1|Störung ansehen> · <https://s.example/u|Abbestellen>',
    ].join('\n'),
  )
  const learned = slackNotice({ ...ABOUT, notice: { ...INCIDENT, what: 'POST_MORTEM' } })
  assert.match(textOf(learned), /^\*Nachbericht: Down/)
})

test('slackConfirmation: a link, and no text of others but the name', () => {
  const page = { ...PAGE, name: '<!here> https://evil.example' }
  const text = textOf(slackConfirmation({ ...ABOUT, page }))
  assert.ok(text.includes('<https://s.example/c|'))
  assert.doesNotMatch(text, /<!here>|https:\/\/evil\.example/)
})

const WINDOW: SubscriberNotice = {
  kind: 'WINDOW',
  id: 'mw_1',
  what: 'CANCELED',
  name: 'Upgrade',
  description: null,
  startsAt: '2026-11-16T12:00:00.000Z',
  endsAt: '2026-11-16T13:00:00.000Z',
  components: [],
}

test('slackNotice: maintenance says when, in the zone of the page', () => {
  assert.equal(
    textOf(slackNotice({ ...ABOUT, notice: WINDOW })).split('\n')[1],
    'Mo., 16. Nov. 2026, 13:00 – 14:00 MEZ',
  )
})

test('webhookNotice, challengeRequest: signed with the secret, which only the challenge contains', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const sentAt = new Date()
  const signed = { deliveryId: PAGE.uuid, sentAt, secret }
  const sent = [
    challengeRequest(ABOUT, CHALLENGE, signed),
    webhookNotice({ ...ABOUT, notice: INCIDENT }, signed),
    webhookNotice({ ...ABOUT, notice: WINDOW }, signed),
  ]
  for (const { headers, body } of sent) {
    assert.ok(isSigned(headers as unknown as SignedHeaders, body, secret, sentAt))
    assert.equal((JSON.parse(body) as { unsubscribeUrl: string }).unsubscribeUrl, LINKS.unsubscribe)
  }
  assert.deepEqual(
    sent.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    ['subscription.challenge', 'incident.updated', 'maintenance.canceled'],
  )
  assert.deepEqual(
    sent.map(({ body }) => body.includes(secret)),
    [true, false, false],
  )
})
