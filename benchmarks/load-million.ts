// Is the API as fast with 1,000,000 monitors as with a few, and does every statement it runs use an index? Measured for
// list, get, create and patch over HTTP, alternating between two databases.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Service, type Stack, startStack } from '../tools/stack.ts'
import { percentile } from './harness.ts'
import { Load, requestText } from './load.ts'
import { describeMachine, pin, watchBusyness } from './machine.ts'
import { fillRows, openBigOrganization, sizesOf } from './million-rows.ts'
import { countRows, logLength, logPlans, readPlans } from './query-plans.ts'
import { print, printJson, printRun, table } from './report.ts'
import { exerciseApi, newMonitor, searchByText } from './traffic.ts'

const CONCURRENCY = 4
const ROUNDS = 8
const SMALL_MONITORS = 90
const MONITORS_PER_ORGANIZATION = 100
const INCIDENTS_PER_MONITOR = 0.5
const NO_LIMIT = 99_999_999
const MAX_P95_RATIO = 2
const SERVER_CORE = '0'
const SHARED_CORE = '1'
const COUNTS = { list: 150, 'list, offset 50': 150, get: 300, create: 60, patch: 60 }

type Operation = keyof typeof COUNTS
type Times = Record<Operation, { p50: number[]; p95: number[] }>
type Candidate = { name: string; port: number; key: string; monitors: string[]; times: Times }

const { values } = parseArgs({ options: { monitors: { type: 'string', default: '1000000' } } })
const monitors = Number(values.monitors)

const small = await startStack({ rateLimit: NO_LIMIT, nats: true })
const large = await startStack({ rateLimit: NO_LIMIT, nats: true })
const load = new Load(SHARED_CORE)
const client = new pg.Client(large.databaseUrl)
try {
  await client.connect()
  await compare()
} finally {
  load.stop()
  await client.end()
  await Promise.all([small.stop(), large.stop()])
}

async function compare(): Promise<void> {
  const busy = watchBusyness()
  const startedAt = performance.now()
  const organizations = Math.max(10, Math.round(monitors / MONITORS_PER_ORGANIZATION))
  const incidents = Math.round(monitors * INCIDENTS_PER_MONITOR)
  const bigSize = await fillRows(client, { monitors, organizations, incidents })
  const fillSeconds = Math.round((performance.now() - startedAt) / 1000)
  const sizes = await sizesOf(client)

  const bigKey = await openBigOrganization(client, large.env)
  const plans = await capturePlans([large.keys.full, bigKey])
  const subjects = await openCandidates(bigKey)
  await takeTurns(subjects)

  printRun({
    question: 'The API on a small and on a large database',
    setting: {
      ...describeMachine(),
      postgres: 'two private servers with default memory settings, not durable',
      data: `${monitors} monitors, ${organizations} organizations (5 with ${bigSize}), ${incidents} incidents, filled in ${fillSeconds} s`,
      pinning: `API on core ${SERVER_CORE}, PostgreSQL and load on core ${SHARED_CORE}`,
      load: `${CONCURRENCY} connections, ${ROUNDS} rounds of A B B A`,
    },
    busy: busy(),
  })
  report(subjects, plans, { sizes, fillSeconds })
}

async function openCandidates(bigKey: string): Promise<Candidate[]> {
  for (const stack of [small, large]) pin(stack.postgres.pid, SHARED_CORE)
  const smallApi = await startApi(small)
  const largeApi = await startApi(large)
  return [
    await toCandidate('small', smallApi, small.keys.full),
    await toCandidate('large', largeApi, large.keys.full),
    await toCandidate('large, big organization', largeApi, bigKey),
  ]
}

async function startApi(stack: Stack): Promise<Service> {
  const api = await stack.start('api')
  if (api.process.pid) pin(api.process.pid, SERVER_CORE)
  return api
}

/** Fills an organization with at least as many monitors as most have. */
async function toCandidate(name: string, api: Service, key: string): Promise<Candidate> {
  const port = Number(new URL(api.baseUrl).port)
  const create = requestText('POST', '/api/v1/monitors', { key, body: newMonitor })
  const job = { port, requests: [create], concurrency: CONCURRENCY }
  await load.run({ ...job, count: SMALL_MONITORS, expectedStatus: 201 })
  const headers = { 'X-API-Key': key }
  const page = await fetch(`${api.baseUrl}/api/v1/monitors?limit=${SMALL_MONITORS}`, { headers })
  const { data } = (await page.json()) as { data: { id: string }[] }
  const times = Object.fromEntries(
    Object.keys(COUNTS).map((operation) => [operation, { p50: [], p95: [] }]),
  ) as unknown as Times
  return { name, port, key, monitors: data.map(({ id }) => id), times }
}

async function takeTurns(subjects: Candidate[]): Promise<void> {
  const operations = Object.keys(COUNTS) as Operation[]
  for (const subject of subjects)
    for (const operation of operations) await measure(subject, operation)
  // Everything so far was warm-up.
  for (const { times } of subjects)
    for (const operation of operations) times[operation] = { p50: [], p95: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const operation of operations)
      for (const subject of [...subjects, ...subjects.toReversed()])
        await measure(subject, operation)
}

async function measure(subject: Candidate, operation: Operation): Promise<void> {
  const { port, times } = subject
  const job = { port, requests: requestsOf(subject, operation), concurrency: CONCURRENCY }
  const expectedStatus = operation === 'create' ? 201 : 200
  const latencies = await load.run({ ...job, count: COUNTS[operation], expectedStatus })
  times[operation].p50.push(percentile(latencies, 0.5))
  times[operation].p95.push(percentile(latencies, 0.95))
}

function requestsOf({ key, monitors: ids }: Candidate, operation: Operation): string[] {
  const path = '/api/v1/monitors'
  switch (operation) {
    case 'list':
      return [requestText('GET', `${path}?limit=25`, { key })]
    case 'list, offset 50':
      return [requestText('GET', `${path}?limit=25&offset=50`, { key })]
    case 'get':
      return ids.map((id) => requestText('GET', `${path}/${id}`, { key }))
    case 'create':
      return [requestText('POST', path, { key, body: newMonitor })]
    case 'patch':
      return ids.map((id, i) =>
        requestText('PATCH', `${path}/${id}`, { key, body: { name: `N ${i}` } }),
      )
  }
}

/** Runs every statement often enough that PostgreSQL settles on its final plan. */
async function capturePlans(keys: string[]) {
  await logPlans(client, true)
  const api = await large.start('api')
  const tableRows = await countRows(client)
  const from = logLength(large.postgres)
  for (const key of keys) await exerciseApi(api.baseUrl, key)
  const plans = readPlans(large.postgres, from, tableRows)
  const searchFrom = logLength(large.postgres)
  for (const key of keys) await searchByText(api.baseUrl, key)
  const searchPlans = readPlans(large.postgres, searchFrom, tableRows)
  await api.stop()
  await logPlans(client, false)
  return { plans, searchPlans }
}

function report(
  subjects: Candidate[],
  { plans, searchPlans }: Awaited<ReturnType<typeof capturePlans>>,
  filled: { sizes: [string, string, string][]; fillSeconds: number },
): void {
  print(table([['table', 'rows', 'size'], ...filled.sizes]))
  const [base, ...others] = subjects
  const figures = (Object.keys(COUNTS) as Operation[]).flatMap((operation) =>
    others.map(({ name, times }) =>
      toFigure(operation, name, base?.times[operation], times[operation]),
    ),
  )
  const head = ['operation', 'on', 'p50 ms', 'p95 ms', 'small p50', 'small p95', 'ratio of p95']
  print(table([head, ...figures.map(({ row }) => row)]))

  const lines = plans.map(({ statement, scans }) => [statement, scans.join(', ')])
  print(table([['statement', 'scans'], ...lines]))
  const whole = plans.filter(({ wholeScans }) => wholeScans.length > 0)
  for (const { statement, wholeScans } of whole) print(`WHOLE TABLE: ${wholeScans} by ${statement}`)
  const allowed = searchPlans.filter(({ wholeScans }) => wholeScans.length > 0).length
  print(`The q filter: ${allowed} of ${searchPlans.length} plans read a big table whole (allowed).`)
  const slow = figures.filter(({ ratio }) => ratio > MAX_P95_RATIO)
  for (const { row } of slow) print(`MISSED: ${row.join(' ')}`)
  const passed = slow.length === 0 && whole.length === 0 && plans.length > 0
  printJson({ question: 'load-million', monitors, ...filled, figures, plans, whole, passed })
  if (!passed) process.exitCode = 1
}

type Percentiles = { p50: number[]; p95: number[] }

function toFigure(
  operation: string,
  on: string,
  small: Percentiles | undefined,
  large: Percentiles,
) {
  const best = (times: number[] = []) => Math.min(...times)
  const ratio = best(large.p95) / best(small?.p95)
  const cells = [best(large.p50), best(large.p95), best(small?.p50), best(small?.p95), ratio]
  return { operation, on, ratio, row: [operation, on, ...cells.map((value) => value.toFixed(2))] }
}
