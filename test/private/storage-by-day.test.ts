// What one organization can store in a day of that which goes by age, as docs/operating/storage.md says: the day is filled to its
// quota with the largest rows there are and measured on disk, and then several want the rest at once.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BY_DAY, freeBytesOfDay as limitOf } from '../../tools/storage-table.ts'
import type { Client } from '../kit/client.ts'
import { toUuid } from '../kit/ids.ts'
import { listen } from '../kit/targets/listen.ts'
import { startAppFixture } from './fixture.ts'

type Kind = keyof typeof BY_DAY
const PING_BYTES = 10_000
const RESPONSE_BYTES = 16 * 1024
const LAST = 3
const WANTED = 8
const WITHIN_MS = 60_000

const fixture = await startAppFixture({}, { own: true, command: 'start' })
const { db, service } = fixture
after(() => fixture.stop())

const letters = (bytes: number) => randomBytes(bytes).toString('hex').slice(0, bytes)
// The largest rows do not compress. These are filled with what would.
for (const [table, column] of [
  ['heartbeat_calls', 'body'],
  ['events', 'body'],
  ['deliveries', 'url'],
] as const) {
  const name = await db.one<{ of: string }>(
    `select format('%s_%s', $1::text, to_char(now() at time zone 'UTC', 'YYYYMMDD')) as of`,
    [table],
  )
  await db.run(`alter table ${name.of} alter column ${column} set storage external`)
}

const setUsed = (uuid: string, kind: Kind, bytes: number) =>
  db.run(
    `insert into day_usage as d (org_id, day, kind, bytes) values ($1, (now() at time zone 'UTC')::date, $2, $3)
     on conflict (org_id, day, kind) do update set bytes = excluded.bytes`,
    [uuid, kind, bytes],
  )

async function usedBy(uuid: string, kind: Kind): Promise<number> {
  const [row] = await db.run<{ bytes: string }>(
    `select coalesce(sum(bytes), 0) as bytes from day_usage where org_id = $1 and kind = $2
        and day = (now() at time zone 'UTC')::date`,
    [uuid, kind],
  )
  return Number(row?.bytes)
}

/** As if the day were over. */
const endDay = (uuid: string) =>
  db.run('update day_usage set day = day - 1 where org_id = $1', [uuid])

/** Of the partitions of today, with indexes. */
async function sizeOf(...tables: string[]): Promise<number> {
  const [row] = await db.run<{ bytes: string }>(
    `select sum(pg_total_relation_size(format('%s_%s', t, to_char(now() at time zone 'UTC', 'YYYYMMDD'))::regclass))
              as bytes from unnest($1::text[]) t`,
    [tables],
  )
  return Number(row?.bytes)
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const lastMs = Date.now() + WITHIN_MS
  while (!(await isSo())) {
    assert.ok(Date.now() < lastMs, what)
    await sleep(100)
  }
}

async function openOrganization() {
  const organization = await fixture.createOrganization('FREE')
  await db.run('update organizations set private_targets = true where id = $1', [organization.uuid])
  return organization
}

const ping = (url: string | null, suffix: string, body: string) =>
  fetch(service.baseUrl + new URL(url ?? '').pathname + suffix, { method: 'POST', body })

test(`${BY_DAY.PINGS.what}: those that fit are kept, and no ping is lost`, async () => {
  const { api, uuid } = await openOrganization()
  const { heartbeatUrl, id } = await api.createMonitor()
  const [{ no } = { no: 0 }] = await db.run<{ no: number }>(
    'select no from monitors where id = $1',
    [toUuid(id)],
  )
  const before = await sizeOf('heartbeat_calls')
  const room = LAST * PING_BYTES
  const rows = Math.floor((limitOf('PINGS') - room) / PING_BYTES)
  await db.run(
    `insert into heartbeat_calls (monitor_no, at, signal, body)
     select $1, now(), 'LOG', repeat('x', $3) from generate_series(1, $2) n`,
    [no, rows, PING_BYTES],
  )
  await setUsed(uuid, 'PINGS', limitOf('PINGS') - room)
  const answers = await Promise.all(
    Array.from({ length: WANTED }, () => ping(heartbeatUrl, '/log', letters(PING_BYTES))),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const kept = await db.count('heartbeat_calls', 'monitor_no = $1 and body is not null', [no])
  assert.equal(kept, rows + LAST)
  assert.equal(await db.count('heartbeat_calls', 'monitor_no = $1', [no]), rows + WANTED)
  const grown = (await sizeOf('heartbeat_calls')) - before
  // 100 bytes for a row, as the page says, and what a page of 8 kB cannot hold of a third text.
  const most = limitOf('PINGS') * 1.3 + (rows + WANTED) * 100
  assert.ok(grown <= most && grown > limitOf('PINGS') / 2, `${grown} of ${most}`)

  assert.equal((await ping(heartbeatUrl, '/fail', letters(PING_BYTES))).status, 200)
  assert.equal((await api.getMonitor(id)).state, 'DOWN')
  assert.equal(await db.count('heartbeat_calls', `monitor_no = $1 and signal = 'FAIL'`, [no]), 1)
  await endDay(uuid)
  assert.equal((await ping(heartbeatUrl, '/log', 'kept again')).status, 200)
  assert.equal(await db.count('heartbeat_calls', `body = 'kept again'`, []), 1)
})

/** Several at once, of which the day has room for one. */
async function assertOneFits(write: (at: number) => ReturnType<Client['patch']>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: WANTED }, (_, at) => write(at)))
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(answers.filter(({ status }) => status < 300).length, 1)
  assert.equal(refused.length, WANTED - 1)
  for (const { code, headers, error } of refused) {
    assert.equal(code, 'rate_limited')
    const wait = Number(headers['retry-after'])
    assert.ok(wait >= 1 && wait <= 86_400, `${wait}`)
    assert.match(error.message, /MiB a day/)
  }
}

const addEvents = (uuid: string, events: number, bodyBytes: number) =>
  db.run(
    `with published as (
       insert into events (id, org_id, type, occurred_at, body)
       select new_uuid(), $1, 'monitor.updated', now(), repeat('x', $3) from generate_series(1, $2) n returning id
     ), queued as (
       insert into deliveries (id, org_id, endpoint_id, event_id, event_type, url, status, created_at, completed_at)
       select new_uuid(), $1, new_uuid(), p.id, 'monitor.updated', repeat('x', 2048), 'SUCCEEDED', now(), now()
         from published p, generate_series(1, 2) n returning id
     )
     insert into attempts (delivery_id, number, id, org_id, trigger, started_at, duration_ms, outcome, response_status,
                           response_body, endpoint_id, error_code, error)
     select q.id, n, new_uuid(), $1, 'AUTOMATIC', now(), 15000, 'FAILED', 500, repeat('x', 256), new_uuid(),
            'BAD_STATUS', 'Answered with HTTP 500' from queued q, generate_series(1, 10) n`,
    [uuid, events, bodyBytes],
  )

test(`${BY_DAY.EVENTS.what}: the one that reaches the quota is the last of the day`, async () => {
  const { api, uuid } = await openOrganization()
  const [monitor, job, gone] = [
    await api.createMonitor(),
    await api.createMonitor(),
    await api.createMonitor(),
  ]
  const before = await sizeOf('events', 'deliveries', 'attempts')
  // As a change of a monitor counts that two endpoints get.
  const bodyBytes = 1_500
  const events = Math.floor(limitOf('EVENTS') / (bodyBytes + 300 + 2 * 9_000))
  await addEvents(uuid, events, bodyBytes)
  const grown = (await sizeOf('events', 'deliveries', 'attempts')) - before
  assert.ok(grown <= limitOf('EVENTS') && grown > limitOf('EVENTS') / 3, `${grown} bytes`)

  await setUsed(uuid, 'EVENTS', limitOf('EVENTS') - 1)
  const change = (at: number) => api.patch(`/monitors/${monitor.id}`, { name: `Changed ${at}` })
  await assertOneFits(change)
  assert.ok((await usedBy(uuid, 'EVENTS')) < limitOf('EVENTS') + 10_000)
  const changes = `org_id = $1 and type = 'monitor.updated' and body like '%Changed%'`
  assert.equal(await db.count('events', changes, [uuid]), 1)
  const window = {
    name: 'Refused',
    startsAt: '2036-01-01T00:00:00Z',
    endsAt: '2036-01-01T01:00:00Z',
    monitorIds: [monitor.id],
  }
  for (const answer of [
    await api.post('/monitors', { name: 'Refused', type: 'CRON' }),
    await api.post(`/monitors/${monitor.id}/pause`, {}),
    await api.post('/maintenance-windows', window),
  ])
    assert.equal(answer.status, 429, answer.text)
  assert.equal(await db.count('monitors', 'org_id = $1', [uuid]), 3)
  assert.equal(await db.count('maintenance_windows', 'org_id = $1', [uuid]), 0)

  // What ends something, what a job reports, and news for visitors.
  assert.equal((await api.delete(`/monitors/${gone.id}`)).status, 200)
  assert.equal((await ping(job.heartbeatUrl, '/fail', '')).status, 200)
  const open = (await api.get('/incidents')).json as { data: { id: string }[] }
  const acknowledged = await api.post(`/incidents/${open.data[0]?.id}/acknowledge`, {})
  assert.equal(acknowledged.status, 200, acknowledged.text)
  await api.post('/status-pages', { name: 'Page', slug: `events-${Date.now()}` })
  const published = await api.post('/status-incidents', { title: 'News', message: 'x' })
  assert.equal(published.status, 201, published.text)
  assert.equal((await (await openOrganization()).api.createMonitor()).state, 'PENDING')
  await endDay(uuid)
  assert.equal((await change(WANTED)).status, 200)
})

test(`${BY_DAY.NEWS.what}: the one that reaches the quota is the last of the day`, async () => {
  const { api, uuid } = await openOrganization()
  const page = await api.post('/status-pages', {
    name: 'Page',
    slug: `news-${Date.now()}`,
    subscribersEnabled: true,
    published: true,
  })
  assert.equal(page.status, 201, page.text)
  const { id } = page.json as { id: string }
  await db.run(
    `insert into page_subscribers (id, org_id, page_id, email, email_hash, token, token_hash, asked_at, confirmed_at)
     values (new_uuid(), $1, $2, '\\x00', sha256('a'), '\\x00', sha256('b'), now(), now())`,
    [uuid, toUuid(id)],
  )
  const message = '𝐀'.repeat(10_000)
  const publish = () =>
    api.post('/status-incidents', { title: 'News', message, statusPageIds: [id] })
  assert.equal((await publish()).status, 201)
  const one = await usedBy(uuid, 'NEWS')
  // The event and the notice, 40 kB each.
  assert.ok(one > 80_000 && one < 100_000, `${one} bytes`)

  await setUsed(uuid, 'NEWS', limitOf('NEWS') - 1)
  await assertOneFits(publish)
  assert.ok((await usedBy(uuid, 'NEWS')) < limitOf('NEWS') + 2 * one)
  assert.equal(await db.count('status_incidents', 'org_id = $1', [uuid]), 2)
  assert.equal(await db.count('subscriber_notices', 'org_id = $1', [uuid]), 2)
  assert.equal((await api.createMonitor()).state, 'PENDING')
  await endDay(uuid)
  assert.equal((await publish()).status, 201)
})

test(`${BY_DAY.RESPONSES.what}: those that fit are kept, and every attempt is recorded`, async () => {
  const { api, uuid } = await openOrganization()
  const answered = letters(RESPONSE_BYTES)
  const receiver = await listen(createServer((_request, response) => response.end(answered)))
  after(() => receiver.close())
  const { id } = await api.createEndpoint({ url: `http://127.0.0.1:${receiver.port}/` })
  await setUsed(uuid, 'RESPONSES', limitOf('RESPONSES') - LAST * RESPONSE_BYTES)
  for (let sent = 0; sent < WANTED; sent++) await api.testEndpoint(id)
  const ended = `org_id = $1 and outcome = 'SUCCEEDED' and response_status = 200`
  await until('all were sent', async () => (await db.count('attempts', ended, [uuid])) === WANTED)
  const kept = await db.count('attempts', `${ended} and length(response_body) = $2`, [
    uuid,
    RESPONSE_BYTES,
  ])
  assert.equal(kept, LAST)
  assert.equal(
    await db.count('attempts', `${ended} and response_body is null`, [uuid]),
    WANTED - LAST,
  )
  await endDay(uuid)
  await api.testEndpoint(id)
  await until('kept again', async () => {
    const again = `${ended} and response_body is not null`
    return (await db.count('attempts', again, [uuid])) === LAST + 1
  })
})
