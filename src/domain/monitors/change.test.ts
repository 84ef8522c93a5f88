import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMonitor } from '../../../test/samples/monitor.ts'
import { change, initialStatus, pause, resume } from './change.ts'
import { startClock } from './heartbeat.ts'
import type { MonitorSettings } from './monitor.ts'

const now = new Date('2026-11-14T22:39:00.000Z')
const seconds = (count: number) => new Date(now.getTime() + count * 1000)

test('a new monitor is PENDING and due at once', () => {
  const standing = initialStatus(sampleMonitor(), now)
  assert.equal(standing.state, 'PENDING')
  assert.deepEqual(standing.nextDueAt, now)
  assert.equal(standing.lastStatusChangedAt, null)
})

test('a new CRON monitor is due when its first ping is late', () => {
  const cron = sampleMonitor({ type: 'CRON', intervalSeconds: 300, graceSeconds: 60 })
  assert.deepEqual(initialStatus(cron, now).nextDueAt, seconds(360))
  assert.deepEqual(initialStatus({ ...cron, expectedPeriodSec: 90 }, now).nextDueAt, seconds(150))
})

test('pausing stops the clock and makes results under way void', () => {
  const { monitor: paused, resolution } = pause(sampleMonitor(), now)
  assert.equal(resolution, 'MONITOR_PAUSED')
  assert.deepEqual(
    [paused.state, paused.nextDueAt, paused.epoch, paused.updatedAt, paused.lastStatusChangedAt],
    ['PAUSED', null, 5, now, now],
  )
})

test('resuming makes it PENDING and due at once; a CRON clock starts anew', () => {
  const resumed = resume(pause(sampleMonitor(), now).monitor, seconds(9))
  assert.deepEqual([resumed.state, resumed.nextDueAt, resumed.epoch], ['PENDING', seconds(9), 6])
  const cron = resume(pause(sampleMonitor({ type: 'CRON' }), now).monitor, seconds(9))
  assert.deepEqual([cron.nextDueAt, cron.heartbeat?.startedAt], [seconds(9 + 360), seconds(9)])
})

type Row = [
  patch: Partial<MonitorSettings>,
  epochBy: number,
  due: 'now' | 'kept' | 'moved',
  forgets: boolean,
]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  // patch                               epoch  next due  forgets samples
  [{},                                       0, 'kept',   false],
  [{ name: 'Other' },                        0, 'kept',   false],
  [{ url: 'https://shop.example/' },         0, 'kept',   false], // the same value is not a change
  [{ url: 'https://other.example/' },        1, 'now',    true],
  [{ host: 'x' },                            1, 'now',    true],
  [{ port: 1 },                              1, 'now',    true],
  [{ dnsRecordType: 'MX' },                  1, 'now',    true],
  [{ method: 'HEAD' },                       1, 'kept',   false],
  [{ expectedStatus: [204] },                1, 'kept',   false],
  [{ requestHeaders: { a: 'b' } },           1, 'kept',   false],
  [{ requestBody: 'x' },                     1, 'kept',   false],
  [{ followRedirects: false },               1, 'kept',   false],
  [{ verifySsl: false },                     1, 'kept',   false],
  [{ keyword: 'x' },                         1, 'kept',   false],
  [{ dnsExpected: 'x' },                     1, 'kept',   false],
  [{ timeoutSeconds: 5 },                    0, 'kept',   false],
  [{ degradedThresholdMs: 5 },               0, 'kept',   false],
  [{ intervalSeconds: 60 },                  0, 'moved',  false],
]
for (const [patch, epochBy, due, forgets] of rows) {
  test(`PATCH ${JSON.stringify(patch)}: epoch +${epochBy}, next due ${due}`, () => {
    const before = sampleMonitor()
    const { monitor, forgetsSamples, resolution } = change(before, patch, now)
    assert.equal(monitor.epoch, before.epoch + epochBy)
    assert.equal(monitor.state, 'UP')
    assert.equal(forgetsSamples, forgets)
    assert.equal(resolution, null)
    if (due === 'now') assert.deepEqual(monitor.nextDueAt, now)
    if (due === 'kept') assert.deepEqual(monitor.nextDueAt, before.nextDueAt)
    if (due === 'moved') {
      const next = monitor.nextDueAt ?? now
      assert.ok(next > now && next <= seconds(60), String(next))
    }
  })
}

test('another type: PENDING, due at once, the old readings and the incident end', () => {
  const { monitor, changedFields, resolution, forgetsSamples } = change(
    sampleMonitor({ state: 'DOWN' }),
    { type: 'KEYWORD', keyword: 'ok' },
    now,
  )
  assert.deepEqual(changedFields, ['type', 'keyword'])
  assert.equal(resolution, 'MONITOR_CHANGED')
  assert.ok(forgetsSamples)
  assert.deepEqual(
    [monitor.state, monitor.nextDueAt, monitor.lastResponseMs, monitor.certExpiresAt],
    ['PENDING', now, null, null],
  )
  assert.deepEqual(monitor.lastStatusChangedAt, now)
})

test('initialStatus: created paused, it is due never and keeps what a resume needs', () => {
  for (const settings of [sampleMonitor(), sampleMonitor({ type: 'CRON' })]) {
    const { state, nextDueAt, lastStatusChangedAt } = initialStatus(settings, now, true)
    assert.deepEqual([state, nextDueAt, lastStatusChangedAt], ['PAUSED', null, null])
    assert.equal(initialStatus(settings, now).state, 'PENDING')
  }
})

test('a PAUSED monitor stays PAUSED and not due, whatever is changed', () => {
  const paused = pause(sampleMonitor(), now).monitor
  for (const patch of [
    { type: 'CRON' },
    { url: 'https://x.example' },
    { intervalSeconds: 30 },
  ] as const) {
    const { monitor } = change(paused, patch, seconds(5))
    assert.deepEqual([monitor.state, monitor.nextDueAt], ['PAUSED', null])
  }
})

test('a check that is already due is not put off by a new interval', () => {
  const due = sampleMonitor({ nextDueAt: seconds(-1) })
  assert.deepEqual(change(due, { intervalSeconds: 86_400 }, now).monitor.nextDueAt, seconds(-1))
})

test('CRON: a new period or grace moves the deadline from the same clock', () => {
  const cron = sampleMonitor({
    type: 'CRON',
    heartbeat: startClock(seconds(-100)),
    nextDueAt: seconds(260),
  })
  assert.deepEqual(change(cron, { graceSeconds: 90 }, now).monitor.nextDueAt, seconds(290))
  assert.deepEqual(change(cron, { expectedPeriodSec: 120 }, now).monitor.nextDueAt, seconds(80))
})

test('CRON: a missed deadline stays missed unless the new one lies ahead', () => {
  const heartbeat = { ...startClock(seconds(-1000)), missedAt: seconds(-640) }
  const missed = sampleMonitor({ type: 'CRON', heartbeat, nextDueAt: null })
  assert.equal(change(missed, { graceSeconds: 61 }, now).monitor.nextDueAt, null)
  assert.deepEqual(change(missed, { graceSeconds: 900 }, now).monitor.nextDueAt, seconds(200))
})

test('PATCH {} leaves everything as it is, updatedAt too', () => {
  const before = sampleMonitor()
  assert.deepEqual(change(before, {}, now).monitor, before)
})
