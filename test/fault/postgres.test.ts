// The database dies under load: acknowledged writes persist, and the API recovers by itself.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { Client } from '../db-kit/client.ts'
import { readOperations } from '../db-kit/openapi-document.ts'

const POSTGRES_KILLS = Number(process.env['POSTGRES_KILLS'] ?? 3)
const WORKERS = 6
const LOAD_MS = 1500
const DOWN_MS = 500
const RECOVERY_SECONDS = 10

let stack: Stack
let service: Service
before(async () => {
  stack = await startStack({
    nats: true,
    rateLimit: 1e8,
    durable: true,
    env: { LOG_LEVEL: 'fatal' },
  })
  service = await stack.start('api')
})
after(() => stack.stop())

type Load = {
  acknowledged: Set<string>
  statuses: Map<number, number>
  lastSuccessAt: number
  stopped: boolean
}

test(`kill -9 of PostgreSQL, ${POSTGRES_KILLS} times under load: no acknowledged write is lost`, async (t) => {
  const client = new Client(service.baseUrl, stack.keys.full)
  const load: Load = {
    acknowledged: new Set(),
    statuses: new Map(),
    lastSuccessAt: 0,
    stopped: false,
  }
  const workers = Array.from({ length: WORKERS }, () => work(client, load))
  const recoveries: number[] = []
  for (let kill = 0; kill < POSTGRES_KILLS; kill++) {
    await sleep(LOAD_MS)
    await stack.postgres.kill()
    await sleep(DOWN_MS)
    await stack.postgres.restart()
    recoveries.push(await recovery(load))
  }
  load.stopped = true
  await Promise.all(workers)

  t.diagnostic(
    `${load.acknowledged.size} acknowledged, recovered after ${recoveries.join(', ')} ms`,
  )
  t.diagnostic(JSON.stringify(Object.fromEntries(load.statuses)))
  const documented = readOperations().find(({ id }) => id === 'createMonitor')?.responses
  for (const status of load.statuses.keys()) assert.ok(documented?.has(status), `status ${status}`)
  assert.ok(load.statuses.has(500), 'the outage was felt')
  assert.deepEqual(await lost(load.acknowledged), [])
  assert.equal(service.process.exitCode, null, 'the process lived on')
  client.close()
})

test('while the database is gone: readyz says no, and every request is told when to retry', async () => {
  const ready = async () => (await fetch(`${service.internalUrl}/readyz`)).status
  assert.equal(await ready(), 200)
  await stack.postgres.kill()
  assert.equal(await ready(), 503)
  assert.equal((await fetch(`${service.internalUrl}/livez`)).status, 200)
  // The contract of the APIs for keys has no 503. Proxies, browsers and jobs understand nothing better.
  await assertTemporary('/api/v1/monitors', 500)
  await assertTemporary('/api/ext/v1/tags', 500)
  await assertTemporary('/prometheus/metrics', 503)
  await assertTemporary('/hb/0123456789abcdef', 503)
  await assertTemporary('/status/some-page', 503)
  await assertTemporary('/app/api/me', 503)
  await stack.postgres.restart()
  assert.equal(await ready(), 200)
})

async function assertTemporary(path: string, status: 500 | 503): Promise<void> {
  const cookie = ['upvane', '__Host-upvane'].map((name) => `${name}=${'a'.repeat(43)}`)
  const isOfKeys = !path.startsWith('/app/')
  const headers = isOfKeys ? { 'X-API-Key': stack.keys.full } : { Cookie: cookie.join('; ') }
  const reply = await fetch(service.baseUrl + path, { headers })
  const text = await reply.text()
  assert.equal(reply.status, status, `${path}: ${text}`)
  assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/, path)
  if (reply.headers.get('content-type')?.startsWith('application/json'))
    assert.match(text, /"internal_error","message":"The service is temporarily unavailable/)
}

/** Creates monitors until stopped. A missing response would be a fault, so nothing is caught. */
async function work(client: Client, load: Load): Promise<void> {
  while (!load.stopped) {
    const reply = await client.send({
      method: 'POST',
      path: '/api/v1/monitors',
      headers: { 'Idempotency-Key': randomUUID() },
      body: { name: 'Under load', type: 'HTTP', url: 'https://example.com/' },
    })
    load.statuses.set(reply.status, (load.statuses.get(reply.status) ?? 0) + 1)
    if (reply.status === 201) {
      load.acknowledged.add(String(reply.json()['id']))
      load.lastSuccessAt = performance.now()
    }
    // A refused request returns at once; retrying without a pause would overload the server.
    if (reply.status >= 500) await sleep(20)
  }
}

/** Milliseconds from now to the next success. */
async function recovery(load: Load): Promise<number> {
  const startedAt = performance.now()
  while (load.lastSuccessAt < startedAt) {
    assert.ok(performance.now() - startedAt < RECOVERY_SECONDS * 1000, 'it did not recover in time')
    await sleep(10)
  }
  return Math.round(load.lastSuccessAt - startedAt)
}

async function lost(acknowledged: Set<string>): Promise<string[]> {
  const db = new pg.Client({ connectionString: stack.databaseUrl })
  await db.connect()
  const { rows } = await db.query<{ id: string }>(
    `select body::jsonb #>> '{data,monitor,id}' as id from events e
      where type = 'monitor.created'
        and exists (select from audit_log where resource_id = body::jsonb #>> '{data,monitor,id}')`,
  )
  const { rows: kept } = await db.query<{ n: number }>('select count(*)::int as n from monitors')
  await db.end()
  const present = new Set(rows.map(({ id }) => id))
  assert.equal(present.size, kept[0]?.n, 'each monitor has its event and its audit line')
  return [...acknowledged.difference(present)]
}
