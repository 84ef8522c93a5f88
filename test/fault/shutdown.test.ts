// SIGTERM: requests in flight are completed, new ones are refused, and the process exits with 0.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Stack, startStack } from '../../tools/stack.ts'
import { Client } from '../db-kit/client.ts'

const IN_FLIGHT = 10
const WORKERS = 8
const LOAD_MS = 700
const STOP_MS = 5000

let stack: Stack
let db: pg.Client
before(async () => {
  stack = await startStack({
    nats: true,
    rateLimit: 1e8,
    env: { LOG_LEVEL: 'error', DATABASE_CONNECTIONS_PER_ORGANIZATION: '20' },
  })
  db = await openDatabase()
})
after(async () => {
  await db.end()
  await stack.stop()
})

test(`SIGTERM: ${IN_FLIGHT} requests that wait on the database are answered, new ones are not taken`, async () => {
  const service = await stack.start('api')
  const client = new Client(service.baseUrl, stack.keys.full)
  // Every create takes this lock first: while the test holds it, they are all in flight.
  const lock = await openDatabase()
  await lock.query('begin')
  await lock.query('select 1 from organization_usage for update')
  const sent = Array.from({ length: IN_FLIGHT }, () => client.send(newMonitor()))
  await untilWaiting(IN_FLIGHT)

  const startedAt = performance.now()
  const ended = service.stop()
  await sleep(200)
  await assert.rejects(new Client(service.baseUrl).send({ path: '/api/v1/monitors' }), {
    code: 'ECONNREFUSED',
  })
  await lock.end()

  for (const reply of await Promise.all(sent)) assert.equal(reply.status, 201, reply.text)
  assert.equal(await ended, 0)
  assert.ok(performance.now() - startedAt < STOP_MS, 'it did not wait for idle connections')
  client.close()
})

test('SIGTERM under load: exit code 0, and every acknowledged write is there', async (t) => {
  const service = await stack.start('api')
  const client = new Client(service.baseUrl, stack.keys.full)
  const acknowledged: string[] = []
  let stopping = false
  const workers = Array.from({ length: WORKERS }, async () => {
    for (;;) {
      const reply = await client.send(newMonitor()).catch((error: NodeJS.ErrnoException) => {
        // A connection that was idle at that moment is closed; before the signal nothing may fail.
        assert.ok(stopping, `failed before the signal: ${error.code}`)
        assert.match(String(error.code), /^(ECONNREFUSED|ECONNRESET|EPIPE)$/)
        return undefined
      })
      if (reply === undefined) return
      assert.equal(reply.status, 201, reply.text)
      acknowledged.push(String(reply.json()['id']))
    }
  })
  await sleep(LOAD_MS)
  stopping = true
  const startedAt = performance.now()
  assert.equal(await service.stop(), 0)
  await Promise.all(workers)
  t.diagnostic(
    `${acknowledged.length} acknowledged, ended after ${Math.round(performance.now() - startedAt)} ms`,
  )
  assert.ok(performance.now() - startedAt < STOP_MS)

  const next = new Client((await stack.start('api')).baseUrl, stack.keys.full)
  assert.ok(acknowledged.length > WORKERS)
  for (const id of acknowledged)
    assert.equal((await next.send({ path: `/api/v1/monitors/${id}` })).status, 200)
  next.close()
})

test('SIGTERM with a drain: /readyz is 503 while requests are still served, and only then it stops', async () => {
  const service = await stack.start('api', { env: { SHUTDOWN_DRAIN_SECONDS: '2' } })
  const client = new Client(service.baseUrl, stack.keys.full)
  const startedAt = performance.now()
  const ended = service.stop()
  await sleep(300)
  const ready = await fetch(`${service.internalUrl}/readyz`)
  assert.equal(ready.status, 503)
  assert.deepEqual(((await ready.json()) as { reasons: string[] }).reasons, ['stopping'])
  assert.equal((await client.send({ path: '/api/v1/monitors' })).status, 200)
  assert.equal(await ended, 0)
  assert.ok(performance.now() - startedAt >= 2000)
  client.close()
})

async function openDatabase(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: stack.databaseUrl })
  await client.connect()
  return client
}

function newMonitor() {
  return {
    method: 'POST',
    path: '/api/v1/monitors',
    headers: { 'Idempotency-Key': randomUUID() },
    body: { name: 'In flight', type: 'CRON' },
  }
}

/** Waits until that many backends wait for the lock. */
async function untilWaiting(count: number): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const { rows } = await db.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`,
    )
    if ((rows[0]?.n ?? 0) >= count) return
    await sleep(10)
  }
  throw new Error('The requests never got to the lock')
}
