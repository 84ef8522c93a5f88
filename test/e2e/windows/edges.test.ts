// Starts and ends of windows are published within five seconds, once each, whichever process handles them and whichever
// is killed meanwhile.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startProduct } from '../../kit/fixture.ts'
import { startPace } from '../../kit/pace.ts'
import type { MaintenanceWindow } from '../../kit/window-shapes.ts'
import { createWindow, fromNow, getWindow, spansOf, windowEvents } from '../../kit/windows.ts'

const PROMISED_MS = 5_000
const WINDOWS = Number(process.env['WINDOWS'] ?? 100)
const POLL_MS = 200
const MAX_WAIT_MS = 60_000

const fixture = await startProduct()
const { api, db, stack } = fixture
after(() => fixture.stop())
const { id: monitorId } = await api.createMonitor()

/** Waits until everything is published, and returns how late each start and end was. */
async function latenessOf(windows: readonly MaintenanceWindow[]): Promise<number[]> {
  const late: number[] = []
  for (const { id, startsAt, endsAt } of windows) {
    let events = await windowEvents(db, id)
    for (let waitedMs = 0; events.length < 3 && waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
      await delay(POLL_MS)
      events = await windowEvents(db, id)
    }
    const typesAndTimes = events.map(({ type, timestamp }) => [
      type.replace('maintenance.', ''),
      timestamp,
    ])
    assert.deepEqual(typesAndTimes.slice(1), [
      ['started', startsAt],
      ['ended', endsAt],
    ])
    const statuses = events.map(({ data }) => data.maintenanceWindow.status)
    assert.deepEqual(statuses, ['SCHEDULED', 'ACTIVE', 'COMPLETED'])
    for (const { data } of events) assert.deepEqual(data.occurrence, { startsAt, endsAt })
    for (const { publishedAt, timestamp } of events.slice(1))
      late.push(publishedAt.getTime() - Date.parse(timestamp))
    const [span, ...more] = await spansOf(db, id)
    assert.deepEqual([span?.from, span?.to, more], [startsAt, endsAt, []])
  }
  return late
}

const make = (startMs: number, endMs: number) =>
  createWindow(api, {
    startsAt: fromNow(startMs),
    endsAt: fromNow(endMs),
    allMonitors: false,
    monitorIds: [monitorId],
  })

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? 0

describe('edges', () => {
  test('two schedulers: each edge is published once, within five seconds', async (t) => {
    const pace = startPace()
    const schedulers = [await stack.start('scheduler'), await stack.start('scheduler')]
    const made: MaintenanceWindow[] = []
    for (let i = 0; i < 60; i++) made.push(await make(3_000 + i * 100, 7_000 + i * 60))
    const late = await latenessOf(made)
    t.diagnostic(`late: p50 ${quantile(late, 0.5)} ms, max ${Math.max(...late)} ms`)
    assert.ok(Math.min(...late) >= 0, 'nothing is published before it happens')
    assert.ok(Math.max(...late) < PROMISED_MS + pace.slackMs(), `${Math.max(...late)} ms late`)
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()))
  })

  test('many windows with one edge: all are published within five seconds', async (t) => {
    const pace = startPace()
    const scheduler = await stack.start('scheduler')
    const startsAt = fromNow(12_000)
    const endsAt = fromNow(16_000)
    const fields = { startsAt, endsAt, allMonitors: false, monitorIds: [monitorId] }
    const made: MaintenanceWindow[] = []
    for (let i = 0; i < WINDOWS / 10; i++)
      made.push(...(await Promise.all(Array.from({ length: 10 }, () => createWindow(api, fields)))))
    const late = await latenessOf(made)
    t.diagnostic(
      `${late.length} edges late: p50 ${quantile(late, 0.5)} ms, max ${Math.max(...late)} ms`,
    )
    assert.ok(Math.max(...late) < PROMISED_MS + pace.slackMs(), `${Math.max(...late)} ms late`)
    await scheduler.stop()
  })

  test('kill -9 of schedulers around edges: each edge is published once', async (t) => {
    const pace = startPace()
    let schedulers = [await stack.start('scheduler'), await stack.start('scheduler')]
    const made: MaintenanceWindow[] = []
    for (let i = 0; i < 40; i++) made.push(await make(3_000 + i * 250, 6_000 + i * 250))
    // Each is killed while the other works, until all starts and ends have passed.
    for (let kills = 0; kills < 5; kills++) {
      await delay(1_500)
      const [victim, ...others] = schedulers
      await victim?.kill()
      schedulers = [...others, await stack.start('scheduler')]
    }
    const late = await latenessOf(made)
    t.diagnostic(`5 kills, late: p50 ${quantile(late, 0.5)} ms, max ${Math.max(...late)} ms`)
    assert.ok(Math.max(...late) < PROMISED_MS + pace.slackMs(), `${Math.max(...late)} ms late`)
    await Promise.all(schedulers.map((scheduler) => scheduler.kill()))
  })

  test('no scheduler: a whole occurrence is published when one starts, with the times it had', async () => {
    const window = await make(500, 1_500)
    const statusOf = async () => (await getWindow(api, window.id)).status
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
      if ((await statusOf()) === 'COMPLETED') break
      await delay(POLL_MS)
    }
    assert.equal(await statusOf(), 'COMPLETED')
    assert.equal((await windowEvents(db, window.id)).length, 1)
    const scheduler = await stack.start('scheduler')
    await latenessOf([window])
    await scheduler.stop()
  })
})
