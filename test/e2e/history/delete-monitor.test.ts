// A monitor with a long history is deleted while others are checked: the response is immediate, the rows are deleted in
// small batches, and no check is late because of it.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { env } from 'node:process'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '../../../tools/services/ports.ts'
import { type Service, type Stack, startStack } from '../../../tools/stack.ts'
import { Client } from '../../db-kit/client.ts'
import { toUuid } from '../../db-kit/public-id.ts'
import { startPace } from '../../kit/pace.ts'
import { lateness, quantile, readMetric } from './metrics.ts'

const RESULTS = Number(env['RESULTS'] ?? 200_000)
const NEIGHBORS = 150
const MAX_RESPONSE_MS = 1_000
const MAX_LATENESS_SECONDS = 2
const MAX_WAIT_MS = 220_000
const POLL_MS = 250
const HISTORY = [
  'results',
  'result_packs',
  'region_results',
  'result_hours',
  'result_days',
  'late_hours',
  'missed',
  'state_spans',
]

let stack: Stack
let service: Service
let target: Server
let targetUrl: string
let api: Client
let db: pg.Client

before(async () => {
  const port = await findFreePort()
  target = createServer((_, response) => response.end('ok'))
  await new Promise<void>((resolve) => target.listen(port, '127.0.0.1', resolve))
  targetUrl = `http://127.0.0.1:${port}/`
  stack = await startStack({ nats: false, rateLimit: 1_000_000, env: { LOG_LEVEL: 'info' } })
  service = await stack.start('start')
  api = new Client(service.baseUrl, stack.keys.full)
  db = new pg.Client({ connectionString: stack.databaseUrl })
  await db.connect()
})
after(async () => {
  api?.close()
  await db?.end()
  await stack?.stop()
  target?.closeAllConnections()
  target?.close()
})

test(`deleteMonitor 200: ${RESULTS} results, answered within a second, gone soon, no check late`, async (t) => {
  for (let i = 0; i < NEIGHBORS; i++) await createMonitor(`Neighbor ${i}`)
  const id = await createMonitor('With a long history')
  const monitorNo = await fillHistory(id)
  await untilAllChecked(NEIGHBORS + 1)
  const before = await lateness(service)
  const pace = startPace()

  const startedMs = performance.now()
  const reply = await api.send({ method: 'DELETE', path: `/api/v1/monitors/${id}` })
  const answerMs = performance.now() - startedMs
  assert.equal(reply.status, 200)
  t.diagnostic(`answered after ${answerMs.toFixed(0)} ms`)
  assert.ok(answerMs < MAX_RESPONSE_MS + pace.slackMs(), `${answerMs} ms`)
  assert.equal((await api.send({ path: `/api/v1/monitors/${id}` })).status, 404)
  assert.ok(
    (await count('results', monitorNo)) > RESULTS / 2,
    'the answer did not wait for the rows',
  )

  const { waitedMs, removingMs } = await waitUntilGone(monitorNo)
  const checks = quantile(before, await lateness(service), 0.99)
  t.diagnostic(
    `gone after ${(waitedMs / 1000).toFixed(1)} s, removed in ${(removingMs / 1000).toFixed(1)} s; ` +
      `${checks.count} checks meanwhile, p99 lateness ${checks.seconds.toFixed(3)} s`,
  )
  assert.ok(checks.count > NEIGHBORS / 2, `${checks.count} checks`)
  const limit = MAX_LATENESS_SECONDS + pace.slackMs() / 1000
  assert.ok(checks.seconds < limit, `${checks.seconds} s`)
  for (const table of HISTORY) assert.equal(await count(table, monitorNo), 0, table)

  const removed = await readMetric(service, 'upvane_janitor_removed_rows_total', 'deleted_monitors')
  assert.ok(removed >= RESULTS, `${removed} rows`)
  assert.equal(await readMetric(service, 'upvane_janitor_failures_total'), 0)
})

/** Otherwise the first checks, which are all due at once, would count. */
async function untilAllChecked(monitors: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
    const { rows } = await db.query(
      'select count(*)::int as count from monitor_states where last_checked_at is not null',
    )
    if (rows[0].count >= monitors) return
    await delay(POLL_MS)
  }
  assert.fail('some monitors were never checked')
}

async function createMonitor(name: string): Promise<string> {
  const body = { name, type: 'HTTP', url: targetUrl, intervalSeconds: 30 }
  const reply = await api.send({ method: 'POST', path: '/api/v1/monitors', body })
  assert.equal(reply.status, 201, reply.text)
  return reply.json<{ id: string }>().id
}

/** Inserts results of the last day, since older ones would be packed; returns the monitor's number. */
async function fillHistory(id: string): Promise<number> {
  const { rows } = await db.query<{ no: number }>(
    'select no::int as no from monitors where id = $1',
    [toUuid(id)],
  )
  const no = rows[0]?.no ?? 0
  await db.query(
    `insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region)
     select $1, now() - n * interval '1 day' / $2, 0, 0, 20, 200, null
       from generate_series(1, $2::integer) n`,
    [no, RESULTS],
  )
  await db.query(
    `insert into result_hours (monitor_no, hour, ok, failed, inconclusive)
     select $1, date_trunc('hour', now()) - n * interval '1 hour', 1, 0, 0
       from generate_series(800, 9000) n`,
    [no],
  )
  return no
}

async function waitUntilGone(monitorNo: number) {
  const startedMs = performance.now()
  const before = await count('results', monitorNo)
  let firstMs: number | undefined
  while (performance.now() - startedMs < MAX_WAIT_MS) {
    const waitedMs = performance.now() - startedMs
    const left = await count('results', monitorNo)
    if (left < before) firstMs ??= waitedMs
    if (left === 0 && (await count('deleted_monitors', monitorNo)) === 0)
      return { waitedMs, removingMs: waitedMs - (firstMs ?? waitedMs) }
    await delay(POLL_MS)
  }
  throw new Error(`${await count('results', monitorNo)} results are left`)
}

async function count(table: string, monitorNo: number): Promise<number> {
  const { rows } = await db.query(
    `select count(*)::int as count from ${table} where monitor_no = $1`,
    [monitorNo],
  )
  return rows[0].count
}
