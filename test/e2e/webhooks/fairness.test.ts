// One receiver that hangs and one with a long queue: a hundred others are not affected, and none exceeds its
// concurrency limit.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../../kit/ids.ts'
import { startPace } from '../../kit/pace.ts'
import { startCountingReceiver } from './counting-receiver.ts'
import { startWebhookFixture, until } from './fixture.ts'
import { mostOpen, queueEvents } from './queue.ts'

const DUE = Number(process.env['WEBHOOK_DUE'] ?? 10_000)
const HEALTHY = 100
const HANGING = 500
const EVENTS = Number(process.env['WEBHOOK_EVENTS'] ?? 200)
const EVERY_MS = 50
const MAX_P99_MS = 1_000
const MAX_PER_ENDPOINT = 4
const MAX_PER_ORGANIZATION = 32

const receiver = await startCountingReceiver()
const fixture = await startWebhookFixture()
after(async () => {
  await fixture.stop()
  await receiver.close()
})

test(`a hanging receiver and one with ${DUE} due: the others' p99 is below a second`, async (t) => {
  const { api, db } = fixture
  const hanging = await fixture.createOrganization()
  const crowded = await fixture.createOrganization()
  const hung = receiver.door({ isHanging: true })
  const flood = receiver.door({ delayMs: 10 })
  const { id: hungId } = await hanging.api.createEndpoint({ url: hung.url })
  const { id: floodId } = await crowded.api.createEndpoint({ url: flood.url })
  const doors = Array.from({ length: HEALTHY }, () => receiver.door())
  const endpointIds: string[] = []
  for (const { url } of doors) endpointIds.push(toUuid((await api.createEndpoint({ url })).id))
  await queueEvents(db, hanging.uuid, toUuid(hungId), HANGING)
  await queueEvents(db, crowded.uuid, toUuid(floodId), DUE)
  await until('the hanging ones', async () => hung.open === MAX_PER_ENDPOINT)

  const pace = startPace()
  const committedMs = new Map<string, number>()
  const startMs = performance.now()
  for (let i = 0; i < EVENTS; i++) {
    await delay(Math.max(0, startMs + i * EVERY_MS - performance.now()))
    const endpointId = endpointIds[Math.floor(Math.random() * HEALTHY)] ?? ''
    const [id = ''] = await queueEvents(db, toUuid(fixture.orgId), endpointId, 1)
    committedMs.set(id, performance.now())
  }
  const received = () => new Map(doors.flatMap(({ receivedMs }) => [...receivedMs]))
  await until('all of them', async () => received().size === EVENTS)
  const receivedMs = received()
  const tookMs = [...committedMs]
    .map(([id, atMs]) => (receivedMs.get(id) ?? Number.POSITIVE_INFINITY) - atMs)
    .toSorted((a, b) => a - b)
  const at = (share: number) => tookMs[Math.floor(tookMs.length * share)] ?? Number.NaN
  const left = await db.count('deliveries', `endpoint_id = $1 and status = 'PENDING'`, [
    toUuid(floodId),
  ])
  const open = await mostOpen(db)
  t.diagnostic(
    `commit to receipt p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, ` +
      `max ${at(0.9999).toFixed(0)} ms; ${DUE - left} of ${DUE} sent; most open ${JSON.stringify(open)}`,
  )
  assert.ok(at(0.99) < MAX_P99_MS + pace.slackMs(), `p99 ${at(0.99)}`)
  assert.ok(left < DUE, 'the crowded one is served as well')
  assert.equal(flood.mostOpen, MAX_PER_ENDPOINT, 'it has its places, and no more')
  for (const { mostOpen: most } of doors) assert.ok(most <= MAX_PER_ENDPOINT)
  assert.ok(open.endpoint <= MAX_PER_ENDPOINT && open.organization <= MAX_PER_ORGANIZATION)
  assert.deepEqual(receiver.twiceAtOnce, [])
})
