// One outage and its end through every channel: one message each, and where something was opened, the end closes it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ReceivedRequest } from '../../kit/providers/form.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { accountOf, PROVIDERS } from './accounts.ts'
import { startAlertFixture } from './fixture.ts'

const web = await startWeb()
const fixture = await startAlertFixture({ ALERT_HOLD_SECONDS: '1' })
await Promise.all([fixture.stack.start('scheduler'), fixture.stack.start('probe')])
const { api, standIn, until } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
})

const FIELDS = { type: 'HTTP', intervalSeconds: 86_400, timeoutSeconds: 5, expectedPeriodSec: null }
const MATRIX = '/_matrix/*'
const ISSUES = '/repos/acme/shop/issues'
const LAB = '/api/v4/projects/acme%2Fshop/issues'

/** Requests to a channel, in order, as they tell what belongs together. */
const PAIRS: Record<string, (heard: readonly ReceivedRequest[]) => void> = {
  JIRA_SERVICE_MANAGEMENT([down, up]) {
    const alias = String(down?.body['alias'])
    assert.equal(up?.path, `${down?.path}/${alias}/close?identifierType=alias`)
  },
  OPSGENIE([down, up]) {
    const alias = String(down?.body['alias'])
    assert.equal(up?.path, `${down?.path}/${alias}/close?identifierType=alias`)
  },
  PAGERDUTY([down, up]) {
    const actions = [down?.body['event_action'], up?.body['event_action']]
    assert.deepEqual(actions, ['trigger', 'resolve'])
    assert.equal(down?.body['dedup_key'], up?.body['dedup_key'])
  },
  INCIDENT_IO([down, up]) {
    assert.deepEqual([down?.body['status'], up?.body['status']], ['firing', 'resolved'])
    assert.equal(down?.body['deduplication_key'], up?.body['deduplication_key'])
  },
  ALERTMANAGER([down, up]) {
    assert.deepEqual([down?.body['status'], up?.body['status']], ['firing', 'resolved'])
    assert.deepEqual(down?.body['commonLabels'], up?.body['commonLabels'])
  },
  MATRIX([down, up]) {
    assert.equal(down?.body['m.relates_to'], undefined)
    const relation = up?.body['m.relates_to'] as { event_id: string } | undefined
    assert.match(relation?.event_id ?? '', /^\$event-/)
  },
  GITHUB_ISSUES([opened, closed, comment, ...more]) {
    assert.equal(opened?.path, ISSUES)
    assert.match(closed?.path ?? '', /\/issues\/\d+$/)
    assert.deepEqual([closed?.method, comment?.path], ['PATCH', `${closed?.path}/comments`])
    assert.match(String(comment?.body['body']), /Shop is up again/)
    assert.equal(more.length, 0)
  },
  GITLAB_ISSUES([opened, closed, comment, ...more]) {
    assert.equal(opened?.path, LAB)
    assert.match(closed?.path ?? '', /\/issues\/\d+$/)
    assert.deepEqual([closed?.method, comment?.path], ['PUT', `${closed?.path}/notes`])
    assert.equal(more.length, 0)
  },
  CUSTOM_WEBHOOK([down, up]) {
    assert.deepEqual([down?.headers['x-status'], up?.headers['x-status']], ['firing', 'resolved'])
    assert.equal(down?.body['text'], '✕ Shop is down')
  },
}
const PATHS: Record<string, string> = {
  JIRA_SERVICE_MANAGEMENT: '/jsm/*',
  OPSGENIE: '/v2/alerts*',
  MATRIX,
  GITHUB_ISSUES: `${ISSUES}*`,
  GITLAB_ISSUES: `${LAB}*`,
}
/** Two messages; closing an issue takes one more request, for its comment. */
const REQUESTS: Record<string, number> = { GITHUB_ISSUES: 3, GITLAB_ISSUES: 3 }

const heardBy = (channel: string) =>
  standIn.at(PATHS[channel] ?? accountOf(channel, standIn.origin, 'pair').path)

test('one outage is one message for each contact, and its end closes what it opened', async () => {
  const ids = new Map<string, string>()
  for (const channel of PROVIDERS) {
    const { settings } = accountOf(channel, standIn.origin, 'pair')
    ids.set(channel, await fixture.createContact({ name: channel, channel, settings }))
  }
  const page = web.page({})
  const { id } = await api.createMonitor({ ...FIELDS, name: 'Shop', url: page.url })
  await until('the first check', async () => (await api.getMonitor(id)).state === 'UP')
  page.become({ status: 503 })
  await api.post(`/monitors/${id}/check`, {})
  await until('all of them to be alerted', async () =>
    [...ids.keys()].every((channel) => heardBy(channel).length === 1),
  )
  await until('their record', async () => (await settledMessages()) === ids.size)
  page.become({})
  await api.post(`/monitors/${id}/check`, {})
  await until('the ends', async () =>
    [...ids.keys()].every((channel) => heardBy(channel).length >= (REQUESTS[channel] ?? 2)),
  )
  await until('their record', async () => (await settledMessages()) === 2 * ids.size)

  for (const [channel, contactId] of ids) {
    const deliveries = await fixture.deliveriesTo(contactId)
    assert.deepEqual(
      deliveries.map(({ kind, status, attemptCount }) => [kind, status, attemptCount]),
      [
        ['RECOVERED', 'SUCCEEDED', 1],
        ['DOWN', 'SUCCEEDED', 1],
      ],
      channel,
    )
    assert.equal(heardBy(channel).length, REQUESTS[channel] ?? 2, channel)
    PAIRS[channel]?.(heardBy(channel))
  }
})

const settledMessages = () => fixture.db.count('alert_messages', 'settled_at is not null', [])
