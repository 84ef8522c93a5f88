// CRON monitors: jobs send pings, and a missing ping is a failure.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../../kit/ids.ts'
import type { Monitor } from '../../kit/shapes.ts'
import { startEngine } from './fixture.ts'

const PERIOD = { expectedPeriodSec: 60, graceSeconds: 0 }
const VERDICT_WITHIN_MS = 2000

const engine = await startEngine({ nats: false })
after(() => engine.stop())

const cron = (fields = {}) => engine.create({ type: 'CRON', ...PERIOD, ...fields })

async function call({ heartbeatUrl }: Monitor, suffix = '', init: RequestInit = {}) {
  const response = await fetch(heartbeatUrl + suffix, init)
  return { status: response.status, text: await response.text() }
}

type Call = { signal: string; rid: string | null; body: string | null }

function callsOf({ id }: Monitor): Promise<Call[]> {
  return engine.db.run<Call>(
    `select signal, rid, body from heartbeat_calls
      where monitor_no = (select no from monitors where id = $1) order by at`,
    [toUuid(id)],
  )
}

async function dueOf({ id }: Monitor): Promise<number> {
  return (await engine.db.monitorStatus(id)).next_due_at?.getTime() ?? Number.NaN
}

const secondsBetween = (from: string | null, toMs: number) => (toMs - Date.parse(from ?? '')) / 1000

/** Moves everything stored about one monitor that far into the past. */
async function age({ id }: Monitor, seconds: number): Promise<void> {
  const { heartbeat } = await engine.db.one<{ heartbeat: object }>(
    `select heartbeat from monitor_states where monitor_no = (select no from monitors where id = $1)`,
    [toUuid(id)],
  )
  const older = JSON.stringify(heartbeat).replace(/"(\d{4}-[^"]+Z)"/g, (_, at: string) =>
    JSON.stringify(new Date(Date.parse(at) - seconds * 1000).toISOString()),
  )
  await engine.db.run(
    `with m as (select no from monitors where id = $1),
     spans as (update state_spans set started_at = started_at - make_interval(secs => $2),
                      ended_at = ended_at - make_interval(secs => $2)
                where monitor_no = (select no from m))
     update monitor_states set heartbeat = $3, next_due_at = next_due_at - make_interval(secs => $2),
            due_unread = true, last_slot = last_slot - make_interval(secs => $2)
      where monitor_no = (select no from m)`,
    [toUuid(id), seconds, older],
  )
}

describe('calls', { concurrency: 8 }, () => {
  for (const method of ['GET', 'HEAD', 'POST'])
    test(`${method}: the job is UP`, async () => {
      const monitor = await cron()
      const answer = await call(monitor, '', { method })
      assert.deepEqual(answer, { status: 200, text: method === 'HEAD' ? '' : '{"ok":true}' })
      const up = await engine.api.getMonitor(monitor.id)
      assert.deepEqual([up.state, up.lastResponseMs], ['UP', null])
      assert.equal(up.lastStatusChangedAt, up.lastCheckedAt)
      assert.equal(up.updatedAt, monitor.updatedAt)
      assert.deepEqual(await engine.eventTypesOf(monitor.id), ['monitor.up'])
      assert.equal(secondsBetween(up.lastCheckedAt, await dueOf(monitor)), 60)
      const [result, ...more] = await engine.resultsOf(monitor.id)
      assert.deepEqual([result?.kind, result?.verdict, more.length], ['PING', 'PASSED', 0])
    })

  test('/0 is a success', async () => {
    const monitor = await cron()
    assert.equal((await call(monitor, '/0')).status, 200)
    assert.equal((await engine.api.getMonitor(monitor.id)).state, 'UP')
  })

  for (const suffix of ['/fail', '/1', '/2', '/255'])
    test(`${suffix} is DOWN at once, and the next success ends it`, async () => {
      const monitor = await cron()
      assert.equal((await call(monitor, suffix, { method: 'POST', body: 'disk full' })).status, 200)
      const down = await engine.api.getMonitor(monitor.id)
      const incident = await engine.incidentOf(monitor.id)
      assert.deepEqual([down.state, incident.causeCode], ['DOWN', 'HEARTBEAT_FAILED'])
      assert.equal(incident.startedAt, down.lastCheckedAt)
      const { location, bodyExcerpt, attempts, timings } = incident.openedBy
      assert.deepEqual(
        [location, bodyExcerpt, attempts, timings],
        ['heartbeat', 'disk full', [], null],
      )

      await call(monitor)
      const up = await engine.api.getMonitor(monitor.id)
      const { resolution, resolvedAt } = await engine.incidentOf(monitor.id)
      assert.deepEqual([up.state, resolution, resolvedAt], ['UP', 'RECOVERED', up.lastCheckedAt])
    })

  test('an address that does not exist is 404 and leaves nothing', async () => {
    const monitor = await cron()
    for (const suffix of [
      '/256',
      '/-1',
      '/00',
      '/1.5',
      '/stop',
      '/start/',
      '/',
      '/fail/1',
      '/FAIL',
    ])
      assert.equal((await call(monitor, suffix)).status, 404, suffix)
    assert.equal((await call(monitor, '', { method: 'DELETE' })).status, 405)
    const base = engine.service.baseUrl
    for (const token of ['x', 'A'.repeat(22), `${'A'.repeat(40)}/fail`])
      assert.equal((await fetch(`${base}/hb/${token}`)).status, 404, token)
    assert.deepEqual(await callsOf(monitor), [])
    assert.equal((await engine.api.getMonitor(monitor.id)).state, 'PENDING')
  })

  test('an unknown address stays 404, however often it is called', async () => {
    const url = `${engine.service.baseUrl}/hb/${'B'.repeat(22)}`
    for (let i = 0; i < 40; i++) assert.equal((await fetch(url)).status, 404, `call ${i + 1}`)
  })

  test('/log only stores', async () => {
    const monitor = await cron()
    const due = await dueOf(monitor)
    await call(monitor, '/log', { method: 'POST', body: 'half done' })
    assert.deepEqual(await engine.api.getMonitor(monitor.id), monitor)
    assert.equal(await dueOf(monitor), due)
    assert.deepEqual(await engine.resultsOf(monitor.id), [])
    assert.deepEqual(await callsOf(monitor), [{ signal: 'LOG', rid: null, body: 'half done' }])
  })

  test('the first 10 kB of a body are kept, whatever is in it', async () => {
    const monitor = await cron()
    await call(monitor, '/fail?rid=run-1', { method: 'POST', body: `\0ü${'x'.repeat(30_000)}` })
    const [kept] = await callsOf(monitor)
    assert.deepEqual([kept?.signal, kept?.rid], ['FAIL', 'run-1'])
    assert.equal(Buffer.byteLength(kept?.body?.replace('\uFFFD', '.') ?? ''), 10_000)
    assert.ok(kept?.body?.startsWith('\uFFFDüxxx'))
    const { openedBy } = await engine.incidentOf(monitor.id)
    const excerpt = String(openedBy['bodyExcerpt'])
    assert.ok(excerpt.length >= 1000 && excerpt.length <= 1024, `${excerpt.length}`)
  })

  test('30 calls a minute are recorded, more are answered and dropped', async () => {
    const monitor = await cron()
    const other = await cron()
    const answers = await Promise.all(Array.from({ length: 40 }, () => call(monitor)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal((await callsOf(monitor)).length, 30)
    assert.equal((await engine.resultsOf(monitor.id)).length, 30, 'each has its own result')
    assert.deepEqual(await engine.eventTypesOf(monitor.id), ['monitor.up'])
    await call(other)
    assert.equal((await callsOf(other)).length, 1)
  })
})

/** Uses up the recorded pings of the token's minute. */
async function exhaust(monitor: Monitor, suffix = ''): Promise<void> {
  for (let i = 0; i < 40; i++) assert.equal((await call(monitor, suffix)).status, 200)
}
const stateOf = async ({ id }: Monitor) => (await engine.api.getMonitor(id)).state

describe('beyond 30 calls a minute, what changes the state is not dropped', {
  concurrency: 8,
}, () => {
  test('40 pings, then /fail: DOWN at once, with its evidence; the next success ends it', async () => {
    const monitor = await cron()
    await exhaust(monitor)
    const failed = await call(monitor, '/fail', { method: 'POST', body: 'disk full' })
    assert.equal(failed.status, 200)
    assert.equal(await stateOf(monitor), 'DOWN')
    const { causeCode, openedBy } = await engine.incidentOf(monitor.id)
    assert.deepEqual([causeCode, openedBy['bodyExcerpt']], ['HEARTBEAT_FAILED', 'disk full'])
    assert.equal((await callsOf(monitor)).length, 31)
    await call(monitor, '/1')
    assert.equal((await callsOf(monitor)).length, 31, 'a second failure changes nothing')
    await call(monitor)
    assert.equal(await stateOf(monitor), 'UP')
    for (const suffix of ['', '/start', '/log', '/0']) await call(monitor, suffix)
    assert.equal((await callsOf(monitor)).length, 32)
  })

  test('a first success after 40 /log calls is taken; while PAUSED nothing is', async () => {
    const monitor = await cron()
    await exhaust(monitor, '/log')
    await call(monitor)
    assert.equal(await stateOf(monitor), 'UP')
    await engine.pause(monitor.id)
    await call(monitor, '/fail')
    assert.equal(await stateOf(monitor), 'PAUSED')
    assert.equal((await callsOf(monitor)).length, 31)
  })

  test('a success is taken when the deadline made the monitor DOWN within the same minute', async () => {
    const monitor = await cron()
    await exhaust(monitor)
    await age(monitor, 600)
    await engine.until(monitor.id, ({ state }) => state === 'DOWN')
    await call(monitor)
    assert.equal(await stateOf(monitor), 'UP')
  })

  test('10 changes a minute are taken at once; beyond that the last report when the minute ends', async () => {
    const monitor = await cron({ expectedPeriodSec: 3600 })
    const steady = await cron({ expectedPeriodSec: 3600 })
    const startedMs = performance.now()
    for (const each of [monitor, steady]) {
      await exhaust(each)
      for (let i = 0; i < 5; i++) {
        await call(each, '/fail')
        assert.equal(await stateOf(each), 'DOWN', `change ${2 * i + 1}`)
        await call(each)
        assert.equal(await stateOf(each), 'UP', `change ${2 * i + 2}`)
      }
      await call(each, '/fail')
      assert.equal(await stateOf(each), 'UP', 'the eleventh waits')
    }
    await call(steady)
    await call(monitor)
    await call(monitor, '/fail', { method: 'POST', body: 'the last one' })
    assert.ok(performance.now() - startedMs < 55_000, 'this machine is too slow for one minute')
    assert.equal(await stateOf(monitor), 'UP')
    await delay(startedMs + 60_000 - performance.now())
    for (let i = 0; i < 300 && (await stateOf(monitor)) === 'UP'; i++) await delay(100)
    assert.equal(await stateOf(monitor), 'DOWN')
    const [incident] = await engine.incidentsOf(monitor.id)
    assert.equal(incident?.openedBy['bodyExcerpt'], 'the last one')
    assert.equal(await stateOf(steady), 'UP', 'its last report was a success')
    assert.equal((await engine.incidentsOf(steady.id)).length, 5)
  })

  test('thousands at once make no more than 10 changes beyond the 30 calls', async () => {
    const monitor = await cron()
    for (let round = 0; round < 4; round++)
      await Promise.all(
        Array.from({ length: 500 }, (_, i) => call(monitor, i % 2 === 0 ? '' : '/fail')),
      )
    assert.ok((await callsOf(monitor)).length <= 40, `${(await callsOf(monitor)).length}`)
  })
})

describe('deadlines', { concurrency: 8 }, () => {
  test('never pinged: DOWN within 2 s of the deadline, which is when the incident began', async () => {
    const monitor = await cron({ graceSeconds: 30 })
    assert.equal(secondsBetween(monitor.createdAt, await dueOf(monitor)), 90)
    await age(monitor, 89)
    const deadlineMs = await dueOf(monitor)
    const down = await engine.until(monitor.id, ({ state }) => state === 'DOWN')
    const lateMs = Date.parse(down.lastCheckedAt ?? '') - deadlineMs
    assert.ok(lateMs >= 0 && lateMs <= VERDICT_WITHIN_MS, `${lateMs} ms`)

    const incident = await engine.incidentOf(monitor.id)
    const began = new Date(Date.parse(monitor.createdAt) - 89_000).toISOString()
    assert.deepEqual(
      [incident.startedAt, incident.causeCode, incident.cause],
      [new Date(deadlineMs).toISOString(), 'HEARTBEAT_MISSED', `No heartbeat since ${began}`],
    )
    await delay(600)
    const [result, ...more] = await engine.resultsOf(monitor.id)
    assert.deepEqual([result?.kind, result?.verdict, more], ['DEADLINE', 'FAILED', []])
    assert.deepEqual(await engine.eventTypesOf(monitor.id), ['monitor.down', 'incident.opened'])
  })

  test('pinged, then silent: the text names the last ping; a ping brings it back', async () => {
    const monitor = await cron()
    await call(monitor)
    const { lastCheckedAt } = await engine.api.getMonitor(monitor.id)
    await age(monitor, 300)
    await engine.until(monitor.id, ({ state }) => state === 'DOWN')
    const since = new Date(Date.parse(lastCheckedAt ?? '') - 300_000)
    const { cause, startedAt } = await engine.incidentOf(monitor.id)
    assert.equal(cause, `No heartbeat since ${since.toISOString()}`)
    assert.equal(Date.parse(startedAt), since.getTime() + 60_000)

    await call(monitor)
    const up = await engine.api.getMonitor(monitor.id)
    const { resolvedBy, durationSec, resolvedAt } = await engine.incidentOf(monitor.id)
    assert.deepEqual([up.state, resolvedAt], ['UP', up.lastCheckedAt])
    assert.deepEqual([resolvedBy?.['outcome'], resolvedBy?.['location']], ['OK', 'heartbeat'])
    assert.ok((durationSec ?? 0) >= 240)
    assert.deepEqual(await engine.eventTypesOf(monitor.id), [
      'monitor.up',
      'monitor.down',
      'incident.opened',
      'monitor.up',
      'incident.resolved',
    ])
  })

  test('without a period the interval is the period; a change gives a new deadline', async () => {
    const monitor = await cron({ expectedPeriodSec: null, intervalSeconds: 120, graceSeconds: 10 })
    assert.equal(secondsBetween(monitor.createdAt, await dueOf(monitor)), 130)
    await engine.patch(monitor.id, { graceSeconds: 25 })
    assert.equal(secondsBetween(monitor.createdAt, await dueOf(monitor)), 145)
    await engine.patch(monitor.id, { expectedPeriodSec: 600 })
    assert.equal(secondsBetween(monitor.createdAt, await dueOf(monitor)), 625)
  })

  test('a run that began must end within the grace, at least 60 s', async () => {
    const monitor = await cron({ expectedPeriodSec: 3600, graceSeconds: 90 })
    await call(monitor, '/start')
    assert.equal((await engine.api.getMonitor(monitor.id)).state, 'PENDING')
    const runDeadline = await dueOf(monitor)
    const fromNow = (runDeadline - Date.now()) / 1000
    assert.ok(fromNow > 80 && fromNow <= 90.5, `${fromNow}`)
    await age(monitor, 100)
    await engine.until(monitor.id, ({ state }) => state === 'DOWN')
    const { causeCode, startedAt } = await engine.incidentOf(monitor.id)
    const deadline = new Date(runDeadline - 100_000).toISOString()
    assert.deepEqual([causeCode, startedAt], ['HEARTBEAT_MISSED', deadline])
  })

  test('?rid= pairs start and end: another run does not end this one', async () => {
    const monitor = await cron({ expectedPeriodSec: 3600 })
    await call(monitor, '/start?rid=a')
    const deadline = await dueOf(monitor)
    await call(monitor, '?rid=b')
    assert.equal((await engine.api.getMonitor(monitor.id)).state, 'UP')
    assert.equal(await dueOf(monitor), deadline)
    await call(monitor, '/0?rid=a')
    const { lastCheckedAt } = await engine.api.getMonitor(monitor.id)
    assert.equal(secondsBetween(lastCheckedAt, await dueOf(monitor)), 3600)
    const calls = (await callsOf(monitor)).map(({ signal, rid }) => `${signal} ${rid}`)
    assert.deepEqual(calls, ['START a', 'SUCCESS b', 'SUCCESS a'])
  })
})

describe('changes', { concurrency: 8 }, () => {
  test('while PAUSED calls are stored and change nothing; resume starts the clock', async () => {
    const monitor = await cron()
    const paused = await engine.pause(monitor.id)
    for (const suffix of ['', '/fail', '/start'])
      assert.equal((await call(monitor, suffix)).status, 200)
    assert.deepEqual(await engine.api.getMonitor(monitor.id), paused)
    assert.equal((await callsOf(monitor)).length, 3)
    assert.deepEqual(await engine.resultsOf(monitor.id), [])

    const resumed = await engine.resume(monitor.id)
    assert.equal(resumed.state, 'PENDING')
    assert.equal(secondsBetween(resumed.updatedAt, await dueOf(monitor)), 60)
  })

  test('the address is gone while the monitor is of another type, and comes back with it', async () => {
    const monitor = await cron()
    const url = `${engine.service.baseUrl}/livez`
    const away = await engine.patch(monitor.id, { type: 'HTTP', url })
    assert.equal(away.heartbeatUrl, null)
    assert.equal((await call(monitor)).status, 404)
    const back = await engine.patch(monitor.id, { type: 'CRON' })
    assert.equal(back.heartbeatUrl, monitor.heartbeatUrl)
    assert.equal((await call(monitor)).status, 200)
    assert.equal((await engine.api.getMonitor(monitor.id)).state, 'UP')
  })

  test('a deleted monitor has no address', async () => {
    const monitor = await cron()
    await engine.api.delete(`/monitors/${monitor.id}`)
    assert.equal((await call(monitor)).status, 404)
  })
})

describe('checkMonitor', { concurrency: 8 }, () => {
  test('no ping yet and not overdue: unchanged, and nothing is stored', async () => {
    const monitor = await cron()
    assert.deepEqual(await engine.check(monitor.id), monitor)
    assert.deepEqual(await engine.resultsOf(monitor.id), [])
  })

  test('pinged in time: UP; last call a failure: DOWN, and no second incident', async () => {
    const monitor = await cron()
    await call(monitor)
    assert.equal((await engine.check(monitor.id)).state, 'UP')
    await call(monitor, '/fail')
    assert.equal((await engine.check(monitor.id)).state, 'DOWN')
    const { causeCode } = await engine.incidentOf(monitor.id)
    assert.equal(causeCode, 'HEARTBEAT_FAILED')
  })

  test('overdue: DOWN, published once although the deadline is judged at the same moment', async () => {
    const monitor = await cron()
    await age(monitor, 600)
    const states = await Promise.all([engine.check(monitor.id), engine.check(monitor.id)])
    assert.deepEqual(
      states.map(({ state }) => state),
      ['DOWN', 'DOWN'],
    )
    await delay(500)
    assert.deepEqual(await engine.eventTypesOf(monitor.id), ['monitor.down', 'incident.opened'])
    const { startedAt } = await engine.incidentOf(monitor.id)
    assert.equal(Date.parse(startedAt), Date.parse(monitor.createdAt) + 60_000 - 600_000)
  })

  test('PAUSED: 409', async () => {
    const { id } = await cron()
    await engine.pause(id)
    assert.equal((await engine.checkRaw(id)).code, 'conflict')
  })
})
