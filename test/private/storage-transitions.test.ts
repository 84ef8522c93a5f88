// What the monitors of an organization can store as events in a day, as docs/operating/storage.md says: beyond the half of the
// quota that is theirs, recoveries wait for five minutes. No failure waits, and requests keep the other half.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freeBytesOfDay } from '../../tools/storage-table.ts'
import type { Organization } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import { listen } from '../kit/targets/listen.ts'
import { startAppFixture } from './fixture.ts'

const HALF = freeBytesOfDay('EVENTS') / 2
const HOLD_SECONDS = 300
const WITHIN_MS = 20_000
const ALIASES = 5

const fixture = await startAppFixture({}, { own: true, command: 'start' })
const { db, service } = fixture
after(() => fixture.stop())

const setUsed = (uuid: string, bytes: number) =>
  db.run(
    `insert into day_usage as d (org_id, day, kind, bytes) values ($1, (now() at time zone 'UTC')::date, 'EVENTS', $2)
     on conflict (org_id, day, kind) do update set bytes = excluded.bytes`,
    [uuid, bytes],
  )

async function usedBy(uuid: string): Promise<number> {
  const { bytes } = await db.one<{ bytes: string }>(
    `select coalesce(sum(bytes), 0) as bytes from day_usage where org_id = $1 and kind = 'EVENTS'`,
    [uuid],
  )
  return Number(bytes)
}

async function ping(url: string, suffix = ''): Promise<void> {
  const response = await fetch(service.baseUrl + new URL(url).pathname + suffix)
  assert.equal(response.status, 200, await response.text())
}

/** As if its last change were that long ago. */
const age = (id: string, seconds: number) =>
  db.run(
    `update monitor_states set last_status_changed_at = now() - make_interval(secs => $2)
      where monitor_no = (select no from monitors where id = $1)`,
    [toUuid(id), seconds],
  )

const eventsOf = ({ uuid }: Organization, types = ['monitor.up', 'monitor.down']) =>
  db.count('events', 'org_id = $1 and type = any($2)', [uuid, types])

async function untilState({ api }: Organization, id: string, state: string): Promise<void> {
  const lastMs = Date.now() + WITHIN_MS
  while ((await api.getMonitor(id)).state !== state) {
    assert.ok(Date.now() < lastMs, `${id} did not become ${state}`)
    await sleep(100)
  }
}

/** A CRON monitor that is DOWN, in an organization whose monitors have used up their half of the day. */
async function openDown() {
  const organization = await fixture.createOrganization('FREE')
  const monitor = await organization.api.createMonitor()
  const url = String(monitor.heartbeatUrl)
  await ping(url)
  await setUsed(organization.uuid, HALF)
  await ping(url, '/fail')
  await untilState(organization, monitor.id, 'DOWN')
  return { organization, id: monitor.id, url }
}

test('changes of state count, but not beyond half of the day, and requests keep the other half', async () => {
  const organization = await fixture.createOrganization('FREE')
  const { api, uuid } = organization
  const { id, heartbeatUrl } = await api.createMonitor()
  const url = String(heartbeatUrl)
  await ping(url)
  const before = await usedBy(uuid)
  await ping(url, '/fail')
  const counted = (await usedBy(uuid)) - before
  // Two events of 1 to 2 kB, which nobody receives.
  assert.ok(counted > 2_000 && counted < 6_000, `${counted} bytes`)
  await setUsed(uuid, HALF)
  await age(id, HOLD_SECONDS)
  await ping(url)
  await untilState(organization, id, 'UP')
  assert.equal(await usedBy(uuid), HALF)
  assert.equal((await api.patch(`/monitors/${id}`, { name: 'Changed' })).status, 200)
  assert.ok((await usedBy(uuid)) > HALF)
})

test('while the day has room, a monitor changes as often as its pings say', async () => {
  const organization = await fixture.createOrganization('FREE')
  const { id, heartbeatUrl } = await organization.api.createMonitor()
  const url = String(heartbeatUrl)
  for (const suffix of ['', '/fail', '', '/fail', '']) await ping(url, suffix)
  assert.equal((await organization.api.getMonitor(id)).state, 'UP')
  assert.equal(await eventsOf(organization), 5)
})

test('beyond it every address of every monitor together changes it twice in five minutes, and nobody is refused', async () => {
  const organization = await fixture.createOrganization('FREE')
  const monitor = await organization.api.createMonitor()
  const tokens = Array.from({ length: ALIASES }, (_, at) => `alias-token-${at}`)
  const aliases = tokens.map((token) => ({ monitorId: monitor.id, token }))
  const added = await organization.api.post('/api/ext/v1/ping-aliases', { aliases })
  assert.equal(added.status, 200, added.text)
  const { prefix } = added.json as { prefix: string }
  const urls = [String(monitor.heartbeatUrl), ...tokens.map((token) => `${prefix}/${token}`)]
  for (const url of urls) await ping(url)
  await setUsed(organization.uuid, HALF)
  const before = await eventsOf(organization)
  for (let round = 0; round < 4; round++)
    for (const url of urls) {
      await ping(url, '/fail')
      await Promise.all([ping(url), ping(url, '/fail'), ping(url)])
    }
  assert.equal((await eventsOf(organization)) - before, 1)
  assert.equal((await organization.api.getMonitor(monitor.id)).state, 'DOWN')
})

test('a recovery that waited is recorded with the time of its ping', async () => {
  const { organization, id, url } = await openDown()
  await age(id, HOLD_SECONDS - 3)
  const sentMs = Date.now()
  await ping(url)
  const answeredMs = Date.now()
  assert.equal((await organization.api.getMonitor(id)).state, 'DOWN')
  await untilState(organization, id, 'UP')
  assert.ok(Date.now() - answeredMs > 1_000)
  const { data } = (await organization.api.get('/incidents')).json as {
    data: { resolvedAt: string }[]
  }
  const resolvedMs = Date.parse(String(data[0]?.resolvedAt))
  assert.ok(resolvedMs >= sentMs - 50 && resolvedMs <= answeredMs + 50, `${resolvedMs - sentMs} ms`)
  const both = ['incident.opened', 'incident.resolved']
  assert.equal(await eventsOf(organization, both), 2)
  const pings = `signal = 'SUCCESS' and monitor_no = (select no from monitors where id = $1)`
  assert.equal(await db.count('heartbeat_calls', pings, [toUuid(id)]), 2)
})

test('a failure never waits, and replaces a recovery that does', async () => {
  const { organization, id, url } = await openDown()
  await age(id, HOLD_SECONDS - 2)
  await ping(url)
  await ping(url, '/fail')
  await sleep(3_000)
  assert.equal((await organization.api.getMonitor(id)).state, 'DOWN')
  await ping(url)
  await untilState(organization, id, 'UP')
  await ping(url, '/fail')
  assert.equal((await organization.api.getMonitor(id)).state, 'DOWN')
  assert.equal(await eventsOf(organization, ['incident.opened']), 2)
})

test('POST /check of a monitor that is DOWN for less than five minutes is 429 until they are over', async () => {
  const organization = await fixture.createOrganization('FREE')
  const { api, uuid } = organization
  await db.run('update organizations set private_targets = true where id = $1', [uuid])
  let status = 200
  const target = await listen(
    createServer((_request, response) => response.writeHead(status).end()),
  )
  after(() => target.close())
  const url = `http://127.0.0.1:${target.port}/`
  const { id } = await api.createMonitor({ type: 'HTTP', url })
  await untilState(organization, id, 'UP')
  await setUsed(uuid, HALF)
  status = 404
  const check = () => api.post(`/monitors/${id}/check`, {})
  assert.equal((await check()).status, 200)
  assert.equal((await api.getMonitor(id)).state, 'DOWN')
  const [refused, other] = await Promise.all([check(), check()])
  for (const answer of [refused, other]) {
    assert.equal(answer?.status, 429, answer?.text)
    const seconds = Number(answer?.headers['retry-after'])
    assert.ok(seconds > HOLD_SECONDS - 60 && seconds <= HOLD_SECONDS, `${seconds}`)
  }
  status = 200
  await setUsed(uuid, HALF - 1)
  assert.equal((await check()).monitor.state, 'UP', 'the day has room')
  await setUsed(uuid, HALF)
  status = 404
  assert.equal((await check()).monitor.state, 'DOWN')
  await age(id, HOLD_SECONDS)
  status = 200
  assert.equal((await check()).monitor.state, 'UP', 'five minutes are over')
})
