// From result to state: every state with every outcome, what an incident records, and the events published.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Event } from '../../kit/database.ts'
import type { IncidentDetail, Monitor } from '../../kit/shapes.ts'
import { type Page, startWeb } from '../../kit/targets/web.ts'
import { startEngine } from './fixture.ts'

const SLOW_MS = 900
const DEGRADED = { degradedThresholdMs: 600, degradedSamples: 1 }
const DEFAULT_EXPECTED = '200-206, 301, 302, 307, 308'
const REPLIES = { OK: {}, SLOW: { delayMs: SLOW_MS }, FAILED: { status: 404 } } as const

type Outcome = keyof typeof REPLIES
type Row = [from: string, outcome: Outcome, to: string, eventTypes: string[], incidents: number]

const web = await startWeb()
const engine = await startEngine()
after(async () => {
  await engine.stop()
  await web.close()
})

const http = (page: Page, more = {}) => ({ type: 'HTTP', url: page.url, ...DEGRADED, ...more })

// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  ['PENDING',  'OK',     'UP',       ['monitor.up'],                            0],
  ['PENDING',  'SLOW',   'DEGRADED', ['monitor.degraded'],                      0],
  ['PENDING',  'FAILED', 'DOWN',     ['monitor.down', 'incident.opened'],       1],
  ['UP',       'OK',     'UP',       [],                                        0],
  ['UP',       'SLOW',   'DEGRADED', ['monitor.degraded'],                      0],
  ['UP',       'FAILED', 'DOWN',     ['monitor.down', 'incident.opened'],       1],
  ['DEGRADED', 'OK',     'UP',       ['monitor.up'],                            0],
  ['DEGRADED', 'SLOW',   'DEGRADED', [],                                        0],
  ['DEGRADED', 'FAILED', 'DOWN',     ['monitor.down', 'incident.opened'],       1],
  ['DOWN',     'OK',     'UP',       ['monitor.up', 'incident.resolved'],       1],
  ['DOWN',     'SLOW',   'DEGRADED', ['monitor.degraded', 'incident.resolved'], 1],
  ['DOWN',     'FAILED', 'DOWN',     [],                                        1],
]
const REACHED_BY: Record<string, Outcome> = { UP: 'OK', DEGRADED: 'SLOW', DOWN: 'FAILED' }

describe('the transition table', { concurrency: 6 }, () => {
  for (const [from, outcome, to, eventTypes, incidents] of rows)
    test(`${from}, check ${outcome} -> ${to}, published: ${eventTypes.join(', ') || 'nothing'}`, async () => {
      const { before, now, events } = await walk(from, outcome)
      assert.equal(now.state, to)
      assert.deepEqual(types(events), eventTypes)
      assertMoved(before, now)
      const [first] = events
      if (first !== undefined) assertPublished(first, from, now)
      const found = await engine.incidentsOf(now.id)
      assert.equal(found.length, incidents)
      assert.ok(found.every(({ resolvedAt }) => (resolvedAt === null) === (to === 'DOWN')))
    })
})

type Walk = { before: Monitor; now: Monitor; events: Event[] }

/** One step of the table. A check during which this machine stalled has no response time, so the step is repeated. */
async function walk(from: string, outcome: Outcome): Promise<Walk> {
  for (let tries = 0; tries < 4; tries++) {
    const first = REACHED_BY[from] ?? outcome
    const page = web.page(REPLIES[first])
    const created = await engine.create(http(page))
    assert.deepEqual([created.state, created.lastCheckedAt], ['PENDING', null])
    const checked = await engine.until(created.id, ({ lastCheckedAt }) => lastCheckedAt !== null)
    if (checked.lastResponseMs === null) continue
    const events = await engine.eventsOf(created.id)
    if (from === 'PENDING') return { before: created, now: checked, events }

    assert.equal(checked.state, from)
    page.become(REPLIES[outcome])
    const now = await engine.check(created.id)
    if (now.lastResponseMs === null) continue
    const all = await engine.eventsOf(created.id)
    return { before: checked, now, events: all.slice(events.length) }
  }
  return assert.fail('this machine stalled in every check')
}

/** What every check updates, and what only a change of state updates. */
function assertMoved(before: Monitor, now: Monitor): void {
  assert.ok((now.lastCheckedAt ?? '') > (before.lastCheckedAt ?? before.createdAt))
  const changed = now.state !== before.state
  const { lastCheckedAt, lastResponseMs } = now
  assert.equal(now.lastStatusChangedAt, changed ? lastCheckedAt : before.lastStatusChangedAt)
  const { state, lastStatusChangedAt } = now
  const moved = { state, lastCheckedAt, lastStatusChangedAt, lastResponseMs }
  assert.deepEqual(now, { ...before, ...moved }, 'a check touches nothing else, not even updatedAt')
}

function assertPublished(event: Event, previousState: string, now: Monitor): void {
  assert.deepEqual(event.data, { monitor: now, previousState })
  assert.equal(event.timestamp, now.lastStatusChangedAt)
}

const types = (events: readonly Event[]) => events.map(({ type }) => type)

describe('an incident', { concurrency: 6 }, () => {
  test('its whole story: opened, another cause, resolved', async () => {
    const page = web.page({})
    const fields = http(page, { requestHeaders: { 'X-Token': 'secret' } })
    const { id } = await engine.createChecked(fields)

    page.become({ status: 503, body: 'out of order' })
    const down = await engine.check(id)
    const opened = await engine.incidentOf(id)
    assertOpened(opened, down)

    page.become('RESET')
    const still = await engine.check(id)
    const changed = await engine.incidentOf(id)
    assertChanged(changed, opened, still)
    assert.deepEqual((await engine.check(id)).state, 'DOWN')
    assert.equal((await engine.incidentOf(id)).timeline.length, 2, 'the same cause adds no line')

    page.become({})
    const up = await engine.check(id)
    const resolved = await engine.incidentOf(id)
    assertResolved(resolved, opened, up)

    const events = (await engine.eventsOf(id)).slice(1)
    const eventTypes = ['monitor.down', 'incident.opened', 'monitor.up', 'incident.resolved']
    assert.deepEqual(types(events), eventTypes)
    assert.deepEqual(events[1]?.data, incidentData(opened, down))
    assert.deepEqual(events[3]?.data, incidentData(resolved, up))
  })

  test('the next outage is a new incident; at most one is ongoing', async () => {
    const page = web.page({ status: 404 })
    const { id } = await engine.createChecked(http(page))
    for (const status of [404, 200, 200, 404, 404]) {
      page.become({ status })
      await engine.check(id)
    }
    const incidents = await engine.incidentsOf(id)
    assert.deepEqual(
      incidents.map(({ resolution }) => resolution),
      [null, 'RECOVERED'],
    )
    const eventTypes = ['monitor.down', 'incident.opened', 'monitor.up', 'incident.resolved']
    assert.deepEqual(await engine.eventTypesOf(id), [...eventTypes, ...eventTypes.slice(0, 2)])
  })

  test('pause resolves it; resumed while still broken, another opens', async () => {
    const page = web.page({ status: 404 })
    const { id } = await engine.createChecked(http(page))
    const paused = await engine.pause(id)
    const first = await engine.incidentOf(id)
    assert.deepEqual([first.resolution, first.resolvedAt], ['MONITOR_PAUSED', paused.updatedAt])
    assert.equal(first.resolvedBy, null)

    assert.equal((await engine.resume(id)).state, 'PENDING')
    await engine.until(id, ({ state }) => state === 'DOWN')
    const [second] = await engine.incidentsOf(id)
    assert.ok(second !== undefined && second.id !== first.id && second.resolvedAt === null)
    assert.deepEqual((await engine.eventTypesOf(id)).slice(2), [
      'monitor.paused',
      'incident.resolved',
      'monitor.resumed',
      'monitor.down',
      'incident.opened',
    ])
  })

  test('another type resolves it, and the new type is checked at once', async () => {
    const page = web.page({ status: 404 })
    const { id } = await engine.createChecked(http(page))
    const changed = await engine.patch(id, { type: 'PORT', host: '127.0.0.1', port: web.port })
    assert.deepEqual([changed.state, changed.lastResponseMs], ['PENDING', null])
    const { resolution, resolvedAt } = await engine.incidentOf(id)
    assert.deepEqual([resolution, resolvedAt], ['MONITOR_CHANGED', changed.updatedAt])
    const up = await engine.until(id, ({ state }) => state !== 'PENDING')
    assert.equal(up.state, 'UP')
    assert.deepEqual((await engine.eventTypesOf(id)).slice(2), [
      'monitor.updated',
      'incident.resolved',
      'monitor.up',
    ])
  })
})

function assertOpened(incident: IncidentDetail, down: Monitor): void {
  const cause = `HTTP 503, expected ${DEFAULT_EXPECTED}`
  const { openedBy, lastFailure, timeline, startedAt } = incident
  const { checkId, attempts, timings, responseMs, ...evidence } = openedBy
  assert.deepEqual(evidence, {
    checkedAt: down.lastCheckedAt,
    location: 'default',
    outcome: 'FAILED',
    causeCode: 'UNEXPECTED_STATUS',
    cause,
    httpStatus: 503,
    resolvedIp: '127.0.0.1',
    certExpiresAt: null,
    dnsAnswers: null,
    // Pages of a private network are not stored.
    bodyExcerpt: null,
  })
  assert.deepEqual(attemptsOf(openedBy), [
    [1, 'FAILED', 'UNEXPECTED_STATUS', 503],
    [2, 'FAILED', 'UNEXPECTED_STATUS', 503],
  ])
  assert.equal((timings as { tlsMs: unknown }).tlsMs, null)
  assert.equal(responseMs, down.lastResponseMs)
  assert.equal((attempts as { startedAt: string }[])[0]?.startedAt, startedAt)
  assert.deepEqual({ ...lastFailure, checkId }, openedBy)
  assert.deepEqual([incident.cause, incident.causeCode], [cause, 'UNEXPECTED_STATUS'])
  assert.deepEqual(
    [incident.resolvedAt, incident.durationSec, incident.resolvedBy],
    [null, null, null],
  )
  assert.deepEqual(linesOf(timeline), [['OPENED', startedAt, cause]])
}

function assertChanged(changed: IncidentDetail, opened: IncidentDetail, still: Monitor): void {
  const cause = 'Connection closed before the answer was complete'
  const { lastFailure, timeline, ...kept } = changed
  const { lastFailure: _, timeline: before, ...was } = opened
  assert.deepEqual(kept, was, 'the first cause stays')
  assert.deepEqual(attemptsOf(lastFailure), [
    [1, 'FAILED', 'CONNECTION_RESET', null],
    [2, 'FAILED', 'CONNECTION_RESET', null],
  ])
  assert.deepEqual([lastFailure['cause'], lastFailure['checkedAt']], [cause, still.lastCheckedAt])
  assert.equal(still.lastResponseMs, null, 'nothing answered')
  const line = ['CAUSE_CHANGED', still.lastCheckedAt, cause]
  assert.deepEqual(linesOf(timeline), [...linesOf(before), line])
}

function assertResolved(resolved: IncidentDetail, opened: IncidentDetail, up: Monitor): void {
  const { resolvedBy, resolvedAt, resolution, timeline } = resolved
  assert.deepEqual([resolved.cause, resolved.openedBy], [opened.cause, opened.openedBy])
  assert.deepEqual([resolvedAt, resolution], [up.lastCheckedAt, 'RECOVERED'])
  assert.ok((resolved.durationSec ?? 0) >= 3, 'three confirmations lie between')
  assert.deepEqual(attemptsOf(resolvedBy ?? {}), [[1, 'OK', null, 200]])
  assert.deepEqual(
    [resolvedBy?.['outcome'], resolvedBy?.['cause'], resolvedBy?.['checkedAt']],
    ['OK', null, up.lastCheckedAt],
  )
  assert.deepEqual(linesOf(timeline).at(-1)?.slice(0, 2), ['RESOLVED', up.lastCheckedAt])
  const checks = [opened.openedBy, resolved.lastFailure, resolvedBy].map(
    (each) => each?.['checkId'],
  )
  assert.equal(new Set(checks).size, 3, 'each check has its own id')
}

/** An incident as events show it: the list item with two more fields, and the monitor without secrets. */
function incidentData(incident: IncidentDetail, monitor: Monitor): Event['data'] {
  const { id, startedAt, resolvedAt, durationSec, cause, acknowledged } = incident
  const { causeCode, resolution } = incident
  const item = { id, monitor: incident.monitor, startedAt, resolvedAt, durationSec, cause }
  return {
    incident: { ...item, acknowledged, causeCode, resolution },
    monitor: { ...monitor, requestHeaders: { 'X-Token': '***' } },
  }
}

function attemptsOf(evidence: Record<string, unknown>): unknown[][] {
  type Attempt = { number: number; outcome: string; causeCode: string; httpStatus: number }
  return (evidence['attempts'] as Attempt[]).map(({ number, outcome, causeCode, httpStatus }) => [
    number,
    outcome,
    causeCode,
    httpStatus,
  ])
}

const linesOf = (timeline: IncidentDetail['timeline']): (string | null)[][] =>
  timeline.map(({ type, at, message }) => [type, at, message])
