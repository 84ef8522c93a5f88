// An outage as contacts see it: 30 monitors of one host cause one message per contact, and so does their recovery.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startWeb } from '../../kit/targets/web.ts'
import { startAlertFixture } from './fixture.ts'

const MONITORS = 30
// Longer than one cycle of planning, claiming and sending.
const QUIET_MS = 5_000

const web = await startWeb()
const fixture = await startAlertFixture()
await Promise.all([fixture.stack.start('scheduler'), fixture.stack.start('probe')])
const { api, standIn, sink, until } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
})

const hook = (name: string) => `${standIn.origin}/own/${name}`
const titlesAt = (path: string) =>
  standIn.at(path).map(({ body }) => [body['kind'], body['title']].join(': '))

async function check(ids: readonly string[]): Promise<void> {
  const answers = await Promise.all(ids.map((id) => api.post(`/monitors/${id}/check`, {})))
  for (const { status, text } of answers) assert.equal(status, 200, text)
}

const FIELDS = { type: 'HTTP', intervalSeconds: 86_400, timeoutSeconds: 5, expectedPeriodSec: null }

test(`${MONITORS} monitors of one host go down and come back: one message and one more for each contact`, async () => {
  const page = web.page({})
  const own = await fixture.createContact({ channel: 'WEBHOOK', settings: { url: hook('own') } })
  await fixture.createContact({
    channel: 'SLACK',
    settings: { url: `${standIn.origin}/services/T0/B0/x` },
  })
  await fixture.createContact({ channel: 'PAGERDUTY', settings: { routingKey: 'k'.repeat(32) } })
  await fixture.createContact({ channel: 'EMAIL', settings: { address: 'ops@example.com' } })
  const ids: string[] = []
  for (let i = 0; i < MONITORS; i++)
    ids.push((await api.createMonitor({ ...FIELDS, name: `Checkout ${i}`, url: page.url })).id)
  await until('first checks', async () => {
    const { n } = await fixture.db.one<{ n: number }>(
      `select count(*)::integer as n from monitor_states where state = 'UP'`,
      [],
    )
    return n === MONITORS
  })

  page.become({ status: 503 })
  await check(ids)
  await until('the alert', async () => standIn.at('/own/own').length > 0)
  const late = await fixture.createContact({ channel: 'WEBHOOK', settings: { url: hook('late') } })
  await delay(QUIET_MS)
  page.become({})
  await check(ids)
  await until('the end', async () => standIn.at('/own/own').length > 1)
  await delay(QUIET_MS)

  assert.deepEqual(titlesAt('/own/own'), [
    `DOWN: ${MONITORS} monitors on 127.0.0.1 are down`,
    `RECOVERED: ${MONITORS} monitors on 127.0.0.1 are up again`,
  ])
  assert.equal(standIn.at('/services/T0/B0/x').length, 2)
  const pages = standIn.at('/v2/enqueue').map(({ body }) => body)
  assert.deepEqual(
    pages.map((body) => body['event_action']),
    ['trigger', 'resolve'],
  )
  assert.equal(pages[0]?.['dedup_key'], pages[1]?.['dedup_key'])
  const mails = sink.to('ops@example.com')
  assert.equal(mails.length, 2)
  assert.match(mails[0]?.text ?? '', /Checkout 0: http:/)
  assert.match(mails[0]?.text ?? '', /And more: 21 others/)
  assert.deepEqual(titlesAt('/own/late'), [], 'a contact added later is not notified of the end')

  const deliveries = await fixture.deliveriesTo(own)
  assert.deepEqual(
    deliveries.map(({ kind, status }) => [kind, status]),
    [
      ['RECOVERED', 'SUCCEEDED'],
      ['DOWN', 'SUCCEEDED'],
    ],
  )
  const { data } = (await api.get(`/incidents?monitorId=${ids[0]}`)).incidents
  const { timeline } = (await api.get(`/incidents/${data[0]?.id}`)).incident
  const sent = timeline.filter(({ type }) => type === 'ALERT_SENT')
  assert.equal(sent.length, 8, 'four contacts, beginning and end')
  assert.match(sent[0]?.message ?? '', /^On call was told: 30 monitors/)
  await until('everything to be done', async () => {
    const { n } = await fixture.db.one<{ n: number }>(
      'select count(*)::integer as n from alert_troubles where done_at is null',
      [],
    )
    return n === 0
  })
  await fixture.admin.delete(`${fixture.contacts}/${late}`)
  for (const id of ids) await api.delete(`/monitors/${id}`)
})

test('one monitor: what, where, since when and why; when it is paused people hear nothing, and the pager closes', async () => {
  const before = standIn.at('/own/own').length
  const [pages, mails] = [standIn.at('/v2/enqueue').length, sink.to('ops@example.com').length]
  const page = web.page({ status: 500 })
  const { id } = await api.createMonitor({ ...FIELDS, name: 'Shop', url: page.url })
  const [down] = await until('the alert', async () => {
    const heard = standIn.at('/own/own').slice(before)
    return heard.length > 0 && heard
  })
  const { data } = (await api.get(`/incidents?monitorId=${id}`)).incidents
  const alert = down?.body as Record<string, unknown> & { links: { open: string } }
  assert.equal(alert['title'], 'Shop is down')
  assert.match(String(alert['summary']), /^HTTP 500.* since \w{3}, \w{3} \d/)
  assert.match(JSON.stringify(alert['facts']), new RegExp(RegExp.escape(page.url)))
  assert.equal(new URL(alert.links.open).pathname, `/incidents/${data[0]?.id}`)
  const isAlerted = async () =>
    standIn.at('/v2/enqueue').length > pages && sink.to('ops@example.com').length > mails
  await until('all of them to be alerted', isAlerted)

  await api.post(`/monitors/${id}/pause`, {})
  const [opened, closed] = await until('the close', async () => {
    const heard = standIn.at('/v2/enqueue').slice(pages)
    return heard.length > 1 && heard
  })
  assert.equal(closed?.body['event_action'], 'resolve')
  assert.equal(closed?.body['dedup_key'], opened?.body['dedup_key'])
  // Decided when the alert is closed: what is not queued now never will be.
  const rows = await fixture.db.run(
    `select kind, count(*)::integer as n from alert_messages where title like 'Shop %' group by kind order by kind`,
  )
  assert.deepEqual(rows, [
    { kind: 'CLOSED', n: 1 },
    { kind: 'DOWN', n: 4 },
  ])
  assert.equal(standIn.at('/own/own').length, before + 1)
  assert.equal(sink.to('ops@example.com').length, mails + 1)
})

test('an outage that is over before anyone was alerted alerts nobody', async () => {
  const before = standIn.heard.length
  const page = web.page({ status: 500 })
  const { id } = await api.createMonitor({ ...FIELDS, name: 'Flap', url: page.url })
  await until('the outage', async () => (await api.getMonitor(id)).state === 'DOWN')
  page.become({})
  await check([id])
  await delay(QUIET_MS)
  const received = standIn.heard
    .slice(before)
    .filter(({ body }) => JSON.stringify(body).includes('Flap'))
  assert.deepEqual(received, [])
})
