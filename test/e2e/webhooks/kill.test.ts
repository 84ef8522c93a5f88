// kill -9 of API, scheduler and dispatcher at random points. Every committed change has exactly one event, no event is
// without its change, every event reaches every subscribed endpoint, and duplicates are identical.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Crew } from '../../fault/engine/crew.ts'
import { Client } from '../../kit/client.ts'
import { startProduct } from '../../kit/fixture.ts'
import { toId, toUuid } from '../../kit/ids.ts'
import { type Script, startWeb } from '../../kit/targets/web.ts'
import type { WebhookPayload } from '../../kit/webhook-shapes.ts'
import { until } from './fixture.ts'
import {
  changeThings,
  checkThings,
  digest,
  type Ledger,
  type Receiver,
  startReceiver,
} from './ledger.ts'

const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 20)
// How long each lives at most once it is ready: long enough to do some work.
const LONGEST_LIFE_MS = { api: 3000, scheduler: 6000, dispatcher: 800 }
const SLOWEST_RESPONSE_MS = 60
const REST_MS = 150
const FLIPPING = 4
const FLIP_AFTER_REQUESTS = 2
const SHOWN = 20
// An attempt whose process died is given up after 25 s, and then waits for its next retry.
const DRAIN_MS = 240_000
const REVIVE_MS = 600_000

const web = await startWeb()
const fixture = await startProduct({
  env: {
    // Enough retries for several lost attempts of one delivery.
    WEBHOOK_RETRY_SCHEDULE_SECONDS: Array(14).fill('0.3').join(','),
    SHARD_LEASE_SECONDS: '2',
  },
})
// This API is not killed: it is used at the start and at the end.
const { api, db } = fixture
const crew = new Crew(fixture.stack)
await crew.hire('probe', { command: 'probe' })
const baseUrl = await crew.hire('api', { command: 'api' })
await crew.hire('scheduler', { command: 'scheduler' })
await crew.hire('dispatcher', { command: 'dispatcher' })
const mortal = new Client({ baseUrl, key: fixture.keys.full, rateLimit: api.rateLimit })
const receivers = await Promise.all([
  // One of them also fails now and then.
  startReceiver((number) => ({ status: number % 7 === 0 ? 500 : 200, delayMs: slow() })),
  startReceiver(() => ({ status: 200, delayMs: slow() })),
  startReceiver(() => ({ status: 204, delayMs: 0 })),
])
const PICKED = ['monitor.created', 'incident.opened']
const wanted = [['*'], ['*'], PICKED]
after(async () => {
  await crew.stopAll()
  mortal.close()
  await fixture.stop()
  for (const { close } of [web, ...receivers]) await close()
})

function slow(): number {
  return Math.random() * SLOWEST_RESPONSE_MS
}

test(`${KILLS} kills: one event for each change, and everybody receives it`, async (t) => {
  for (const [i, receiver] of receivers.entries()) {
    const { secret } = await api.createEndpoint({ url: receiver.url, eventTypes: wanted[i] })
    receiver.trust(secret)
  }
  const ledger: Ledger = new Map()
  let isOver = false
  const watched: string[] = []
  for (let i = 0; i < FLIPPING; i++) {
    const { url } = web.page(flipping(i))
    watched.push((await api.createMonitor({ type: 'HTTP', url, intervalSeconds: 30 })).id)
  }
  const people = [
    changeThings(mortal, ledger, () => isOver, REST_MS),
    changeThings(mortal, ledger, () => isOver, REST_MS),
    checkThings(baseUrl, fixture.keys.full, watched, () => isOver),
  ]
  const kills = await killAround()
    .then(async (counts) => {
      await until('an incident that came and went', hasRecovered)
      return counts
    })
    .finally(() => {
      isOver = true
      return Promise.allSettled(people)
    })
  await Promise.all(people)
  for (const id of watched) await api.post(`/monitors/${id}/pause`, {})
  await until('the end of all deliveries', allEnded, DRAIN_MS)

  const events = await readEvents()
  assertChanges(events, ledger)
  await assertStates(events, watched)
  for (const [i, receiver] of receivers.entries()) assertReceived(events, receiver, wanted[i] ?? [])
  const { requests, lost, shown } = await assertVisible()
  const countOf = (type: string) => events.filter((event) => event.type === type).length
  t.diagnostic(
    `kills ${JSON.stringify(kills)}; ${ledger.size} monitors changed, ${events.length} events, ` +
      `${countOf('monitor.up') + countOf('monitor.down')} of them states, ${countOf('incident.opened')} incidents; ` +
      `${requests} requests, ${lost} attempts lost, ${shown} of them read back`,
  )
  assert.ok(lost > 0, 'no kill hit an attempt: nothing was tried')
})

const hasRecovered = async () => (await db.count('incidents', 'resolved_at is not null', [])) > 0

/** Up for some requests, then down for as many. */
function flipping(offset: number): Script {
  return (_request, number) => {
    const isUp = Math.floor((number + offset) / FLIP_AFTER_REQUESTS) % 2 === 0
    return { status: isUp ? 200 : 503 }
  }
}

/** Kills each a moment after it is ready; all three at the same time. */
async function killAround(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let left = KILLS
  const work = async (victim: keyof typeof LONGEST_LIFE_MS) => {
    while (left-- > 0) {
      await until(`the ${victim} to run`, async () => crew.isRunning(victim), REVIVE_MS)
      await delay(Math.random() * LONGEST_LIFE_MS[victim])
      await crew.kill(victim)
      counts[victim] = (counts[victim] ?? 0) + 1
      crew.revive(victim)
    }
  }
  await Promise.all([work('api'), work('scheduler'), work('dispatcher')])
  await crew.allRunning()
  return counts
}

async function allEnded(): Promise<boolean> {
  return (await db.count('deliveries', `status = 'PENDING'`, [])) === 0
}

type StoredEvent = WebhookPayload & { digest: string }

async function readEvents(): Promise<StoredEvent[]> {
  const rows = await db.run<{ id: string; body: string }>('select id, body from events order by id')
  return rows.map(({ id, body }) => {
    const event = JSON.parse(body) as WebhookPayload
    assert.equal(event.id, toId('evt', id))
    return { ...event, digest: digest(body) }
  })
}

const monitorOf = ({ data }: WebhookPayload) => data['monitor'] as { id: string; name: string }

/** What people changed, and nothing else, in the order of the changes. */
function assertChanges(events: readonly StoredEvent[], ledger: Ledger): void {
  const byMonitor = Map.groupBy(events, (event) => monitorOf(event).id)
  for (const [id, changes] of ledger)
    assert.deepEqual(
      byMonitor.get(id)?.map((event) => ({ type: event.type, name: monitorOf(event).name })),
      changes,
    )
  const others = [...byMonitor.keys()].filter((id) => !ledger.has(id))
  assert.equal(others.length, FLIPPING, 'events of monitors that nobody made')
}

/** What checks changed: one event for each state a monitor was in, two for each incident. */
async function assertStates(events: readonly StoredEvent[], watched: readonly string[]) {
  for (const id of watched) {
    const own = events.filter((event) => monitorOf(event).id === id)
    const { states } = await db.spansOf(id)
    assert.deepEqual(
      own.flatMap(({ type }) => /^monitor\.(up|down)$/.exec(type)?.[1]?.toUpperCase() ?? []),
      states.filter((state) => state === 'UP' || state === 'DOWN'),
    )
    const incidents = await db.run<{ id: string; resolved_at: Date | null }>(
      'select id, resolved_at from incidents where monitor_id = $1',
      [toUuid(id)],
    )
    const idsOf = (type: string) =>
      own.filter((event) => event.type === type).map(({ data }) => incidentIdOf(data))
    const ids = incidents.map((incident) => toId('inc', incident.id))
    assert.deepEqual(idsOf('incident.opened').toSorted(), ids.toSorted())
    const resolved = ids.filter((_, i) => incidents[i]?.resolved_at !== null)
    assert.deepEqual(idsOf('incident.resolved').toSorted(), resolved.toSorted())
  }
}

const incidentIdOf = (data: Record<string, unknown>) => (data['incident'] as { id: string }).id

/** Every event it subscribed to, with the right id and bytes, and no other. */
function assertReceived(
  events: readonly StoredEvent[],
  receiver: Receiver,
  types: readonly string[],
) {
  assert.deepEqual(receiver.faults, [])
  const due = events.filter(({ type }) => types.includes('*') || types.includes(type))
  assert.ok(due.length > 0)
  for (const { id, type, digest: wantedDigest } of due)
    assert.equal(receiver.events.get(id)?.digest, wantedDigest, `${type} ${id}`)
  assert.equal(receiver.events.size, due.length, 'an event that is not stored or not wanted')
}

/** Every request belongs to a recorded attempt; every delivery succeeded and counts its attempts. */
async function assertVisible() {
  assert.equal(await db.count('deliveries', `status <> 'SUCCEEDED'`, []), 0)
  assert.equal(await db.count('attempts', 'outcome is null', []), 0)
  const deliveries = await db.run<{
    event: string
    url: string
    attempts: number
    counted: number
  }>(
    `select d.event_id as event, d.url, d.attempt_count as counted,
            (select count(*)::int from attempts a where a.delivery_id = d.id) as attempts
       from deliveries d where d.channel = 'WEBHOOK'`,
  )
  let requests = 0
  for (const { event, url, attempts, counted } of deliveries) {
    assert.equal(counted, attempts)
    const receiver = receivers.find((one) => one.url === url)
    const seen = receiver?.events.get(toId('evt', event))?.requests ?? 0
    requests += seen
    assert.ok(seen >= 1 && seen <= attempts, `${seen} requests of ${attempts} attempts`)
  }
  const lost = await db.run<{ id: string }>(
    `select distinct delivery_id as id from attempts where error_code = 'WORKER_LOST'`,
  )
  for (const { id } of lost.slice(0, SHOWN)) {
    const { attempts, attemptCount } = await api.getDelivery(toId('whd', id))
    assert.equal(attempts.length, attemptCount)
    assert.ok(attempts.some(({ errorCode }) => errorCode === 'WORKER_LOST'))
    assert.equal(attempts.at(-1)?.outcome, 'SUCCEEDED')
  }
  return { requests, lost: lost.length, shown: Math.min(SHOWN, lost.length) }
}
