// What happens over time to an endpoint that fails: its Retry-After is respected, the breaker opens, its owner is
// warned, and it is disabled.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../../kit/ids.ts'
import { type Script, startWeb } from '../../kit/targets/web.ts'
import { SCHEDULE_SECONDS, startWebhookFixture, until } from './fixture.ts'
import { queueEvents } from './queue.ts'

// The breaker's times scale with the first wait of the schedule, which is 5 s by default.
const SCALE = (SCHEDULE_SECONDS[0] ?? 0) / 5
const SPAN_MS = 60_000 * SCALE
const FIRST_PROBE_MS = 30_000 * SCALE
const SLACK_MS = 3_000

const web = await startWeb()
const fixture = await startWebhookFixture()
const { db } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
})

async function receiver(script: Script) {
  const page = web.page(script)
  const { api, uuid: orgUuid } = await fixture.createOrganization()
  const { id } = await api.createEndpoint({ url: page.url, eventTypes: ['webhook.test'] })
  const uuid = toUuid(id)
  return {
    page,
    api,
    id,
    uuid,
    queue: (count: number) => queueEvents(db, orgUuid, uuid, count),
    endpoint: () => api.getEndpoint(id),
    count: (where: string) => db.count('deliveries', `endpoint_id = $1 and ${where}`, [uuid]),
    change: (sets: string) => db.run(`update webhook_endpoints set ${sets} where id = $1`, [uuid]),
    /** As if it had been failing for that long and that often. */
    age: (days: number, failures: number) =>
      db.run(
        `update webhook_endpoints
            set failures_in_a_row = $2, next_probe_at = null, probe_seconds = null,
                failing_since = now() - make_interval(secs => $3) where id = $1`,
        [uuid, failures, days * 86_400],
      ),
  }
}

/** What the dispatcher logged about this endpoint. */
function notices(endpointUuid: string): string[] {
  const files = globSync(join(fixture.stack.directory, 'service-*.log'))
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  return lines.flatMap((line) => {
    if (!line.includes(endpointUuid)) return []
    const { what } = JSON.parse(line) as { what?: string }
    return what ?? []
  })
}

describe('time', { concurrency: 8 }, () => {
  test('Retry-After: the next attempt waits as long as it was asked to', async () => {
    const asked = { status: 503, headers: { 'Retry-After': '4' } }
    const { page, queue } = await receiver((_, number) => (number === 1 ? asked : {}))
    await queue(1)
    await until('the second attempt', async () => page.seen.length === 2)
    const [first, second] = page.seen.map(({ atMs }) => atMs)
    const waitedMs = (second ?? 0) - (first ?? 0)
    assert.ok(waitedMs >= 4_000 && waitedMs < 4_000 + SLACK_MS, `${waitedMs}`)
  })

  test('a receiver under pressure gets its minimum from the fourth attempt on', async () => {
    const { page, queue } = await receiver({ status: 503 })
    await queue(1)
    await until('four attempts', async () => page.seen.length === 4)
    const atMs = page.seen.map((request) => request.atMs)
    const quickMs = (atMs[2] ?? 0) - (atMs[0] ?? 0)
    const pressedMs = (atMs[3] ?? 0) - (atMs[2] ?? 0)
    assert.ok(quickMs < 1_000 + SLACK_MS, `${quickMs}`)
    assert.ok(pressedMs >= SPAN_MS && pressedMs < SPAN_MS + SLACK_MS, `${pressedMs}`)
  })

  test('the breaker opens, sends one probe at ever longer waits, closes with a success and drains', async () => {
    // Slow enough that four at a time do not try all of them before it opens.
    const { page, queue, count, endpoint } = await receiver({ status: 500, delayMs: 300 })
    const all = 200
    await queue(all)
    await until('ten failures over a minute', async () => {
      const [first] = page.seen
      return page.seen.length >= 10 && performance.now() - (first?.atMs ?? 0) > SPAN_MS
    })
    await delay(FIRST_PROBE_MS / 2)
    const sentBefore = page.seen.length
    const startMs = performance.now()
    await until('three probes', async () => page.seen.length >= sentBefore + 3)
    const probes = page.seen.slice(sentBefore).map(({ atMs }) => atMs)
    const waits = [probes[1] ?? 0, probes[2] ?? 0].map((atMs, i) => atMs - (probes[i] ?? 0))
    assert.ok((waits[0] ?? 0) >= FIRST_PROBE_MS, `${waits}`)
    assert.ok((waits[1] ?? 0) >= 1.9 * FIRST_PROBE_MS, `${waits}`)
    assert.ok(performance.now() - startMs >= 3 * FIRST_PROBE_MS)
    // Four at a time until it opened, then one at a time: most were never tried.
    assert.equal(await count(`status = 'PENDING'`), all)
    const untried = await count('attempt_count = 0')
    assert.ok(untried > 0, 'held deliveries use up no attempt')
    assert.equal((await endpoint()).enabled, true)

    page.become({ status: 200 })
    await until('all to be sent', async () => (await count(`status = 'SUCCEEDED'`)) === all)
    const { next_probe_at: nextProbeAt } = await db.one<{ next_probe_at: Date | null }>(
      'select next_probe_at from webhook_endpoints where url = $1',
      [page.url],
    )
    assert.equal(nextProbeAt, null)
  })

  test('a day of failures warns once; the endpoint stays enabled', async () => {
    const { uuid, queue, count, age, endpoint } = await receiver({ status: 500 })
    await age(0.9, 5)
    await queue(1)
    await until('an attempt', async () => (await count('attempt_count >= 1')) === 1)
    assert.deepEqual(notices(uuid), [])
    await age(1.1, 5)
    await until('the warning', async () => notices(uuid).length > 0)
    await queue(2)
    await until('more attempts', async () => (await count('attempt_count >= 1')) === 3)
    assert.deepEqual(notices(uuid), ['WARNED'])
    assert.equal((await endpoint()).enabled, true)
  })

  for (const [name, days, failures] of [
    ['five days but a dozen failures', 5.1, 10],
    ['a hundred failures but not yet five days', 4.9, 100],
  ] as const)
    test(`${name}: not given up`, async () => {
      const { queue, page, age, endpoint } = await receiver({ status: 500 })
      await age(days, failures)
      await queue(1)
      await until('an attempt', async () => page.seen.length > 0)
      await delay(300)
      assert.equal((await endpoint()).enabled, true)
    })

  test('five days and twenty failures: disabled, what waits ends, nothing new is queued, enabling starts over', async () => {
    const { api, id, uuid, queue, page, count, age, endpoint } = await receiver({ status: 500 })
    await queue(3)
    await until('attempts', async () => (await count('attempt_count >= 1')) === 3)
    await age(5.1, 19)
    await until('its end', async () => !(await endpoint()).enabled)
    const { disabledReason } = await endpoint()
    assert.equal(disabledReason, 'FAILING')
    await until('the end of what waits', async () => (await count(`status = 'PENDING'`)) === 0)
    const ended = (await api.deliveriesTo(id)).map(({ status, lastError }) => [status, lastError])
    assert.ok(ended.some(([, lastError]) => lastError === 'ENDPOINT_DISABLED'))
    assert.ok(ended.every(([status]) => status === 'FAILED'))
    // Log lines are buffered for up to half a second.
    await until('the notice', async () => notices(uuid).includes('DISABLED'))

    page.become({})
    await api.patch(`/webhook-endpoints/${id}`, { enabled: true })
    const sent = page.seen.length
    await queue(1)
    await until('it to be sent', async () => (await count(`status = 'SUCCEEDED'`)) === 1)
    assert.equal(page.seen.length, sent + 1)
  })
})
