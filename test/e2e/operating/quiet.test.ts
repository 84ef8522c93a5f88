// While nothing happens, a process that alone has the database asks it little, and is woken by what it commits. What
// others commit is found a little later, and as soon as before once another process runs.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startProduct } from '../../kit/fixture.ts'
import { toUuid } from '../../kit/ids.ts'
import { type Page, startWeb } from '../../kit/targets/web.ts'
import { until } from '../webhooks/fixture.ts'
import { queueEvents } from '../webhooks/queue.ts'

const MEASURED_SECONDS = 5
// It was 49 before loops rested, and is 15.
const MAX_TRANSACTIONS = 30
const QUIET_MS = 4_000
// Loops rest for 2 s; the others of the limits are for a busy machine.
const WOKEN_MS = 1_500
const FOREIGN_MS = 6_000
// Until the others know of a process that has started.
const NOTICED_MS = 6_000
const SAMPLES = 5

const web = await startWeb()
const fixture = await startProduct({ command: 'start', own: true })
const { api, db, stack, orgId } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
})
const page = web.page({ status: 200 })
const endpoint = await api.createEndpoint({ url: page.url, eventTypes: ['webhook.test'] })
const target = web.page({ status: 200 })
let idlePerSecond = 0

async function arrivalMs(at: Page, begin: () => Promise<unknown>): Promise<number> {
  const before = at.seen.length
  await begin()
  const startMs = performance.now()
  await until('a request', async () => at.seen.length > before)
  return performance.now() - startMs
}

const transactions = async () => {
  const { n } = await db.one<{ n: number }>(
    `select sum(xact_commit)::float8 as n from pg_stat_database where datname = current_database()`,
  )
  return n
}

/** The lower of two figures: the janitor's minute may begin during one. */
async function transactionsPerSecond(): Promise<number> {
  const figures: number[] = []
  for (let i = 0; i < 2; i++) {
    const before = await transactions()
    await delay(MEASURED_SECONDS * 1000)
    figures.push(((await transactions()) - before) / MEASURED_SECONDS)
  }
  return Math.min(...figures)
}

const queueByAnother = () => queueEvents(db, toUuid(orgId), toUuid(endpoint.id), 1)

test('an idle process asks the database little', async (t) => {
  await delay(QUIET_MS)
  idlePerSecond = await transactionsPerSecond()
  t.diagnostic(`${idlePerSecond.toFixed(1)} transactions a second`)
  assert.ok(idlePerSecond < MAX_TRANSACTIONS, `${idlePerSecond} transactions a second`)
})

test('what it commits itself is sent at once', async (t) => {
  const times: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    await delay(QUIET_MS)
    times.push(await arrivalMs(page, () => api.testEndpoint(endpoint.id)))
  }
  t.diagnostic(`${times.map(Math.round).join(', ')} ms`)
  const median = times.toSorted((a, b) => a - b)[Math.floor(SAMPLES / 2)] ?? 0
  assert.ok(median < WOKEN_MS / 2, `${median} ms`)
})

test('a monitor created in the middle of its rest is checked in time', async () => {
  await delay(QUIET_MS)
  const monitor = { name: 'New', type: 'HTTP', url: target.url, intervalSeconds: 30 }
  const created = await api.createMonitor(monitor)
  await until(
    'the first check',
    async () => (await api.getMonitor(created.id)).state === 'UP',
    40_000,
  )
})

test('what another commits is found by the next poll', async (t) => {
  await delay(QUIET_MS)
  const ms = await arrivalMs(page, queueByAnother)
  t.diagnostic(`${Math.round(ms)} ms`)
  assert.ok(ms < FOREIGN_MS, `${ms} ms`)
})

test('beside another process it polls as often as before', async (t) => {
  await stack.start('dispatcher')
  await delay(NOTICED_MS)
  const perSecond = await transactionsPerSecond()
  t.diagnostic(`${perSecond.toFixed(1)} transactions a second`)
  assert.ok(perSecond > 2 * idlePerSecond, `${perSecond} transactions a second`)
  const ms = await arrivalMs(page, queueByAnother)
  assert.ok(ms < WOKEN_MS, `${ms} ms`)
})
