// How long is an organization frozen while it moves to another installation? Exports and imports one with a history of
// results, compared with a bare COPY of the same results from one database to the other.
// node benchmarks/org-move.ts [--monitors 200] [--days 5]
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { Database } from '../src/store/core/db.ts'
import { packResults } from '../src/store/history/packing.ts'
import { type Stack, startStack } from '../tools/stack.ts'
import { type GoalRow, reportGoals } from './engine-report.ts'
import { insertMonitors } from './engine-rows.ts'
import { watchBusyness } from './machine.ts'
import { fillDays } from './packing-rows.ts'

const ROWS_PER_PACKING = 100_000
const MAIN = join(import.meta.dirname, '../src/main.ts')
const ALL = `
  select r.* from monitors m cross join lateral (
    select * from results where monitor_no = m.no
    union all select * from packed_results(m.no, '-infinity', 'infinity')) r`

const { values } = parseArgs({
  options: {
    monitors: { type: 'string', default: '200' },
    days: { type: 'string', default: '5' },
  },
})
const [monitors, days] = [Number(values.monitors), Number(values.days)]
const directory = mkdtempSync(join(tmpdir(), 'upvane-move-'))
const file = join(directory, 'acme.move')
const keyFile = join(directory, 'key')
writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 })
const source = await startStack({ nats: false })
const target = await startStack({ nats: false })
try {
  await measure()
} finally {
  await Promise.all([source.stop(), target.stop()])
  rmSync(directory, { recursive: true })
}

async function measure(): Promise<void> {
  const orgId = await fill()
  const busy = watchBusyness()
  const results = await countResults(source)
  const bareSeconds = await copyBare()
  const exportSeconds = operate(source, ['export', orgId, '--file', file])
  const importSeconds = operate(target, ['import', file, '--trust-source'])
  const arrived = await countResults(target)
  const rate = (seconds: number) => results / seconds
  const rows: GoalRow[] = [
    { goal: '', measure: 'results', unit: '', ours: arrived, bare: results },
    { goal: '', measure: 'exported', unit: 'results/s', ours: rate(exportSeconds) },
    { goal: '', measure: 'imported', unit: 'results/s', ours: rate(importSeconds) },
    {
      goal: '',
      measure: 'both, bare: COPY',
      unit: 'results/s',
      ours: rate(exportSeconds + importSeconds),
      bare: rate(bareSeconds),
    },
    { goal: '', measure: 'file', unit: 'B/result', ours: statSync(file).size / results },
    { goal: '', measure: 'frozen', unit: 's', ours: exportSeconds + importSeconds },
  ]
  const data = `${monitors} monitors every 60 s, ${days} days, packed at the source`
  reportGoals('An organization on the move', { setting: { data }, busy }, rows)
  if (arrived !== results) process.exitCode = 1
}

/** Returns the id of the organization, which has all monitors. */
async function fill(): Promise<string> {
  await using(source, async (client) => {
    const set = { type: 'HTTP', intervalSeconds: 60, timeoutSeconds: 10, kind: 'move' } as const
    const address = `'http://127.0.0.1:1/' || phase`
    await insertMonitors(client, { ...set, count: monitors, organizations: 1, address })
    const { rows } = await client.query<{ uuid: string }>(
      `select id as uuid from organizations where name = 'Demo'`,
    )
    // Both refer to each other, so neither could be changed first.
    await client.query('set session_replication_role = replica')
    await client.query('update monitors set org_id = $1', [rows[0]?.uuid])
    await client.query('update monitor_states set org_id = $1', [rows[0]?.uuid])
    await client.query('reset session_replication_role')
    await fillDays(client, days)
  })
  await pack()
  return source.organizationId
}

async function using<T>(
  { databaseUrl }: Stack,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function pack(): Promise<void> {
  const url = source.env['DATABASE_URL'] ?? ''
  const engine = new Database({ url, role: 'upvane_engine', connections: 1 }, () => {})
  while (!(await packResults(engine, ROWS_PER_PACKING)).idle);
  await engine.close()
}

async function countResults(stack: Stack): Promise<number> {
  return using(stack, async (client) => {
    const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from (${ALL}) r`)
    return rows[0]?.n ?? 0
  })
}

/** Seconds of a COPY from one database to the other, by psql. */
async function copyBare(): Promise<number> {
  const psql = (url: string, text: string) => `psql -q "${url}" -c "${text.replaceAll('\n', ' ')}"`
  run(psql(target.databaseUrl, 'create table bare_results (like results including all)'))
  const seconds = run(
    `${psql(source.databaseUrl, `copy (${ALL}) to stdout`)} | ${psql(target.databaseUrl, 'copy bare_results from stdin')}`,
  )
  run(psql(target.databaseUrl, 'drop table bare_results'))
  return seconds
}

function run(command: string): number {
  const startedMs = performance.now()
  const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', command])
  if (status !== 0) throw new Error(String(stderr))
  return (performance.now() - startedMs) / 1000
}

/** Seconds of `upvane org move …`. */
function operate({ env }: Stack, words: readonly string[]): number {
  const startedMs = performance.now()
  const args = [MAIN, 'org', 'move', ...words, '--key-file', keyFile]
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { env })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return (performance.now() - startedMs) / 1000
}
