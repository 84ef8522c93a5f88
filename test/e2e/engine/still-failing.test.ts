// An ongoing outage adds a line to its incident's timeline at most once an hour, however often it is checked. Time
// passes by moving the incident's rows into the past.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { toUuid } from '../../kit/ids.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { startEngine } from './fixture.ts'

const HOUR_MS = 3_600_000
const CAUSE = 'HTTP 404, expected 200'
const CALLS_AT_ONCE = 8

const web = await startWeb()
const engine = await startEngine({ nats: false })
after(async () => {
  await engine.stop()
  await web.close()
})

const watch = (url: string) =>
  engine.createChecked({ type: 'HTTP', url, expectedStatus: [200], timeoutSeconds: 1 })

/** Moves the monitor's open incident that many minutes into the past. */
async function age(monitorId: string, minutes: number): Promise<void> {
  const open = `select id from incidents where monitor_id = $1 and resolved_at is null`
  const older = (table: string, id: string, columns: string[]) => {
    const sets = columns.map((column) => `${column} = ${column} - make_interval(mins => $2)`)
    const text = `update ${table} set ${sets.join(', ')} where ${id} in (${open})`
    return engine.db.run(text, [toUuid(monitorId), minutes])
  }
  await older('incident_timeline', 'incident_id', ['at'])
  await older('incident_evidence', 'incident_id', ['checked_at'])
  await older('incidents', 'id', ['started_at', 'last_line_at'])
}

async function linesOf(monitorId: string): Promise<string[]> {
  const [newest] = await engine.incidentsOf(monitorId)
  return newest?.timeline.map(({ type }) => type) ?? []
}

describe('STILL_FAILING', { concurrency: true }, () => {
  test('three hours of failures every ten minutes are three lines, an hour apart', async () => {
    const { id } = await watch(web.page({ status: 404 }).url)
    for (let minutes = 0; minutes < 180; minutes += 10) {
      await age(id, 10)
      await engine.check(id)
    }
    const { timeline, startedAt, cause } = await engine.incidentOf(id)
    assert.equal(cause, CAUSE)
    assert.deepEqual(
      timeline.map(({ type, message }) => [type, message]),
      [
        ['OPENED', CAUSE],
        ['STILL_FAILING', CAUSE],
        ['STILL_FAILING', CAUSE],
        ['STILL_FAILING', CAUSE],
      ],
    )
    const times = timeline.map(({ at }) => Date.parse(at))
    assert.equal(times[0], Date.parse(startedAt))
    for (const [i, at] of times.slice(1).entries())
      assert.ok(at - (times[i] ?? 0) >= HOUR_MS, `${at - (times[i] ?? 0)} ms after the one before`)
  })

  test('just short of an hour there is no line, just past it there is one', async () => {
    const { id } = await watch(web.page({ status: 404 }).url)
    await age(id, 59)
    await engine.check(id)
    assert.deepEqual(await linesOf(id), ['OPENED'])
    await age(id, 1)
    await engine.check(id)
    await engine.check(id)
    assert.deepEqual(await linesOf(id), ['OPENED', 'STILL_FAILING'])
  })

  test('a change of cause is a line too, and the hour counts from it', async () => {
    const page = web.page({ status: 404 })
    const { id } = await watch(page.url)
    page.become('RESET')
    await age(id, 59)
    await engine.check(id)
    await age(id, 59)
    await engine.check(id)
    assert.deepEqual(await linesOf(id), ['OPENED', 'CAUSE_CHANGED'])
    await age(id, 1)
    await engine.check(id)
    assert.deepEqual(await linesOf(id), ['OPENED', 'CAUSE_CHANGED', 'STILL_FAILING'])
  })

  test('the next outage has an hour of its own', async () => {
    const page = web.page({ status: 404 })
    const { id } = await watch(page.url)
    await age(id, 61)
    page.become({ status: 200 })
    await engine.check(id)
    page.become({ status: 404 })
    await engine.check(id)
    const [second, first] = await engine.incidentsOf(id)
    const types = (incident: typeof first) => incident?.timeline.map(({ type }) => type)
    assert.deepEqual(types(first), ['OPENED', 'RESOLVED'])
    assert.deepEqual(types(second), ['OPENED'])
  })

  test('a job that calls to say so many times at once leaves one line', async () => {
    const { id, heartbeatUrl } = await engine.create({ type: 'CRON' })
    const call = async (signal: string) =>
      assert.equal((await fetch(`${heartbeatUrl}/${signal}`)).status, 200)
    const callAtOnce = (signal: string) =>
      Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => call(signal)))
    await call('fail')
    await age(id, 61)
    // Opens the connections first, so that the failures arrive together.
    await callAtOnce('log')
    await callAtOnce('fail')
    assert.deepEqual(await linesOf(id), ['OPENED', 'STILL_FAILING'])
  })
})
