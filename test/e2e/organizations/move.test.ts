// An organization moves from one running product to another: what its API, its jobs, its members and its receivers see of
// that. docs/operating/moving-organizations.md has the commands.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { Client } from '../../kit/client.ts'
import { type Page, startWeb } from '../../kit/targets/web.ts'
import { startAppFixture } from '../../private/fixture.ts'
import { until } from '../alerts/fixture.ts'

const QUIET_MS = 6000
const SETTLE_MS = 3000
const EVERY_SECONDS = 2
const PLENTY = 1_000_000
const MAIN = join(import.meta.dirname, '../../../src/main.ts')

const web = await startWeb()
const [source, target] = await Promise.all([
  startAppFixture({}, { command: 'start' }),
  startAppFixture({}, { command: 'start' }),
])
const files = mkdtempSync(join(tmpdir(), 'upvane-move-'))
after(async () => {
  await Promise.all([source.stop(), target.stop()])
  await web.close()
  rmSync(files, { recursive: true })
})

// Thirty seconds are the fastest that the API allows.
for (const { db } of [source, target])
  await db.run('alter table monitors drop constraint monitors_interval_seconds_check')

const passphrase = join(files, 'passphrase')
writeFileSync(passphrase, 'a passphrase of many words\n', { mode: 0o600 })
const secretFlags = ['--passphrase-file', passphrase]
// Of an installation of the same operator.
const ownFlags = ['--trust-source', ...secretFlags]
const file = join(files, 'acme.move')
const [page, hook] = [web.page({}), web.page({})]
const seen = ({ seen: requests }: Page) => requests.length

test('export, import: the source is frozen with a clear error, and the target continues', async () => {
  const organization = await source.createOrganization()
  const { api } = organization
  const { visitor: owner, person } = await source.join(organization.id, 'OWNER')
  const { monitorId, pingPath, secret, pagePath } = await fill(organization.uuid, api)
  await until('checks', async () => seen(page) > 1)

  await source.operate(['org', 'move', 'export', organization.id, '--file', file, ...secretFlags])
  await assertMoving('/api/v1/monitors', 500, organization.key)
  await assertMoving('/api/ext/v1/tags', 500, organization.key)
  await assertMoving('/prometheus/metrics', 503, organization.key)
  await assertMoving(pingPath, 503)
  const path = `/app/api/organizations/${organization.id}/alert-contacts`
  const screen = await owner.exchange('GET', path)
  assert.equal(screen.status, 503)
  assert.match(screen.headers['retry-after'] ?? '', /^\d+$/)
  assert.match(screen.text, /being moved to another installation/)
  await until('the page to be unavailable', async () => {
    const visited = await fetch(source.service.baseUrl + pagePath)
    return visited.status === 503 && visited.headers.get('retry-after') !== null
  })
  await delay(SETTLE_MS)
  const [checks, calls] = [seen(page), seen(hook)]
  await delay(QUIET_MS)
  assert.deepEqual([seen(page), seen(hook)], [checks, calls], 'nothing is checked or sent')

  await target.operate(['org', 'move', 'import', file, '--private-targets', ...ownFlags])
  const moved = new Client({
    baseUrl: target.service.baseUrl,
    key: organization.key,
    rateLimit: PLENTY,
  })
  try {
    const monitor = await moved.getMonitor(monitorId)
    assert.deepEqual(
      monitor.requestHeaders,
      { 'X-Secret': 'hunter2' },
      'the same key, and its secrets',
    )
    await until('checks by the target', async () => seen(page) > checks + 1)
    assert.equal(page.seen.at(-1)?.headers['x-secret'], 'hunter2')
    assert.equal((await fetch(target.service.baseUrl + pingPath)).status, 200)
    assert.equal((await fetch(target.service.baseUrl + pagePath)).status, 200)

    assert.equal((await moved.post(`/monitors/${monitorId}/pause`, {})).status, 200)
    const paused = await until('its event', async () =>
      hook.seen.find(({ body }) => body.includes('"monitor.paused"')),
    )
    // Throws unless it was signed with the secret that the source gave out.
    new Webhook(secret).verify(paused.body, paused.headers)

    const incidents = await moved.get('/incidents')
    assert.deepEqual((incidents.json as { data: object[] }).data, [], 'and no incident of the move')
    const members = await target.db.run<{ email: string }>(
      'select u.email from members m join users u on u.id = m.user_id where m.org_id = $1',
      [organization.uuid],
    )
    assert.deepEqual(members, [{ email: person.email }])
  } finally {
    moved.close()
  }
})

test('undo: a frozen organization works again, and its jobs are not late', async () => {
  const organization = await source.createOrganization()
  const { api, id } = organization
  const job = await api.createMonitor({ name: 'Job', expectedPeriodSec: 60 })
  const again = join(files, 'undone.move')
  await source.operate(['org', 'move', 'export', id, '--file', again, ...secretFlags])
  await assertMoving('/api/v1/monitors', 500, organization.key)
  const undoneMs = Date.now()
  await source.operate(['org', 'move', 'undo', id, '--yes'])
  assert.notEqual((await api.getMonitor(job.id)).state, 'DOWN')
  const { at } = await source.db.one<{ at: string }>(
    `select s.heartbeat ->> 'startedAt' as at from monitor_states s join monitors m on m.no = s.monitor_no
      where m.org_id = $1`,
    [organization.uuid],
  )
  assert.ok(Date.parse(at) >= undoneMs, 'its period starts over')
})

test('killed in the middle: nothing is imported, and both commands can be repeated', async () => {
  const { api, id, uuid, key } = await source.createOrganization()
  const { monitorId } = await fill(uuid, api)
  await fillMuch(uuid)
  const [cut, whole] = [join(files, 'cut.move'), join(files, 'whole.move')]
  const exportTo = (name: string) => ['org', 'move', 'export', id, '--file', name, ...secretFlags]
  const importOf = (name: string) => ['org', 'move', 'import', name, ...ownFlags]

  await killWhen(source, exportTo(cut), async () => {
    return existsSync(cut) && statSync(cut).size > 0
  })
  await assertMoving('/api/v1/monitors', 500, key)
  await assert.rejects(target.operate(importOf(cut)), /Nothing was imported/)
  await source.operate(exportTo(whole))

  const waiting = `wait_event_type = 'Lock' and query like '%"${MIDDLE_TABLE}"%'`
  const isWaiting = async () => (await target.db.count('pg_stat_activity', waiting, [])) > 0
  await target.db.holding(`lock table ${MIDDLE_TABLE} in access exclusive mode`, [], () =>
    killWhen(target, importOf(whole), isWaiting),
  )
  await until('its session to end', async () => !(await isWaiting()))
  assert.equal(await target.db.count('organizations', 'id = $1', [uuid]), 0)
  assert.equal(await target.db.count('monitors', 'org_id = $1', [uuid]), 0)
  await target.operate(importOf(whole))
  const moved = new Client({ baseUrl: target.service.baseUrl, key, rateLimit: PLENTY })
  await moved.getMonitor(monitorId).finally(() => moved.close())
  const moving = 'monitor_no in (select no from monitors where org_id = $1)'
  assert.ok((await target.db.count('results', moving, [uuid])) >= RESULTS)
  await assert.rejects(target.operate(importOf(whole)), /is in this installation already/)
})

/** Never 401: clients take that for a revoked key. The contract of the API has no 503. */
async function assertMoving(path: string, status: 500 | 503, key?: string): Promise<void> {
  const headers = key === undefined ? {} : { 'X-API-Key': key }
  const reply = await fetch(source.service.baseUrl + path, { headers })
  const { error } = (await reply.json()) as { error: { code: string; message: string } }
  assert.deepEqual([path, reply.status, error.code], [path, status, 'internal_error'])
  assert.match(error.message, /being moved to another installation/)
  assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
}

// More than is written in an instant.
const RESULTS = 100_000
// Among those that are written before the results.
const MIDDLE_TABLE = 'monitor_views'

async function fillMuch(uuid: string): Promise<void> {
  await source.db.run(
    `insert into results (monitor_no, slot, kind, verdict)
     select m.no, date_trunc('second', now()) - n * interval '0.4 s', 0, 0
       from monitors m, generate_series(1, ${RESULTS}) n where m.org_id = $1 and m.type = 'HTTP'`,
    [uuid],
  )
  await source.db.run(
    `insert into monitor_views (id, org_id, name, key, filter) values (new_uuid(), $1, 'Down', 'down', '{}')`,
    [uuid],
  )
}

/** Runs a command until that is true, and kills it. */
async function killWhen(
  { stack, service }: typeof source,
  words: string[],
  isTime: () => Promise<boolean>,
): Promise<void> {
  const env = { ...stack.env, BASE_URL: service.baseUrl }
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ['ignore', 'ignore', 2] })
  const exit = once(child, 'exit')
  await until('the time to kill it', async () => {
    assert.equal(child.exitCode, null, 'it ended by itself')
    return isTime()
  })
  child.kill('SIGKILL')
  assert.deepEqual(await exit, [null, 'SIGKILL'])
}

async function fill(uuid: string, api: Client) {
  const { secret } = await api.createEndpoint({ url: hook.url, eventTypes: ['*'] })
  const monitor = await api.createMonitor({
    type: 'HTTP',
    name: 'Shop',
    url: page.url,
    timeoutSeconds: 1,
    intervalSeconds: 30,
    requestHeaders: { 'X-Secret': 'hunter2' },
  })
  const job = await api.createMonitor({ name: 'Job', expectedPeriodSec: 3600 })
  const pingPath = new URL(job.heartbeatUrl ?? '').pathname
  assert.equal((await fetch(source.service.baseUrl + pingPath)).status, 200)
  await source.db.run(
    `update organizations set limit_overrides = '{"fastestIntervalSeconds": ${EVERY_SECONDS}}' where id = $1`,
    [uuid],
  )
  await source.db.run(
    `update monitors set interval_seconds = ${EVERY_SECONDS} where org_id = $1 and type = 'HTTP'`,
    [uuid],
  )
  const slug = `moved-${uuid.slice(-6)}`
  const made = await api.post('/status-pages', { name: 'Page', slug, sections: [] })
  assert.equal(made.status, 201, made.text)
  const pagePath = new URL((made.json as { url: string }).url).pathname
  assert.equal((await fetch(source.service.baseUrl + pagePath)).status, 200)
  return { monitorId: monitor.id, pingPath, secret, pagePath }
}
