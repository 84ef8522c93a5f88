// checkMonitor under load, checks superseded by a change, how soon a new monitor is checked, and what the operator sees
// of it.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../../kit/ids.ts'
import { seedContact } from '../../kit/seed.ts'
import { type Page, type Script, startWeb } from '../../kit/targets/web.ts'
import { startEngine } from './fixture.ts'

// Unreachable registries, and a control target that is silent because the guard does not let it be reached: a refused
// connection would be an answer.
const NOWHERE = {
  RDAP_BOOTSTRAP_URL: 'http://127.0.0.1:1/',
  WHOIS_SERVER: '127.0.0.1:1',
  PROBE_CONTROL_TARGETS: '10.255.255.1:1',
}
const FIRST_RESULT_MS = 1000

const web = await startWeb()
const engine = await startEngine({ env: NOWHERE })
after(async () => {
  await engine.stop()
  await web.close()
})

const http = (page: Page) => ({ type: 'HTTP', url: page.url, timeoutSeconds: 10 })

async function watch(script: Script = {}) {
  const page = web.page(script)
  const { id } = await engine.createChecked(http(page))
  return { id, page, requests: () => page.seen.length - 1 }
}

async function observed(page: Page, count: number): Promise<void> {
  for (let waitedMs = 0; page.seen.length < count; waitedMs += 10) {
    assert.ok(waitedMs < 10_000, `${page.seen.length} requests came`)
    await delay(10)
  }
}

test('checkMonitor 200: also as the first request to a process that has just started', async () => {
  const { id } = await engine.create(http(web.page({})))
  const { status, body } = await engine.checkRaw(id)
  assert.deepEqual([status, body.state], [200, 'UP'])
})

describe('checkMonitor', { concurrency: 10 }, () => {
  test('200: answers after the result is stored', async () => {
    const { id, requests } = await watch()
    const monitor = await engine.check(id)
    assert.deepEqual(await engine.api.getMonitor(id), monitor)
    const results = await engine.resultsOf(id)
    assert.deepEqual(
      results.map(({ kind, verdict, status }) => [kind, verdict, status]),
      [
        ['SCHEDULED', 'PASSED', 200],
        ['REQUESTED', 'PASSED', 200],
      ],
    )
    assert.equal(requests(), 1)
  })

  test('409: the monitor is paused, and nothing is sent', async () => {
    const { id, requests } = await watch()
    await engine.pause(id)
    const { status, code } = await engine.checkRaw(id)
    assert.deepEqual([status, code, requests()], [409, 'conflict', 0])
  })

  test('50 at once: one runs, the others share one more, all are answered', async () => {
    const { id, page, requests } = await watch()
    page.become({ delayMs: 2500 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => engine.checkRaw(id)))
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([200]))
    assert.equal(requests(), 2)
    const results = await engine.resultsOf(id)
    assert.equal(results.filter(({ kind }) => kind === 'REQUESTED').length, 2)
  })

  test('a check asked for during a planned one waits for it and runs another', async () => {
    const page = web.page({ delayMs: 1200 })
    const { id } = await engine.create(http(page))
    await observed(page, 1)
    await engine.check(id)
    assert.equal(page.seen.length, 2)
    assert.deepEqual(
      (await engine.resultsOf(id)).map(({ kind }) => kind),
      ['SCHEDULED', 'REQUESTED'],
    )
  })

  test('Idempotency-Key: a repeat is replayed, and the target is not asked again', async () => {
    const { id, requests } = await watch()
    const key = { 'Idempotency-Key': `replay-${id}` }
    const first = await engine.checkRaw(id, key)
    const second = await engine.checkRaw(id, key)
    assert.deepEqual([first.status, second.status], [200, 200])
    assert.deepEqual(second.body, first.body)
    assert.deepEqual(
      [first, second].map(({ headers }) => headers.get('idempotency-replayed')),
      [null, 'true'],
    )
    assert.equal(requests(), 1)
    const other = await watch()
    assert.equal((await engine.checkRaw(other.id, key)).code, 'idempotency_conflict')
  })

  test('Idempotency-Key: 409 while the first still runs', async () => {
    const { id, page, requests } = await watch()
    page.become({ delayMs: 1500 })
    const key = { 'Idempotency-Key': `busy-${id}` }
    const first = engine.checkRaw(id, key)
    await observed(page, 2)
    const early = await engine.checkRaw(id, key)
    assert.deepEqual([early.status, early.code], [409, 'idempotency_in_progress'])
    assert.equal(early.headers.get('retry-after'), '1')
    assert.equal((await first).status, 200)
    assert.equal((await engine.checkRaw(id, key)).headers.get('idempotency-replayed'), 'true')
    assert.equal(requests(), 1)
  })

  test('Idempotency-Key: a refusal releases the key', async () => {
    const { id } = await watch()
    const key = { 'Idempotency-Key': `refused-${id}` }
    await engine.pause(id)
    assert.equal((await engine.checkRaw(id, key)).status, 409)
    await engine.resume(id)
    const answer = await engine.checkRaw(id, key)
    assert.deepEqual([answer.status, answer.headers.get('idempotency-replayed')], [200, null])
  })

  test('the client goes away: the check still counts', async () => {
    const { id, page } = await watch()
    page.become({ status: 404, delayMs: 1000 })
    const gone = new AbortController()
    const asked = engine.checkRaw(id, {}, gone.signal)
    await observed(page, 2)
    gone.abort()
    await assert.rejects(asked)
    const { state } = await engine.until(id, (monitor) => monitor.state !== 'UP')
    assert.equal(state, 'DOWN')
    assert.deepEqual(await engine.verdictsOf(id), ['PASSED', 'FAILED'])
  })

  test('checkMonitor 500: the target is silent, and so is everybody else; nothing changes', async () => {
    const { id, page } = await watch()
    const before = await engine.patch(id, { timeoutSeconds: 1 })
    const published = await engine.eventTypesOf(id)
    page.become('SILENCE')
    const { status, code } = await engine.checkRaw(id)
    assert.deepEqual([status, code], [500, 'internal_error'])
    assert.deepEqual(await engine.api.getMonitor(id), before)
    assert.deepEqual(await engine.eventTypesOf(id), published)
    assert.deepEqual(await engine.incidentsOf(id), [])
  })

  test('a planned check that was not decided is repeated 5 s later by itself', async () => {
    const page = web.page((_, number) => (number <= 2 ? 'SILENCE' : {}))
    const created = await engine.create({ ...http(page), timeoutSeconds: 1 })
    await observed(page, 2)
    const up = await engine.until(created.id, ({ state }) => state !== 'PENDING')
    assert.equal(up.state, 'UP')
    const [, second, third, ...more] = page.seen
    const gapMs = (third?.atMs ?? 0) - (second?.atMs ?? 0)
    assert.ok(gapMs >= 5900 && gapMs < 9000 && more.length === 0, `${gapMs} ms`)
    assert.deepEqual(await engine.eventTypesOf(created.id), ['monitor.up'])
    assert.deepEqual(await engine.verdictsOf(created.id), ['PASSED'])
  })
})

describe('a check overtaken by a change', { concurrency: 6 }, () => {
  /** A monitor whose first check is in flight and will fail. */
  async function failingSlowly() {
    const page = web.page((_, number) => (number === 1 ? { status: 404, delayMs: 1500 } : {}))
    const created = await engine.create(http(page))
    await observed(page, 1)
    return { id: created.id, created }
  }
  const recorded = async (id: string, count: number) => {
    for (let waitedMs = 0; (await engine.resultsOf(id)).length < count; waitedMs += 50) {
      assert.ok(waitedMs < 10_000, 'the result was not stored')
      await delay(50)
    }
  }

  test('pause: its result is stored as SUPERSEDED and drives nothing', async () => {
    const { id } = await failingSlowly()
    const paused = await engine.pause(id)
    await recorded(id, 1)
    assert.deepEqual(await engine.api.getMonitor(id), paused)
    assert.deepEqual([paused.state, paused.lastCheckedAt], ['PAUSED', null])
    assert.deepEqual(await engine.verdictsOf(id), ['SUPERSEDED'])
    assert.deepEqual(await engine.eventTypesOf(id), ['monitor.paused'])
  })

  test('pause and resume: only the check after it counts', async () => {
    const { id } = await failingSlowly()
    await engine.pause(id)
    assert.equal((await engine.resume(id)).state, 'PENDING')
    const { state } = await engine.until(id, (monitor) => monitor.state !== 'PENDING')
    assert.equal(state, 'UP')
    assert.deepEqual(await engine.eventTypesOf(id), [
      'monitor.paused',
      'monitor.resumed',
      'monitor.up',
    ])
    assert.deepEqual(await engine.incidentsOf(id), [])
  })

  test('another url: only what was seen there counts', async () => {
    const { id } = await failingSlowly()
    const good = web.page({})
    await engine.patch(id, { url: good.url })
    const { state } = await engine.until(id, (monitor) => monitor.state !== 'PENDING')
    assert.deepEqual([state, good.seen.length], ['UP', 1])
    assert.deepEqual(await engine.eventTypesOf(id), ['monitor.updated', 'monitor.up'])
  })

  test('delete: it goes with the monitor, and checks of others continue', async () => {
    const { id } = await failingSlowly()
    await engine.api.delete(`/monitors/${id}`)
    await delay(1800)
    assert.equal((await engine.api.get(`/monitors/${id}`)).status, 404)
    assert.equal((await watch()).requests(), 0)
  })
})

describe('the first result', () => {
  test('resume: PENDING, then checked at once', async () => {
    const { id } = await watch()
    await engine.pause(id)
    const resumed = await engine.resume(id)
    assert.equal(resumed.state, 'PENDING')
    const up = await engine.until(id, ({ state }) => state === 'UP')
    const tookMs = Date.parse(up.lastCheckedAt ?? '') - Date.parse(resumed.updatedAt)
    assert.ok(tookMs < FIRST_RESULT_MS, `${tookMs} ms`)
  })

  test('every contact there is gets attached; a later one does not', async () => {
    const contacts = [await contact(), await contact()]
    const { id } = await engine.create({ type: 'CRON' })
    await contact()
    const rows = await engine.db.run<{ id: string }>(
      'select contact_id as id from monitor_alert_contacts where monitor_id = $1 order by 1',
      [toUuid(id)],
    )
    assert.deepEqual(
      rows.map((row) => row.id),
      contacts.toSorted(),
    )
  })

  test('of 200 new monitors: p99 within one second', async (t) => {
    const page = web.page({})
    const ids: string[] = []
    const maker = async () => {
      for (let i = 0; i < 50; i++) ids.push((await engine.create(http(page))).id)
    }
    await Promise.all([maker(), maker(), maker(), maker()])
    const tookMs: number[] = []
    for (const id of ids) {
      const { createdAt, lastCheckedAt, state } = await engine.until(
        id,
        (m) => m.state !== 'PENDING',
      )
      assert.equal(state, 'UP')
      tookMs.push(Date.parse(lastCheckedAt ?? '') - Date.parse(createdAt))
    }
    tookMs.sort((a, b) => a - b)
    const [p50, p99, max] = [0.5, 0.99, 1].map((part) => tookMs[Math.ceil(part * 200) - 1] ?? 0)
    t.diagnostic(`first result: p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`)
    assert.ok((p99 ?? 0) < FIRST_RESULT_MS, `p99 ${p99} ms`)
  })
})

const contact = () => seedContact(engine.db, engine.orgId)

describe('what an operator sees', () => {
  const read = async () => (await fetch(`${engine.service.internalUrl}/metrics`)).text()
  const valueOf = (metrics: string, name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN)

  test('/livez and /readyz', async () => {
    for (const [path, body] of [
      ['/livez', { alive: true }],
      ['/readyz', { ready: true, reasons: [], conditions: [], troubles: [] }],
    ] as const) {
      const response = await fetch(engine.service.internalUrl + path)
      assert.deepEqual([response.status, await response.json()], [200, body])
    }
  })

  test('/metrics: lateness, oldest due slot, in flight, inconclusive, shards', async () => {
    const { id, page } = await watch()
    page.become({ delayMs: 800 })
    const running = engine.check(id)
    await observed(page, 2)
    const metrics = await read()
    await running
    assert.ok(valueOf(metrics, 'upvane_attempts_in_flight') >= 1)
    assert.equal(valueOf(await read(), 'upvane_attempts_in_flight'), 0)
    assert.equal(valueOf(metrics, 'upvane_shards_owned'), 256)
    assert.equal(valueOf(metrics, 'upvane_results_waiting'), 0)
    assert.ok(valueOf(metrics, 'upvane_check_lateness_seconds_count') >= 200)
    assert.ok(valueOf(metrics, 'upvane_results_recorded_total') >= 200)
    assert.ok(valueOf(metrics, 'upvane_oldest_due_slot_seconds') < 5)

    const name = 'upvane_checks_inconclusive_total\\{type="DOMAIN",reason="LOOKUP_FAILED"\\}'
    const domain = await engine.create({ type: 'DOMAIN', url: 'example.com' })
    await engine.check(domain.id)
    assert.ok(valueOf(await read(), name) >= 1)
  })
})
