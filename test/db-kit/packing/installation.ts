// A private, durable PostgreSQL with monitors that have results on past days, and the truth about these results.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { createMonitor } from '../../../src/actions/monitors/create.ts'
import { createOrganization } from '../../../src/operator/organizations/organizations.ts'
import { Database } from '../../../src/store/core/db.ts'
import { OrganizationSecrets } from '../../../src/store/core/organization-secrets.ts'
import { Tenants } from '../../../src/store/core/tenants.ts'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { MIGRATED, startMigratedPostgres } from '../../../tools/migrated-postgres.ts'
import type { Postgres } from '../../../tools/services/postgres.ts'
import { sampleSettings } from '../../samples/monitor.ts'
import { newMasterKeys } from '../db-fixture.ts'
import { midnight } from '../packed-days.ts'
import { toUuid } from '../public-id.ts'

const WORKER = join(import.meta.dirname, 'pack-worker.ts')

export type Installation = {
  postgres: Postgres
  /** As the service. */
  url: string
  monitors: readonly number[]
  /** As the superuser; the caller ends it. */
  connect(): Promise<pg.Client>
  stop(): Promise<void>
}

export async function openInstallation(monitorCount: number): Promise<Installation> {
  const postgres = await startMigratedPostgres({ durable: true })
  const url = postgres.databaseUrl(MIGRATED)
  const connect = async () => {
    const client = new pg.Client({ connectionString: postgres.databaseUrl(MIGRATED, 'postgres') })
    // It may be killed while it is idle.
    client.on('error', () => {})
    await client.connect()
    await client.query(`set timezone to 'UTC'`)
    return client
  }
  const monitors = await createMonitors(url, monitorCount)
  return { postgres, url, monitors, connect, stop: () => postgres.stop() }
}

async function createMonitors(url: string, howMany: number): Promise<number[]> {
  const engine = new Database({ url, role: 'upvane_engine', connections: 1 }, () => {})
  const app = new Database({ url, role: 'upvane_app', connections: 1 }, () => {})
  try {
    const secrets = new OrganizationSecrets(newMasterKeys('first'))
    const organization = await createOrganization(engine, secrets, {
      name: 'Packed',
      plan: 'UNLIMITED',
    })
    const tenants = new Tenants(app, secrets)
    const numbers: number[] = []
    for (let n = 0; n < howMany; n++) {
      const create = tenants.transaction(toUuid(organization.id), (tx) =>
        createMonitor(tx, sampleSettings()),
      )
      numbers.push((await create).no)
    }
    return numbers
  } finally {
    await Promise.all([engine.close(), app.close()])
  }
}

const FILL = `
  insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)
  select m.no, $1::timestamptz + n * interval '5 minutes' + m.no % 300 * interval '1 second', 0,
         case when n % 40 = 7 then 2 else 0 end, 20 + (m.no * n) % 700, case when n % 40 = 7 then 503 else 200 end,
         1 + n % 2, case when n % 5 = 0 then null else m.no * n end
    from monitors m, generate_series(0, 287) n`

/** 288 results of every monitor. */
export async function fillDay(client: pg.Client, daysAgo: number): Promise<void> {
  const day = midnight(daysAgo)
  await client.query('select ensure_partitions($1::date, 1)', [day.toISOString().slice(0, 10)])
  await client.query(FILL, [day])
}

// As the readers of the product find them: both sources in one statement.
const READ = `
  select coalesce(string_agg(r::text, ' ' order by r.slot, r::text), '') as text, count(*)::int as count
    from (select * from results where monitor_no = $1 and slot < $2
          union all
          select * from packed_results($1::bigint, '2000-01-01', $2::timestamptz)) r`

type History = { text: string; count: number }

/** All results of one monitor on past days. A lost or doubled one changes the text. */
export async function readHistory(client: pg.Client, monitorNo: number): Promise<History> {
  const { rows } = await client.query<History>(READ, [monitorNo, midnight(0)])
  const [row] = rows
  if (row === undefined) throw new Error('An aggregate has one row')
  return row
}

export async function readHistories(
  client: pg.Client,
  monitors: readonly number[],
): Promise<Map<number, History>> {
  const found = new Map<number, History>()
  for (const no of monitors) found.set(no, await readHistory(client, no))
  return found
}

/** Days whose results are rows, without yesterday and later. */
export async function countUnpacked(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_inherits
      where inhparent = 'results'::regclass and right(inhrelid::regclass::text, 8) < to_char($1::date, 'YYYYMMDD')`,
    [midnight(1).toISOString().slice(0, 10)],
  )
  return rows[0]?.count ?? 0
}

type Worker = { child: ChildProcess; ended: Promise<number | null> }

/** Returns when it is about to pack. */
export async function startWorker({ url }: Installation): Promise<Worker> {
  const child = spawn(process.execPath, [WORKER], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '', ...COMPILE_CACHE, DATABASE_URL: url },
  })
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  await Promise.race([once(child.stdout, 'data'), ended])
  return { child, ended }
}
