// What does a small installation cost? All roles in one process, as in the container, with a PostgreSQL of its own and 50
// monitors at their defaults: CPU, memory, statements, and how long events and checks take meanwhile.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createMigratedDatabase } from '../tools/migrated-postgres.ts'
import { startPostgres } from '../tools/services/postgres.ts'
import { openTemporaryDirectory } from '../tools/services/temporary-directory.ts'
import { prepareProduct, type Service, startService } from '../tools/stack.ts'
import { pidOf } from './engine-kit.ts'
import { cpuMicros, familyCpuMicros, watchBusyness } from './machine.ts'

const { values } = parseArgs({
  options: {
    monitors: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    samples: { type: 'string', default: '30' },
    statements: { type: 'string', default: '25' },
  },
})
const MONITORS = Number(values.monitors)
const SECONDS = Number(values.seconds)
const SAMPLES = Number(values.samples)
const WARM_UP_MS = 20_000
const MAX_PAUSE_MS = 1500
const TEXT_LENGTH = 150
const RATE_LIMIT = 100_000
// As in the container.
const SETTINGS = {
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  jit: 'off',
  shared_preload_libraries: 'pg_stat_statements',
}
const STATEMENTS = `
  select r.rolname as role, s.query, s.calls::float8 as calls, s.total_exec_time::float8 as ms
    from pg_stat_statements s join pg_roles r on r.oid = s.userid
   where r.rolname <> 'postgres' order by s.calls desc`

type Counted = { role: string; query: string; calls: number; ms: number }

const arrivals: { at: number; woken: (() => void) | undefined } = { at: 0, woken: undefined }
const target = createServer((request, response) => {
  response.end('ok')
  if (request.method !== 'POST') return
  arrivals.at = performance.now()
  arrivals.woken?.()
})
await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
// Safe because it listens on an address.
const targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`

const postgres = await startPostgres({ settings: SETTINGS })
const home = openTemporaryDirectory('upvane-small-', 'none.pid')
try {
  await createMigratedDatabase(postgres)
  const product = await prepareProduct(postgres, undefined, { rateLimit: RATE_LIMIT })
  const service = await startService('start', home.path, product.env)
  const admin = new pg.Client({ connectionString: product.databaseUrl })
  // It ends with the server.
  admin.on('error', () => {})
  await admin.connect()
  await admin.query('create extension pg_stat_statements')
  const access = { service, key: product.keys.full }
  const ids: string[] = []
  for (let no = 0; no < MONITORS; no++) {
    const body = { name: `Monitor ${no}`, type: 'HTTP', url: `${targetUrl}/${no}` }
    ids.push(((await api(access, 'POST', '/monitors', body)) as { id: string }).id)
  }
  await delay(WARM_UP_MS)
  await measureCost(service, admin)
  await measureLatency(access, ids)
  await admin.end()
  await service.stop()
} finally {
  target.close()
  await postgres.stop()
  await home.close()
}

async function measureCost(service: Service, admin: pg.Client): Promise<void> {
  const pid = pidOf(service.process)
  await admin.query('select pg_stat_statements_reset()')
  const busy = watchBusyness()
  const before = { node: cpuMicros(pid), postgres: familyCpuMicros(postgres.pid) }
  await delay(SECONDS * 1000)
  const percent = (micros: number) => (micros / SECONDS / 10_000).toFixed(2)
  console.log(`CPU, service: ${percent(cpuMicros(pid) - before.node)} % of a core`)
  console.log(
    `CPU, PostgreSQL: ${percent(familyCpuMicros(postgres.pid) - before.postgres)} % of a core`,
  )
  console.log(`Load average: ${busy().after.load1}`)
  const { rows } = await admin.query<Counted>(STATEMENTS)
  const sum = rows.reduce((all, { calls }) => all + calls, 0)
  console.log(`Statements: ${(sum / SECONDS).toFixed(1)} a second`)
  for (const { role, query, calls, ms } of rows.slice(0, Number(values.statements))) {
    const text = query.replaceAll(/\s+/g, ' ').slice(0, TEXT_LENGTH)
    const each = [calls / SECONDS, ms / SECONDS].map((figure) => figure.toFixed(2).padStart(7))
    console.log(`${each.join(' ')} ms/s ${role.padEnd(13)} ${text}`)
  }
}

/** At random moments, so that no part of a polling interval is preferred. */
async function measureLatency(access: Access, ids: readonly string[]) {
  const events: number[] = []
  const checks: number[] = []
  await api(access, 'POST', '/webhook-endpoints', {
    name: 'Receiver',
    url: `${targetUrl}/hook`,
  })
  await delay(MAX_PAUSE_MS)
  for (let no = 0; no < SAMPLES; no++) {
    const id = ids[Math.floor(no / 2) % ids.length] ?? ''
    await delay(Math.random() * MAX_PAUSE_MS)
    const startMs = performance.now()
    await api(access, 'POST', `/monitors/${ids.at(-1)}/check`)
    checks.push(performance.now() - startMs)
    await delay(Math.random() * MAX_PAUSE_MS)
    const arrived = new Promise<void>((resolve) => (arrivals.woken = resolve))
    await api(access, 'POST', `/monitors/${id}/${no % 2 === 0 ? 'pause' : 'resume'}`)
    const committedMs = performance.now()
    await arrived
    events.push(arrivals.at - committedMs)
    await delay(MAX_PAUSE_MS)
  }
  console.log(`Event to webhook: ${describe(events)}`)
  console.log(`Requested check: ${describe(checks)}`)
}

function describe(figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(0)
  return `median ${at(0.5)} ms, 90 % ${at(0.9)} ms, at most ${at(1)} ms`
}

type Access = { service: Service; key: string }

async function api({ service, key }: Access, method: string, path: string, body = {}) {
  const response = await fetch(`${service.baseUrl}/api/v1${path}`, {
    method,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as unknown
}
