// What the operator's page shows of the installation. Everything is bounded, and nothing of an organization is read but
// counts and times.
import { sendModeOf, starvedMsOf } from '../../../domain/events/delivery-share.ts'
import { SHARD_COUNT } from '../../../domain/monitors/shards.ts'
import type { BackupStatus } from '../../../domain/operating/backups.ts'
import { type DailySize, GROWTH_DAYS } from '../../../domain/operating/database-growth.ts'
import { shardsOfRound } from '../../../domain/operating/self-watch.ts'
import { type Database, type Db, sql, type Tx } from '../../core/db.ts'
import { countDue, findHorizon, readByIndex } from '../../deliveries/queue.ts'
import { FIRST_ENDPOINT, findQueues } from '../../deliveries/receiver-queues.ts'
import { readBackupStatus } from '../backup-status.ts'
import { findProcesses, type ProcessRow } from '../processes.ts'
import { readSystemOverview } from '../self-watch.ts'
import { listDatabaseSizes } from './database-sizes.ts'

const MOST_SHOWN = 200
/** More due deliveries are not counted. */
const MOST_DUE = 10_000
const MAX_RECEIVERS = 500
/** A check with its confirmations may take this long. */
const OVERDUE_SECONDS = 60

// A process that was stopped has deleted its row; one that died leaves it for an hour.
const PROCESSES = sql`
  select name, roles, version, region, started_at as "startedAt", seen_at as "seenAt",
         expires_at > now() as "isLive", count(*) over ()::integer as total
    from processes order by expires_at > now() desc, name, id limit $1`
const PROBES = sql`
  select region, name, version, late_ms as "lateMs", last_seen_at as "lastSeenAt",
         coalesce(last_seen_at > now() - interval '15 seconds', false) as "isLive",
         count(*) over ()::integer as total
    from probes where revoked_at is null order by region, name limit $1`
const SIZE = sql`select pg_database_size(current_database())::float8 as bytes`
const OVERDUE = sql`
  select count(*)::integer as overdue,
         coalesce(extract(epoch from now() - min(next_due_at)), 0)::float8 as "lateSeconds"
    from monitor_states
   where shard = any ($1::smallint[]) and next_due_at < now() - make_interval(secs => $2)`

type ShownProcess = {
  name: string
  roles: readonly string[]
  version: string
  region: string
  startedAt: Date
  seenAt: Date | null
  isLive: boolean
}
type ShownProbe = {
  region: string
  name: string
  version: string | null
  lateMs: number | null
  lastSeenAt: Date | null
  isLive: boolean
}
type Listed<Row> = { total: number; data: Row[] }

export type InstallationState = {
  readAt: Date
  processes: Listed<ShownProcess>
  /** Those that run, with the conditions that they report. */
  reports: readonly ProcessRow[]
  probes: Listed<ShownProbe>
  backup: BackupStatus
  database: { bytes: number; sizes: readonly DailySize[] }
  deliveries: { due: number; isMore: boolean; lateSeconds: number }
  alerts: { lateSeconds: number }
  checks: { overdue: number; lateSeconds: number; isEstimate: boolean }
}

/** Uses the upvane_engine role, and one of its connections. `round`: which shards are counted in a large installation. */
export async function readInstallation(
  engine: Database,
  round: number,
): Promise<InstallationState> {
  const state = await engine.transaction(undefined, (tx) => readState(tx, round))
  const deliveries = await engine.transaction(undefined, readDeliveries)
  return { ...state, deliveries }
}

async function readState(tx: Tx, round: number): Promise<Omit<InstallationState, 'deliveries'>> {
  const { monitors, alertLateSeconds } = await readSystemOverview(tx)
  return {
    readAt: tx.now,
    processes: listed(await tx.query<ShownProcess & { total: number }>(PROCESSES, [MOST_SHOWN])),
    reports: await findProcesses(tx),
    probes: listed(await tx.query<ShownProbe & { total: number }>(PROBES, [MOST_SHOWN])),
    backup: await readBackupStatus(tx),
    database: { bytes: await readSize(tx), sizes: await listDatabaseSizes(tx, GROWTH_DAYS) },
    alerts: { lateSeconds: Math.max(0, alertLateSeconds) },
    checks: await countOverdue(tx, shardsOfRound(monitors, round)),
  }
}

function listed<Row>(rows: (Row & { total: number })[]): Listed<Row> {
  const data = rows.map(({ total: _total, ...row }) => row as unknown as Row)
  return { total: rows[0]?.total ?? 0, data }
}

async function readSize(db: Db): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(SIZE)
  return row?.bytes ?? 0
}

/** Monitors are spread evenly over the shards: a part of them stands for all. */
async function countOverdue(
  db: Db,
  shards: readonly number[],
): Promise<InstallationState['checks']> {
  type Row = { overdue: number; lateSeconds: number }
  const [row = { overdue: 0, lateSeconds: 0 }] = await db.query<Row>(OVERDUE, [
    shards,
    OVERDUE_SECONDS,
  ])
  const share = shards.length / SHARD_COUNT
  return { ...row, overdue: Math.round(row.overdue / share), isEstimate: share < 1 }
}

/** Late are those that could be sent now, as for DELIVERIES_LATE: not those that wait for a receiver that fails. */
async function readDeliveries(tx: Tx): Promise<InstallationState['deliveries']> {
  await readByIndex(tx)
  const horizon = await findHorizon(tx)
  const due = await countDue(tx, horizon, MOST_DUE)
  const { queues } = await findQueues(tx, horizon, FIRST_ENDPOINT, MAX_RECEIVERS)
  const sendable = queues.filter((queue) => sendModeOf(queue, tx.now) === 'ALL')
  return {
    due,
    isMore: due === MOST_DUE,
    lateSeconds: starvedMsOf(sendable, [], tx.now) / 1000,
  }
}
