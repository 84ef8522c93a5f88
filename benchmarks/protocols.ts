// What does the plain protocol to PostgreSQL cost beside the fast one? For a scoped read of one monitor, and for a
// transaction that records 50 results.
import pg from 'pg'
import { Database, type Protocol, sql } from '../src/store/core/db.ts'
import { insertNewResults, type ResultRow } from '../src/store/history/results.ts'
import { startStack } from '../tools/stack.ts'
import { insertMonitors } from './engine-rows.ts'
import { type Contender, type Figure, MIN_WARM_UP, takeTurns, toFigures } from './harness.ts'
import { cpuMicros, describeMachine, familyCpuMicros, watchBusyness } from './machine.ts'
import { readOptions, reportFigures } from './report.ts'

const READ = sql`
  select m.*, s.state from monitors m join monitor_states s on s.monitor_no = m.no
   where m.org_id = $1 order by m.no limit 1`
const IN_FLIGHT = 4
const BATCH = 50
const RESULT = {
  kind: 'SCHEDULED',
  verdict: 'PASSED',
  fate: 'FOLDED',
  responseMs: 12,
  statusCode: 200,
  regionNo: 1,
  causeCode: null,
  timings: null,
} satisfies Partial<ResultRow>

const options = readOptions()
const stack = await startStack({ nats: false })
const admin = new pg.Client(stack.databaseUrl)
await admin.connect()
let monitorNo = 0
try {
  const busy = watchBusyness()
  const orgId = await addMonitor()
  const figures = [
    ...(await compare('scoped read', 200, (_, app) => app.of(orgId).query(READ, [orgId]))),
    ...(await compare(`${BATCH} results`, 20, record)),
  ]
  const question = 'The fast protocol (ours) against the plain one (bare)'
  reportFigures({ question, setting: describeMachine(), busy: busy() }, figures, options.slack)
} finally {
  await admin.end()
  await stack.stop()
}

async function addMonitor(): Promise<string> {
  const address = `'https://example.com/'`
  const one = { count: 1, organizations: 1, type: 'HTTP', address } as const
  await insertMonitors(admin, { ...one, kind: 'one', intervalSeconds: 60, timeoutSeconds: 5 })
  const { rows } = await admin.query<{ id: string }>('select org_id as id from monitors')
  return rows[0]?.id ?? ''
}

async function record(engine: Database): Promise<void> {
  const slot = new Date()
  const rows = Array.from({ length: BATCH }, () => ({ ...RESULT, monitorNo: ++monitorNo, slot }))
  await engine.transaction(undefined, (tx) => insertNewResults(tx, rows))
}

type Work = (engine: Database, app: Database) => Promise<unknown>

async function compare(question: string, operations: number, work: Work): Promise<Figure[]> {
  const [ours, bare] = [open('fast', work), open('plain', work)]
  const plan = { operations, rounds: options.rounds, warmUp: MIN_WARM_UP }
  const slots = await takeTurns({ ours, bare }, plan)
  await Promise.all([ours.close(), bare.close()])
  return toFigures(question, slots, {})
}

function open(protocol: Protocol, work: Work): Contender & { close(): Promise<unknown> } {
  const url = stack.env['DATABASE_URL'] ?? ''
  const pool = { url, protocol, connections: IN_FLIGHT }
  const engine = new Database({ ...pool, role: 'upvane_engine' })
  const app = new Database({ ...pool, role: 'upvane_app' })
  return {
    async run(operations) {
      let left = operations
      const one = async () => {
        while (left-- > 0) await work(engine, app)
      }
      await Promise.all(Array.from({ length: IN_FLIGHT }, one))
    },
    cpuMicros: {
      node: () => cpuMicros(process.pid),
      postgres: () => familyCpuMicros(stack.postgres.pid),
    },
    close: () => Promise.all([engine.close(), app.close()]),
  }
}
