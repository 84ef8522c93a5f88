// What does a webhook that is claimed, signed, sent and recorded cost, against a bare POST by undici over keep-alive
// connections to the same receiver? And how soon after its commit does an event arrive when idle?
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Pool } from 'undici'
import undiciPackage from 'undici/package.json' with { type: 'json' }
import { createWebhookEndpoint } from '../src/actions/webhooks/create.ts'
import { fromPublicId } from '../src/domain/values/id.ts'
import { createOrganization } from '../src/operator/organizations/organizations.ts'
import { parseMasterKeys } from '../src/platform/crypto/encryption.ts'
import { Database } from '../src/store/core/db.ts'
import { OrganizationSecrets } from '../src/store/core/organization-secrets.ts'
import { Tenants } from '../src/store/core/tenants.ts'
import { findFreePort } from '../tools/services/ports.ts'
import { type Stack, startStack } from '../tools/stack.ts'
import { percentile, type Slot, type Slots, toFigures } from './harness.ts'
import { cpuMicros, describeMachine, familyCpuMicros, pin, watchBusyness } from './machine.ts'
import { print, printJson, readOptions, reportFigures } from './report.ts'

// The sender has one core; the receiver and PostgreSQL share the other.
const SENDER_CORE = '0'
const SHARED_CORE = '1'
const ORGANIZATIONS = 16
const ENDPOINTS_OF_EACH = 4
const OPERATIONS = 4000
const IN_FLIGHT = 256
const IDLE_EVENTS = 150
const POLL_MS = 20
const KEPT_MS = 120_000
const DISPATCHERS = Number(process.env['BENCH_DISPATCHERS'] ?? 1)
const GOALS = { wall: 0.4, 'cpu node': 0.4 }
// As long as the event of a new monitor.
const BODY = JSON.stringify({ type: 'monitor.created', data: 'x'.repeat(1150) })

const role = process.argv[2]
if (role === 'receiver') await receive()
else if (role === 'bare') sendBare()
else await main()

async function main(): Promise<void> {
  const options = readOptions()
  const stack = await startStack({ nats: false, env: { LOG_LEVEL: 'warn' } })
  const receiver = await startChild('receiver', SHARED_CORE)
  const bare = await startChild('bare', SENDER_CORE)
  const client = new pg.Client(stack.databaseUrl)
  await client.connect()
  try {
    pin(stack.postgres.pid, SHARED_CORE)
    await fillEndpoints(stack, receiver.port)
    const dispatchers = await startDispatchers(stack)
    const dispatcherCpu = () => dispatchers.reduce((sum, pid) => sum + cpuMicros(pid), 0)
    const busy = watchBusyness()
    const postgres = () => familyCpuMicros(stack.postgres.pid)
    const ours = {
      prepare: () => queueEvents(client, OPERATIONS),
      run: () => sendQueued(client),
      cpu: { node: dispatcherCpu, postgres },
    }
    const plain = {
      prepare: async () => {},
      run: () => sendToChild(bare.child, { port: receiver.port, count: OPERATIONS }),
      cpu: { node: () => cpuMicros(bare.child.pid ?? 0), postgres },
    }
    const slots = await takeTurns(ours, plain, options.rounds)
    const idle = await measureIdle(client, receiver.child)
    const setting = {
      ...describeMachine(),
      undici: undiciPackage.version,
      dispatchers: DISPATCHERS,
      load: `${ORGANIZATIONS * ENDPOINTS_OF_EACH} endpoints, ${OPERATIONS} deliveries a slot, bare with ${IN_FLIGHT} in flight`,
      pinning: `sender on core ${SENDER_CORE}, receiver and PostgreSQL (not durable) on core ${SHARED_CORE}`,
      idle: `commit to receipt p50 ${idle.p50Ms.toFixed(1)} ms, p99 ${idle.p99Ms.toFixed(1)} ms of ${IDLE_EVENTS}`,
    }
    const question = 'Webhooks against a bare undici POST'
    const figures = toFigures('a delivery', slots, GOALS)
    reportFigures({ question, setting, busy: busy() }, figures, options.slack)
    printJson({ question: 'commit to receipt, idle', ...idle })
    print(`deliveries a second: ${rate(slots.ours)} ours, ${rate(slots.bare)} bare`)
  } finally {
    await client.end()
    for (const { child } of [receiver, bare]) child.disconnect()
    await stack.stop()
  }
}

async function startDispatchers(stack: Stack): Promise<number[]> {
  const pids: number[] = []
  for (let i = 0; i < DISPATCHERS; i++) {
    const { process: child } = await stack.start('dispatcher')
    pin(child.pid ?? 0, SENDER_CORE)
    pids.push(child.pid ?? 0)
  }
  return pids
}

type Sender = {
  /** Not measured. */
  prepare(): Promise<unknown>
  run(): Promise<unknown>
  cpu: Record<string, () => number>
}

async function takeTurns(ours: Sender, bare: Sender, rounds: number): Promise<Slots> {
  const slots: Slots = { ours: [], bare: [] }
  await measure(ours)
  await measure(bare)
  for (let round = 0; round < rounds; round++) {
    slots.ours.push(await measure(ours))
    slots.bare.push(await measure(bare), await measure(bare))
    slots.ours.push(await measure(ours))
  }
  return slots
}

async function measure({ prepare, run, cpu }: Sender): Promise<Slot> {
  await prepare()
  const before = Object.entries(cpu).map(([name, read]) => [name, read, read()] as const)
  const startMs = performance.now()
  await run()
  const wallUs = ((performance.now() - startMs) * 1000) / OPERATIONS
  const used = before.map(([name, read, was]) => [name, (read() - was) / OPERATIONS])
  return { wallUs, cpuUs: Object.fromEntries(used) }
}

function rate(slots: readonly Slot[]): number {
  return Math.round(1e6 / Math.min(...slots.map(({ wallUs }) => wallUs)))
}

async function fillEndpoints({ env }: Stack, port: number): Promise<void> {
  const url = env['DATABASE_URL'] ?? ''
  const keys = parseMasterKeys(env['MASTER_KEYS'] ?? '')
  if (typeof keys === 'string') throw new Error(keys)
  const secrets = new OrganizationSecrets(keys)
  const engine = new Database({ url, role: 'upvane_engine', connections: 1 }, () => {})
  const app = new Database({ url, role: 'upvane_app', connections: 1 }, () => {})
  const tenants = new Tenants(app, secrets)
  for (let i = 0; i < ORGANIZATIONS; i++) {
    const { id } = await createOrganization(engine, secrets, { name: `Receiver ${i}` })
    for (let j = 0; j < ENDPOINTS_OF_EACH; j++)
      await tenants.transaction(fromPublicId('org', id) ?? '', (tx) =>
        createWebhookEndpoint(tx, {
          url: `http://127.0.0.1:${port}/${i}/${j}`,
          description: null,
          eventTypes: ['*'],
          enabled: true,
        }),
      )
  }
  await Promise.all([engine.close(), app.close()])
}

/** To endpoints disabled manually, so everything waits until it is measured. */
async function queueEvents(client: pg.Client, count: number): Promise<void> {
  await client.query(`update webhook_endpoints set enabled = false, disabled_reason = 'MANUAL'`)
  await insertEvents(client, count)
  await client.query('vacuum analyze deliveries, attempts, events')
}

async function insertEvents(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `with receiver as (
       select org_id, id, url, row_number() over (order by id) - 1 as no, count(*) over () as all from webhook_endpoints
     ), event as (
       select r.*, new_uuid() as event_id from generate_series(1, $1) n
         join receiver r on r.no = (n + floor(extract(epoch from now()) * 1000)::bigint) % r.all
     ), told as (
       insert into events (id, org_id, type, occurred_at, body)
       select event_id, org_id, 'monitor.created', now(), $2 from event
     )
     insert into deliveries (id, org_id, endpoint_id, event_id, event_type, url, next_attempt_at, created_at)
     select new_uuid(), org_id, id, event_id, 'monitor.created', url, now(), now() from event`,
    [count, BODY],
  )
}

/** Returns when every delivery is recorded. */
async function sendQueued(client: pg.Client): Promise<void> {
  await client.query('update webhook_endpoints set enabled = true, disabled_reason = null')
  // A prepared statement, because its cost counts as ours.
  const text = `select id from deliveries where status = 'PENDING' order by endpoint_id, next_attempt_at limit 1`
  while ((await client.query({ name: 'pending', text })).rows.length > 0) await delay(POLL_MS)
  const failed = await client.query(`select from deliveries where status = 'FAILED' limit 1`)
  if (failed.rows.length > 0) throw new Error('A delivery failed')
}

async function measureIdle(client: pg.Client, receiver: ChildProcess) {
  const tookMs: number[] = []
  for (let i = 0; i < IDLE_EVENTS; i++) {
    await delay(30 + Math.random() * 150)
    const arrived = sendToChild(receiver, { next: true })
    await insertEvents(client, 1)
    const committedMs = performance.timeOrigin + performance.now()
    tookMs.push(Math.max(0, ((await arrived) as { atMs: number }).atMs - committedMs))
  }
  return { p50Ms: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99) }
}

async function startChild(name: string, core: string) {
  const child = fork(import.meta.filename, [name])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  pin(child.pid ?? 0, core)
  return { child, port }
}

async function sendToChild(child: ChildProcess, message: object): Promise<unknown> {
  const answer = once(child, 'message')
  child.send(message)
  return (await answer)[0]
}

/** Responds to everything with 200, and reports when the next request arrives. */
async function receive(): Promise<void> {
  let isAsked = false
  const server = createServer((request, response) => {
    if (isAsked) process.send?.({ atMs: performance.timeOrigin + performance.now() })
    isAsked = false
    request.resume().once('end', () => response.end('ok'))
  })
  // Longer than any slot: a connection must not close just before it is used.
  server.keepAliveTimeout = KEPT_MS
  process.on('message', () => (isAsked = true))
  process.on('disconnect', () => process.exit(0))
  const port = await findFreePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  process.send?.({ port })
}

function sendBare(): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async ({ port, count }: { port: number; count: number }) => {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: IN_FLIGHT })
    let left = count
    const headers = { 'content-type': 'application/json' }
    const work = async () => {
      while (left-- > 0) {
        const reply = await pool.request({ path: '/', method: 'POST', headers, body: BODY })
        await reply.body.dump()
        if (reply.statusCode !== 200) throw new Error(`answered ${reply.statusCode}`)
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, work))
    await pool.close()
    process.send?.({ done: true })
  })
  process.send?.({ port: 0 })
}
