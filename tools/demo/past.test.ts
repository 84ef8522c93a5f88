// The history of `npm run demo`: identical in every run, complete and consistent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listWatched } from './company.ts'
import { crowdDisruptions } from './crowd.ts'
import {
  currentStates,
  type DemoMonitor,
  evidenceRows,
  incidentRows,
  outagesOf,
  spanRows,
} from './past.ts'
import { sendingRows } from './past-sending.ts'

const NOW = new Date('2026-11-15T12:00:00Z')
const ORG = '01990000-0000-7000-8000-000000000000'
const PORTS = { https: 1, httpsExpiring: 2, postgres: 3, redis: 4, hooks: 5, smtp: 6 }

const uuid = (no: number) => `01990000-0000-7000-8000-${String(no).padStart(12, '0')}`
const acme: DemoMonitor[] = listWatched(PORTS).map((watched, index) => ({
  no: index + 1,
  uuid: uuid(index + 1),
  name: String(watched.fields['name']),
  intervalSeconds: 60,
  ...watched,
  isPaused: watched.isPaused ?? false,
}))
const crowd: DemoMonitor[] = Array.from({ length: 2000 }, (_, index) => ({
  no: 100 + index,
  uuid: uuid(100 + index),
  name: `Store ${index}`,
  type: 'HTTP',
  intervalSeconds: 1800,
  usualMs: 40,
  isPaused: false,
  disruptions: crowdDisruptions({ name: `Store ${index}` }),
}))

const ENDPOINT = { uuid: uuid(9001), isBroken: true, url: 'https://x.example', eventTypes: ['*'] }
const CONTACT = { uuid: uuid(9002), isBroken: false, name: 'Operations' }
const writeAll = () => {
  const outages = outagesOf(acme, NOW)
  const sent = sendingRows(ORG, outages, { endpoints: [ENDPOINT], contacts: [CONTACT], now: NOW })
  return [
    spanRows(acme, NOW),
    incidentRows(ORG, outages, new Map()),
    evidenceRows(ORG, outages, NOW),
    sent,
  ]
}

test('the past is the same in each run', () => {
  assert.deepEqual(writeAll(), writeAll())
})

test('Acme has forty monitors of all eight types', () => {
  assert.equal(acme.length, 40)
  assert.equal(new Set(acme.map(({ type }) => type)).size, 8)
})

test('stretches of state follow on each other without a gap, and end in what is now', () => {
  for (const monitor of [...acme, ...crowd]) {
    const spans = spanRows([monitor], NOW) as { started_at: Date; ended_at: Date | null }[]
    for (const [index, { started_at, ended_at }] of spans.entries()) {
      const next = spans[index + 1]?.started_at ?? null
      assert.deepEqual(ended_at, next, `${monitor.name}, ${index}`)
      assert.ok(ended_at === null || started_at < ended_at, `${monitor.name}, ${index}`)
    }
    assert.deepEqual(currentStates([monitor], NOW)[0]?.since, spans.at(-1)?.started_at)
  }
})

test('an ongoing outage has an open incident, and no two have the same id', () => {
  const rows = incidentRows(ORG, outagesOf([...acme, ...crowd], NOW), new Map())
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  const open = rows.filter(({ resolved_at }) => resolved_at === null).length
  const down = currentStates([...acme, ...crowd], NOW).filter(
    ({ state }) => state === 'DOWN',
  ).length
  assert.equal(open, down)
  assert.ok(open >= 3)
})

test('a delivery is on its way exactly while its next try lies ahead', () => {
  const [, , , sent] = writeAll() as [unknown, unknown, unknown, ReturnType<typeof sendingRows>]
  const waiting = sent.deliveries.filter(({ status }) => status === 'PENDING')
  assert.ok(waiting.length > 0)
  for (const row of sent.deliveries) {
    const nextAt = row['next_attempt_at'] as Date | null
    assert.equal(row['status'] === 'PENDING', nextAt !== null)
    assert.ok(nextAt === null || nextAt >= NOW)
  }
})
