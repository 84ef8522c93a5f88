// An organization is deleted, comes back, and is erased: what its targets, receivers and visitors see of that.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../../kit/ids.ts'
import { startSmtpSink } from '../../kit/smtp-sink.ts'
import { type Page, startWeb } from '../../kit/targets/web.ts'
import { startAppFixture } from '../../private/fixture.ts'
import { until } from '../alerts/fixture.ts'

const EVERY_SECONDS = 2
// Several slots, and many cycles of planning alerts, claiming and sending.
const QUIET_MS = 10_000
// A check that had begun, and the snapshot of a page.
const SETTLE_MS = 3_000

const web = await startWeb()
const sink = await startSmtpSink()
const fixture = await startAppFixture(
  {
    ALERT_HOLD_SECONDS: '1',
    SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`,
    SMTP_FROM: 'upvane@upvane.example',
  },
  { command: 'start' },
)
after(async () => {
  await fixture.stop()
  await sink.close()
  await web.close()
})

const organization = await fixture.createOrganization()
const { api } = organization
const { visitor: owner, person } = await fixture.join(organization.id, 'OWNER')
const path = `/organizations/${organization.id}`
const [target, hook, contact] = [web.page({}), web.page({}), web.page({})]
const slug = `deleted-${organization.id.slice(-6)}`

const statusOf = async (url: string) => (await fetch(url)).status
const seen = ({ seen: requests }: Page) => requests.length

test('delete, undo, and erase', async () => {
  const { monitorId, ping, pageUrl } = await fill()
  await until('checks', async () => seen(target) > 2)
  await until('the first event', async () => seen(hook) > 0)

  const deleted = await owner.post(`${path}/deletion`, { name: 'Bench' })
  assert.equal(deleted.status, 200, deleted.text)
  assert.equal((await api.get('/monitors')).status, 401)
  await until('the page to be gone', async () => (await statusOf(pageUrl)) === 404)
  const mail = await until('the email to its owner', async () => sink.to(person.email)[0])
  assert.match(mail.text, /any owner can undo this/)
  await delay(SETTLE_MS)
  const before = [target, hook, contact].map(seen)
  // Both would be reported, if anything were.
  target.become({ status: 503 })
  assert.equal(await statusOf(`${ping}/fail`), 200)
  await delay(QUIET_MS)
  assert.deepEqual([target, hook, contact].map(seen), before, 'nothing is checked or sent')
  target.become({})

  const undoneMs = Date.now()
  assert.equal((await owner.delete(`${path}/deletion`)).status, 200)
  assert.equal((await api.get('/monitors')).status, 200)
  await until('checks again', async () => seen(target) > (before[0] ?? 0) + 1)
  await until('the page', async () => (await statusOf(pageUrl)) === 200)
  await until('the failed job', async () => seen(contact) > 0)
  await until('its event', async () => seen(hook) > (before[1] ?? 0))
  const seconds = (Date.now() - undoneMs) / 1000
  const checks = seen(target) - (before[0] ?? 0)
  assert.ok(checks <= seconds / EVERY_SECONDS + 2, `${checks} checks in ${seconds} s`)
  assert.equal((await api.getMonitor(monitorId)).state, 'UP')
  const { data } = (await api.get(`/incidents?monitorId=${monitorId}`)).json as { data: object[] }
  assert.deepEqual(data, [], 'and no incident of the time without checks')
  const { n: counted } = await fixture.db.one<{ n: number }>(
    `select sum(count)::int as n from missed x join monitors m on m.no = x.monitor_no
      where m.id = $1 and x.reason = 'SUBSCRIPTION'`,
    [toUuid(monitorId)],
  )
  assert.ok(counted >= QUIET_MS / 1000 / EVERY_SECONDS, `${counted} slots are recorded as missed`)

  assert.equal((await owner.post(`${path}/deletion`, { name: 'Bench' })).status, 200)
  await fixture.db.run('update organizations set erase_at = now() where id = $1', [
    organization.uuid,
  ])
  await until('the end', async () => {
    const rows = await fixture.db.count('organizations', 'id = $1', [organization.uuid])
    return rows === 0
  })
  for (const table of ['monitors', 'status_pages', 'api_keys', 'members', 'events', 'deliveries'])
    assert.equal(await fixture.db.count(table, 'org_id = $1', [organization.uuid]), 0, table)
  const { organizations } = (await owner.get('/me')).json as { organizations: object[] }
  assert.deepEqual(organizations, [], 'its owner has an account, and no organization')
  assert.equal((await api.get('/monitors')).status, 401)
  const lines = await fixture.db.run<{ operator: string }>(
    `select operator from operator_log where organization_id = $1 and action = 'org delete'`,
    [organization.uuid],
  )
  assert.deepEqual(lines, [{ operator: 'janitor' }])
  assert.equal(await fixture.db.count('users', 'id = $1', [person.uuid]), 1)
})

async function fill(): Promise<{ monitorId: string; ping: string; pageUrl: string }> {
  const made = await owner.post(`${path}/alert-contacts`, {
    name: 'On call',
    channel: 'WEBHOOK',
    settings: { url: contact.url },
  })
  assert.equal(made.status, 201, made.text)
  const { id: contactId } = made.json as { id: string }
  await api.createEndpoint({ url: hook.url, eventTypes: ['*'] })
  const monitor = await api.createMonitor({
    type: 'HTTP',
    name: 'Shop',
    url: target.url,
    timeoutSeconds: 1,
    intervalSeconds: 30,
  })
  const job = await api.createMonitor({ name: 'Job', expectedPeriodSec: 3600 })
  const attached = await owner.post(`${path}/alert-contacts/${contactId}/monitors`, {
    do: 'ATTACH',
    monitorIds: [monitor.id, job.id],
  })
  assert.ok(attached.status < 300, attached.text)
  // Thirty seconds are the fastest that the API allows.
  await fixture.db.run('alter table monitors drop constraint monitors_interval_seconds_check')
  await fixture.db.run(
    `update organizations set limit_overrides = '{"fastestIntervalSeconds": ${EVERY_SECONDS}}' where id = $1`,
    [organization.uuid],
  )
  await fixture.db.run(
    `update monitors set interval_seconds = ${EVERY_SECONDS} where org_id = $1 and type = 'HTTP'`,
    [organization.uuid],
  )
  const ping = fixture.service.baseUrl + new URL(job.heartbeatUrl ?? '').pathname
  assert.equal(await statusOf(ping), 200)
  const page = await api.post('/status-pages', { name: 'Page', slug, sections: [] })
  assert.equal(page.status, 201, page.text)
  const { url: pageUrl } = page.json as { url: string }
  assert.equal(await statusOf(pageUrl), 200)
  return { monitorId: monitor.id, ping, pageUrl }
}
