// One organization's requests may wait for each other, but never for another organization's.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../kit/client.ts'
import { type Organization, startProduct } from '../kit/fixture.ts'
import type { ApiResponse } from '../kit/response.ts'

const BURST = 120
// A client opens at most 32 connections.
const CLIENTS = 4
// Far above what a list request takes, far below the time spent waiting for a connection.
const QUICK_MS = 1_000
const LOCK = 'select from organization_usage where org_id = $1 for update'
const JOB = { name: 'Job', type: 'CRON' }

const fixture = await startProduct({ rateLimit: BURST })
const { api, db } = fixture
after(() => fixture.stop())

const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })
const clientsOf = ({ key }: Organization): Client[] =>
  Array.from({ length: CLIENTS }, () => api.as(key))

/** `count` requests at once, each on its own connection. */
function burst(
  owner: Organization,
  count: number,
  ask: (client: Client, n: number) => Promise<ApiResponse>,
): Promise<ApiResponse[]> {
  const clients = clientsOf(owner)
  return Promise.all(
    Array.from({ length: count }, (_, n) => ask(clients[n % CLIENTS] ?? owner.api, n)),
  )
}

async function timed<T>(work: () => Promise<T>): Promise<{ outcome: T; ms: number }> {
  const startMs = performance.now()
  const outcome = await work()
  return { outcome, ms: performance.now() - startMs }
}

/** Runs `work` while every write of the organization waits for a lock. */
const whileWritesWait = <T>({ uuid }: Organization, work: () => Promise<T>): Promise<T> =>
  db.holding(LOCK, [uuid], work)

describe('requests in flight', () => {
  test('listMonitors 200: a burst of 120 parallel requests of one key is queued, never refused', async () => {
    const owner = await fixture.createOrganization()
    const answers = await burst(owner, BURST, (client) => client.get('/monitors'))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  })

  test('createMonitor 201: a burst of 120 parallel writes of one key is queued, never refused', async () => {
    const owner = await fixture.createOrganization()
    const answers = await burst(owner, BURST, (client) => client.post('/monitors', JOB))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  })

  test('listMonitors 200: 60 writes of another organization that wait for a lock hold up nobody', async () => {
    const [busy, other] = [await fixture.createOrganization(), await fixture.createOrganization()]
    let writes: Promise<ApiResponse[]> | undefined
    const times = await whileWritesWait(busy, async () => {
      writes = burst(busy, 60, (client) => client.post('/monitors', JOB))
      await delay(500)
      const all: number[] = []
      for (let n = 0; n < 10; n++) {
        const { outcome, ms } = await timed(() => other.api.get('/monitors'))
        assert.equal(outcome.status, 200)
        all.push(ms)
      }
      return all
    })
    assert.ok(Math.max(...times) < QUICK_MS, `took ${Math.max(...times)} ms`)
    for (const { status } of (await writes) ?? []) assert.equal(status, 201)
  })

  test('createMonitor 409: a duplicate is reported at once, also while the first waits for a slot', async () => {
    const owner = await fixture.createOrganization()
    const keys = Array.from({ length: 12 }, () => randomUUID())
    let writes: Promise<ApiResponse[]> | undefined
    const duplicates = await whileWritesWait(owner, async () => {
      writes = burst(owner, keys.length, (client, n) =>
        client.post('/monitors', JOB, withKey(keys[n] ?? '')),
      )
      await delay(500)
      return timed(() =>
        burst(owner, keys.length, (client, n) =>
          client.post('/monitors', JOB, withKey(keys[n] ?? '')),
        ),
      )
    })
    for (const { code } of duplicates.outcome) assert.equal(code, 'idempotency_in_progress')
    assert.ok(duplicates.ms < QUICK_MS, `took ${duplicates.ms} ms`)
    for (const { status } of (await writes) ?? []) assert.equal(status, 201)
    assert.equal((await owner.api.get('/monitors')).monitors.pagination.total, keys.length)
  })

  test('checkMonitor: checks that wait for their result hold no slot', async () => {
    const owner = await fixture.createOrganization()
    const { id } = await owner.api.createMonitor({ type: 'PORT', host: '127.0.0.1', port: 9 })
    const gone = new AbortController()
    // No scheduler runs here: each of them waits until one claims the monitor's shard.
    const checks = Array.from({ length: 12 }, () =>
      fetch(`${api.baseUrl}/api/v1/monitors/${id}/check`, {
        method: 'POST',
        headers: { 'X-API-Key': owner.key, 'Content-Type': 'application/json' },
        body: '{}',
        signal: gone.signal,
      }).then(
        ({ status }) => status,
        () => 'waiting',
      ),
    )
    await delay(500)
    const { outcome, ms } = await timed(() => owner.api.get('/monitors'))
    assert.equal(outcome.status, 200)
    assert.ok(ms < QUICK_MS, `took ${ms} ms`)
    gone.abort()
    assert.deepEqual(new Set(await Promise.all(checks)), new Set(['waiting']))
  })

  test('listMonitors 200: bodies that are half sent hold no slot', async () => {
    const owner = await fixture.createOrganization()
    const { hostname, port } = new URL(api.baseUrl)
    const head = [
      'POST /api/v1/monitors HTTP/1.1',
      `Host: ${hostname}`,
      `X-API-Key: ${owner.key}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
      '',
      '{"name":',
    ].join('\r\n')
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.write(head)
      return socket
    })
    await delay(500)
    const { outcome, ms } = await timed(() => owner.api.get('/monitors'))
    for (const socket of sockets) socket.destroy()
    assert.equal(outcome.status, 200)
    assert.ok(ms < QUICK_MS, `took ${ms} ms`)
  })

  test('updateStatusPage 200: hashing the passwords of a burst refuses none of it', async () => {
    const owner = await fixture.createOrganization()
    const made = await owner.api.post('/status-pages', { name: 'Status' })
    const { id } = made.json as { id: string }
    const path = `/status-pages/${id}`
    const { outcome } = await timed(() =>
      burst(owner, 110, (client, n) => client.patch(path, { password: `a long password ${n}` })),
    )
    assert.deepEqual(new Set(outcome.map(({ status }) => status)), new Set([200]))
  })
})
