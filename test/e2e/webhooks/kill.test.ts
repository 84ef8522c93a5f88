// kill -9 of the dispatcher at random points: nothing is lost, and what comes twice is the same.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startWeb } from '../../kit/targets/web.ts'
import { startWebhookBench, until, verify } from './bench.ts'

const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 40)
const ENDPOINTS = 3
const LONGEST_LIFE_MS = 500
const SLOWEST_ANSWER_MS = 60
const EVENTS_BETWEEN_KILLS = 3
// An attempt whose process died is given up after 25 s, and then waits for its next turn.
const DRAIN_MS = 150_000

const web = await startWeb()
// Patient enough for several lost attempts of one delivery.
const schedule = { WEBHOOK_RETRY_SCHEDULE_SECONDS: Array(12).fill('0.3').join(',') }
const bench = await startWebhookBench(schedule)
const { api } = bench
after(async () => {
  await bench.stop()
  await web.close()
})

test(`${KILLS} kills: every event reaches every endpoint, with one id and the same bytes`, async (t) => {
  const pages = Array.from({ length: ENDPOINTS }, (_, i) =>
    web.page((_request, number) => ({
      // One of them fails now and then as well.
      status: i === 0 && number % 7 === 0 ? 500 : 200,
      delayMs: Math.random() * SLOWEST_ANSWER_MS,
    })),
  )
  const endpoints = await Promise.all(pages.map(({ url }) => api.createEndpoint({ url })))
  let { dispatcher } = bench
  for (let kill = 0; kill < KILLS; kill++) {
    for (let i = 0; i < EVENTS_BETWEEN_KILLS; i++) await api.createMonitor()
    await delay(Math.random() * LONGEST_LIFE_MS)
    await dispatcher.kill()
    dispatcher = await bench.stack.start('dispatcher')
  }
  await until('the end of all deliveries', allEnded, DRAIN_MS)

  const events = await bench.db.run<{ id: string; body: string }>('select id, body from events')
  assert.equal(events.length, KILLS * EVENTS_BETWEEN_KILLS)
  let requests = 0
  for (const [i, { seen }] of pages.entries()) {
    const byId = Map.groupBy(seen, ({ headers }) => headers['webhook-id'] ?? '')
    assert.equal(byId.size, events.length, 'every event, and no other id')
    requests += seen.length
    for (const { body } of events) {
      const copies = byId.get((JSON.parse(body) as { id: string }).id) ?? []
      assert.ok(copies.length > 0)
      for (const copy of copies) {
        assert.equal(copy.body, body)
        verify(copy, endpoints[i]?.secret ?? '')
      }
    }
  }
  await assertVisible(requests)
  const lost = await bench.db.count('attempts', `error_code = 'WORKER_LOST'`, [])
  t.diagnostic(`${events.length} events, ${requests} requests, ${lost} attempts lost`)
  assert.ok(lost > 0, 'no kill hit an attempt: nothing was tried')
})

async function allEnded(): Promise<boolean> {
  return (await bench.db.count('deliveries', `status = 'PENDING'`, [])) === 0
}

/** Every request belongs to an attempt that is shown; every delivery succeeded and counts its attempts. */
async function assertVisible(requests: number): Promise<void> {
  const { db } = bench
  assert.equal(await db.count('deliveries', `status <> 'SUCCEEDED'`, []), 0)
  assert.equal(await db.count('attempts', 'outcome is null', []), 0)
  const wrong = await db.count(
    'deliveries d',
    `attempt_count <> (select count(*) from attempts a where a.delivery_id = d.id)`,
    [],
  )
  assert.equal(wrong, 0)
  assert.ok((await db.count('attempts', 'true', [])) >= requests)
}
