// What do authentication, the exact rate limit, row-level security and all headers cost the API, against bare Fastify
// that runs the same query? Measured for GET of one monitor and for a list of 25.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import fastifyPackage from 'fastify/package.json' with { type: 'json' }
import pg from 'pg'
import pgPackage from 'pg/package.json' with { type: 'json' }
import { fromPublicId } from '../src/domain/values/id.ts'
import { createKey } from '../src/operator/organizations/keys.ts'
import { Database } from '../src/store/core/db.ts'
import { type Service, type Stack, startStack } from '../tools/stack.ts'
import { type Contender, type Figure, MIN_WARM_UP, takeTurns, toFigures } from './harness.ts'
import { Load, requestText } from './load.ts'
import { cpuMicros, describeMachine, familyCpuMicros, pin, watchBusyness } from './machine.ts'
import { readOptions, reportFigures } from './report.ts'

// Two cores: one for the server under test, the other for everything both sides share.
const SERVER_CORE = '0'
const SHARED_CORE = '1'
const CONCURRENCY = 16
const MONITORS = 200
// A key may send two requests a second by default, so such a load comes from many keys.
// An organization may have 50, and the stack has some already.
const KEYS = 32
const PAGE_LENGTH = 25
const NO_LIMIT = 99_999_999
const GET_OPERATIONS = 4000
const LIST_OPERATIONS = 1000
const GOALS = { get: { 'cpu all': 0.4, wall: 0.4 }, list: { 'cpu all': 0.8, wall: 0.8 } }

type Fixture = {
  stack: Stack
  api: Service
  bare: { process: ChildProcess; port: number }
  load: Load
  organizationUuid: string
  keys: string[]
  /** Public ids. */
  monitors: string[]
}

const options = readOptions()
const stack = await startStack({ rateLimit: NO_LIMIT, nats: true })
const fixture = await openFixture(stack)
try {
  const busy = watchBusyness()
  const figures = [
    ...(await measureGet(fixture, 'get one', fixture.keys)),
    ...(await measureList(fixture)),
    // All requests then count in one row, one after the other: the worst case, without a goal.
    ...(await measureGet(fixture, 'get one, one key', fixture.keys.slice(0, 1))),
  ]
  const question = 'The API against bare Fastify with the same query'
  const setting = await describeSetting(stack)
  reportFigures({ question, setting, busy: busy() }, figures, options.slack)
} finally {
  fixture.load.stop()
  fixture.bare.process.disconnect()
  await stack.stop()
}

async function openFixture(stack: Stack): Promise<Fixture> {
  pin(stack.postgres.pid, SHARED_CORE)
  const api = await stack.start('api')
  const bare = await startBare(stack.databaseUrl)
  const load = new Load(SHARED_CORE)
  for (const child of [api.process, bare.process]) if (child.pid) pin(child.pid, SERVER_CORE)
  const monitors = await fillMonitors(stack, api)
  const organizationUuid = fromPublicId('org', stack.organizationId) ?? ''
  const keys = await createKeys(stack)
  return { stack, api, bare, load, organizationUuid, keys, monitors }
}

async function createKeys(stack: Stack): Promise<string[]> {
  const url = stack.env['DATABASE_URL'] ?? ''
  const database = new Database({ url, role: 'upvane_engine', connections: 1 }, () => {})
  const keys: string[] = []
  for (let i = 0; i < KEYS; i++) {
    const made = await createKey(database, { org: stack.organizationId, name: `Load ${i}` })
    keys.push(made.key)
  }
  await database.close()
  return keys
}

async function startBare(databaseUrl: string): Promise<Fixture['bare']> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, NODE_ENV: 'production' }
  const child = fork(join(import.meta.dirname, 'bare-fastify.ts'), { env })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { process: child, port }
}

/** Created through the API, then marked as checked, so no field is empty that is set in production. */
async function fillMonitors(stack: Stack, api: Service): Promise<string[]> {
  const headers = { 'X-API-Key': stack.keys.full, 'Content-Type': 'application/json' }
  for (let i = 0; i < MONITORS; i++) {
    const url = `https://shop-${i}.example.com/checkout/health`
    const body = JSON.stringify({ name: `Checkout ${i}`, type: 'HTTP', url })
    const made = await fetch(`${api.baseUrl}/api/v1/monitors`, { method: 'POST', headers, body })
    if (made.status !== 201) throw new Error(`create answered ${made.status}`)
  }
  const client = new pg.Client(stack.databaseUrl)
  await client.connect()
  await client.query(`
    update monitor_states set state = 'UP', last_checked_at = now(), last_status_changed_at = now(),
           last_response_ms = 184, cert_expires_at = now() + interval '60 days'`)
  await client.query('vacuum analyze')
  await client.end()
  const page = await fetch(`${api.baseUrl}/api/v1/monitors?limit=100`, { headers })
  const { data } = (await page.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

async function measureGet(fixture: Fixture, question: string, keys: string[]): Promise<Figure[]> {
  const { monitors, organizationUuid } = fixture
  const bareId = (id: string) => fromPublicId('mon', id)
  const contenders = contendersOf(fixture, {
    ours: monitors.map((id, i) =>
      requestText('GET', `/api/v1/monitors/${id}`, { key: keys[i % keys.length] }),
    ),
    bare: monitors.map((id) => requestText('GET', `/${organizationUuid}/monitors/${bareId(id)}`)),
  })
  const plan = { operations: GET_OPERATIONS, rounds: options.rounds, warmUp: 2 * MIN_WARM_UP }
  const goals = keys.length > 1 ? GOALS.get : {}
  return toFigures(question, await takeTurns(contenders, plan), goals)
}

async function measureList(fixture: Fixture): Promise<Figure[]> {
  const query = `limit=${PAGE_LENGTH}&offset=0`
  const contenders = contendersOf(fixture, {
    ours: fixture.keys.map((key) => requestText('GET', `/api/v1/monitors?${query}`, { key })),
    bare: [requestText('GET', `/${fixture.organizationUuid}/monitors?${query}`)],
  })
  const plan = { operations: LIST_OPERATIONS, rounds: options.rounds, warmUp: MIN_WARM_UP }
  return toFigures('list of 25', await takeTurns(contenders, plan), GOALS.list)
}

function contendersOf(
  { stack, api, bare, load }: Fixture,
  requests: { ours: string[]; bare: string[] },
): { ours: Contender; bare: Contender } {
  const contender = (port: number, pid: number, texts: string[]): Contender => ({
    run: async (count) => {
      const job = { port, requests: texts, count, concurrency: CONCURRENCY, expectedStatus: 200 }
      await load.run(job)
    },
    cpuMicros: {
      node: () => cpuMicros(pid),
      postgres: () => familyCpuMicros(stack.postgres.pid),
    },
  })
  const apiPort = Number(new URL(api.baseUrl).port)
  return {
    ours: contender(apiPort, api.process.pid ?? 0, requests.ours),
    bare: contender(bare.port, bare.process.pid ?? 0, requests.bare),
  }
}

async function describeSetting({ databaseUrl }: Stack) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  await client.end()
  return {
    ...describeMachine(),
    postgres: `${rows[0]?.server_version} (${(pgPackage as { version: string }).version} pg client), not durable`,
    fastify: fastifyPackage.version,
    pinning: `server under test on core ${SERVER_CORE}, PostgreSQL and load on core ${SHARED_CORE}`,
    load: `${CONCURRENCY} connections kept alive, ${KEYS} keys, ${options.rounds} rounds of A B B A`,
  }
}
