// How fast are results recorded with all their effects, against a bare COPY of the result rows alone?
import pg from 'pg'
import { recordResults } from '../src/actions/results/record.ts'
import type { ResultWrite } from '../src/actions/results/result-batch.ts'
import type { CheckResult } from '../src/domain/incidents/apply-result.ts'
import type { EvidenceInput } from '../src/domain/incidents/evidence.ts'
import { nextSlotAt } from '../src/domain/monitors/schedule.ts'
import { parseMasterKeys } from '../src/platform/crypto/encryption.ts'
import { Database } from '../src/store/core/db.ts'
import { OrganizationSecrets } from '../src/store/core/organization-secrets.ts'
import type { EngineMonitor } from '../src/store/monitors/states.ts'
import { startStack } from '../tools/stack.ts'
import { copyRows } from './engine-copy.ts'
import { reportGoals } from './engine-report.ts'
import { insertMonitors } from './engine-rows.ts'
import { type Contender, takeTurns, toFigures } from './harness.ts'
import { cpuMicros, familyCpuMicros, pin, watchBusyness } from './machine.ts'

const MONITORS = 10_000
const BATCH = 500
const INTERVAL_SECONDS = 30
const FLIP_EVERY = 100
const PLAN = { operations: 5000, rounds: 12, warmUp: 10_000 }
// As many as the applier has; each has its own connection.
const WORKERS = 2
// Rows of no monitor: the table has no foreign key.
const BARE_FROM = 1_000_000_000
// In the last minutes, like real results.
const STARTED_MS = Date.now() - 60_000

type Row = { no: number; uuid: string; slot: Date; isUp: boolean }

const stack = await startStack({ nats: false })
pin(stack.postgres.pid, '1')
pin(process.pid, '0')
const client = new pg.Client(stack.databaseUrl)
const clients = [client, new pg.Client(stack.databaseUrl)]
for (const each of clients) await each.connect()
const url = stack.env['DATABASE_URL'] ?? ''
const database = new Database({ url, role: 'upvane_engine', connections: WORKERS }, () => {})
try {
  const keys = parseMasterKeys(stack.env['MASTER_KEYS'] ?? '')
  if (typeof keys === 'string') throw new Error(keys)
  const deps = { database, secrets: new OrganizationSecrets(keys) }
  const rows = await prepare()
  // The snapshot of each monitor after its previous result.
  const known = new Map<number, EngineMonitor>()
  let recorded = 0
  let copied = 0
  const postgres = () => familyCpuMicros(stack.postgres.pid)
  const node = () => cpuMicros(process.pid)
  const ours: Contender = {
    run: (count) =>
      inParallel(count, async () => {
        const batch = take(rows, recorded)
        recorded += BATCH
        const recordings = batch.map((row) => toResultWrite(row, known.get(row.no)))
        for (const [no, monitor] of await recordResults(deps, undefined, recordings))
          known.set(no, monitor)
      }),
    cpuMicros: { node, postgres },
  }
  const bare: Contender = {
    run: (count) =>
      inParallel(count, async (worker) => {
        const batch = bareRows(copied)
        copied += BATCH
        await copyRows(
          clients[worker] ?? client,
          'results (monitor_no, slot, kind, verdict, response_ms, status_code, region)',
          batch,
        )
      }),
    cpuMicros: { node, postgres },
  }
  const busy = watchBusyness()
  const slots = await takeTurns({ ours, bare }, PLAN)
  const figures = new Map(toFigures('', slots, {}).map((figure) => [figure.measure, figure]))
  const us = (measure: string) => {
    const { oursUs = Number.NaN, bareUs = Number.NaN } = figures.get(measure) ?? {}
    return { ours: oursUs, bare: bareUs }
  }
  const wall = us('wall')
  const events = await client.query<{ count: number }>(
    'select count(*)::integer as count from incidents',
  )
  const setting = {
    load: `batches of ${BATCH}, ${MONITORS} monitors, one result in ${FLIP_EVERY} changes a state; ${events.rows[0]?.count} incidents opened`,
    pinning: 'Node on core 0; PostgreSQL on core 1',
    rounds: `${PLAN.rounds} x A B B A of ${PLAN.operations} rows, ${WORKERS} batches at once`,
  }
  reportGoals('Recording results against bare COPY', { setting, busy }, [
    {
      goal: 'P6',
      measure: 'rate',
      unit: 'rows/s',
      ours: 1e6 / wall.ours,
      bare: 1e6 / wall.bare,
      atLeast: 0.2,
      by: 'ratio',
    },
    { goal: '', measure: 'CPU, Node', unit: 'us', ...us('cpu node') },
    { goal: '', measure: 'CPU, PostgreSQL', unit: 'us', ...us('cpu postgres') },
    { goal: '', measure: 'CPU all', unit: 'us', ...us('cpu all') },
  ])
} finally {
  await database.close()
  for (const each of clients) await each.end()
  await stack.stop()
}

/** Writes batches until this many rows are written, some in parallel. */
async function inParallel(count: number, write: (worker: number) => Promise<void>): Promise<void> {
  let left = Math.ceil(count / BATCH)
  const run = async (worker: number) => {
    while (left-- > 0) await write(worker)
  }
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => run(worker)))
}

/** Monitors that have been due for a minute. */
async function prepare(): Promise<Row[]> {
  const address = `'http://127.0.0.1:1/' || phase`
  const shape = { type: 'HTTP', intervalSeconds: INTERVAL_SECONDS, timeoutSeconds: 10 } as const
  await insertMonitors(client, {
    ...shape,
    kind: 'record',
    count: MONITORS,
    organizations: 100,
    address,
  })
  const { rows } = await client.query<{ no: string; uuid: string }>(
    'select no, id as uuid from monitors order by no',
  )
  const from = new Date(STARTED_MS)
  const monitors = rows.map(({ no, uuid }) => ({
    no: Number(no),
    uuid,
    isUp: true,
    slot: nextSlotAt({ uuid, intervalSeconds: INTERVAL_SECONDS }, from),
  }))
  await client.query(
    `update monitor_states s set next_due_at = u.slot
       from unnest($1::bigint[], $2::timestamptz[]) as u (no, slot) where s.monitor_no = u.no`,
    [monitors.map(({ no }) => no), monitors.map(({ slot }) => slot)],
  )
  await client.query('vacuum analyze monitor_states')
  return monitors
}

/** The next batch, each monitor at its next slot. One in a hundred changes its outcome. */
function take(rows: Row[], recorded: number): Row[] {
  const first = recorded % rows.length
  const lap = Math.floor(recorded / rows.length)
  return rows.slice(first, first + BATCH).map((row, i) => {
    const flips = (i + lap) % FLIP_EVERY === 0
    const isUp = flips ? !row.isUp : row.isUp
    const slot = nextSlotAt({ uuid: row.uuid, intervalSeconds: INTERVAL_SECONDS }, row.slot)
    rows[first + i] = { ...row, isUp, slot }
    return { ...row, isUp }
  })
}

function toResultWrite({ no, slot, isUp }: Row, known: EngineMonitor | undefined): ResultWrite {
  const beganAt = new Date(slot.getTime() + 5)
  const endedAt = new Date(slot.getTime() + 60)
  const seen: CheckResult['seen'] = {
    causeCode: isUp ? null : 'CONNECTION_REFUSED',
    cause: isUp ? null : 'Connection refused',
    responseMs: isUp ? 55 : null,
    httpStatus: isUp ? 200 : null,
    certExpiresAt: null,
    domainExpiresAt: null,
    dnsAnswers: null,
  }
  const failure = { cause: 'CONNECTION_REFUSED', bytesSent: false, controlReached: null } as const
  const outcome: CheckResult['outcome'] = isUp
    ? { result: 'OK', responseMs: 55, sampled: true }
    : { result: 'FAILED', failure, failedSince: beganAt }
  const evidence: EvidenceInput = {
    ...seen,
    checkedAt: endedAt,
    location: 'default',
    outcome: isUp ? 'OK' : 'FAILED',
    resolvedIp: '127.0.0.1',
    timings: { connectMs: 1, firstByteMs: 50 },
    bodyExcerpt: null,
    attempts: [],
  }
  const result: CheckResult = {
    kind: 'SCHEDULED',
    slot,
    epoch: 0,
    beganAt,
    endedAt,
    outcome,
    seen,
  }
  const resolve = () => ({ result, evidence: () => evidence })
  return { monitorNo: no, regionNo: 1, resolve, ...(known && { known }) }
}

function bareRows(copied: number): string {
  // Uses the table's index in the same order as ours: the same monitors, slot by slot.
  const lapMs = Math.floor(copied / MONITORS) * INTERVAL_SECONDS * 1000
  const slot = new Date(STARTED_MS + lapMs).toISOString()
  const numbers = Array.from({ length: BATCH }, (_, i) => BARE_FROM + ((copied + i) % MONITORS))
  return numbers.map((no) => `${no}\t${slot}\t0\t0\t55\t200\t1\n`).join('')
}
