// One receiver that hangs and one with 20,000 deliveries due: a hundred others do not notice.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toId, toUuid } from '../../kit/ids.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { startWebhookBench, until } from './bench.ts'

const HEALTHY = 100
const DUE = 20_000
const HANGING = 500
const EVENTS = 400
const EVERY_MS = 50
const MAX_P99_MS = 1_000

const web = await startWeb()
const bench = await startWebhookBench()
after(async () => {
  await bench.stop()
  await web.close()
})

test(`a hanging receiver and one with ${DUE} due: the others' p99 is below a second`, async (t) => {
  const { api, db } = bench
  const hanging = await bench.createOrganization()
  const crowded = await bench.createOrganization()
  const hung = web.page('SILENCE')
  const flood = web.page({})
  const { id: hungId } = await hanging.api.createEndpoint({ url: hung.url })
  const { id: floodId } = await crowded.api.createEndpoint({ url: flood.url })
  const receivedMs = new Map<string, number>()
  const endpointIds: string[] = []
  for (let i = 0; i < HEALTHY; i++) {
    const { url } = web.page(({ headers }) => {
      const id = headers['webhook-id'] ?? ''
      if (!receivedMs.has(id)) receivedMs.set(id, performance.now())
      return {}
    })
    endpointIds.push(toUuid((await api.createEndpoint({ url })).id))
  }
  await queue(hanging.uuid, toUuid(hungId), HANGING)
  await queue(crowded.uuid, toUuid(floodId), DUE)
  await until('the hanging ones', async () => hung.seen.length >= 4)

  const committedMs = new Map<string, number>()
  const startMs = performance.now()
  for (let i = 0; i < EVENTS; i++) {
    await delay(Math.max(0, startMs + i * EVERY_MS - performance.now()))
    const endpointId = endpointIds[Math.floor(Math.random() * HEALTHY)] ?? ''
    const [id = ''] = await queue(toUuid(bench.orgId), endpointId, 1)
    committedMs.set(id, performance.now())
  }
  await until('all of them', async () => receivedMs.size === EVENTS)
  const tookMs = [...committedMs]
    .map(([id, atMs]) => (receivedMs.get(id) ?? Number.POSITIVE_INFINITY) - atMs)
    .toSorted((a, b) => a - b)
  const at = (share: number) => tookMs[Math.floor(tookMs.length * share)] ?? Number.NaN
  const left = await db.count('deliveries', `endpoint_id = $1 and status = 'PENDING'`, [
    toUuid(floodId),
  ])
  t.diagnostic(
    `commit to receipt p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, ` +
      `max ${at(0.9999).toFixed(0)} ms; ${DUE - left} of the crowded one sent`,
  )
  assert.ok(at(0.99) < MAX_P99_MS, `p99 ${at(0.99)}`)
  assert.ok(hung.seen.length <= 40, 'the hanging one has a few requests at a time')
  assert.ok(left < DUE, 'the crowded one is served as well')
})

/** Events of one endpoint, in one transaction; returns their ids as the receiver sees them. */
async function queue(orgUuid: string, endpointUuid: string, count: number): Promise<string[]> {
  const rows = await bench.db.run<{ id: string }>(
    `with told as (
       insert into events (id, org_id, type, occurred_at, body)
       select new_uuid(), $1, 'webhook.test', now(), '{"some":"event"}' from generate_series(1, $3)
       returning id
     ), queued as (
       insert into deliveries (id, org_id, endpoint_id, event_id, event_type, url, next_attempt_at, created_at)
       select new_uuid(), $1, $2, id, 'webhook.test', '', now(), now() from told
     )
     select id from told`,
    [orgUuid, endpointUuid, count],
  )
  return rows.map(({ id }) => toId('evt', id))
}
