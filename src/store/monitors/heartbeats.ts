import { hash } from 'node:crypto'
import type { PingSignal } from '../../domain/monitors/heartbeat.ts'
import { isAliasName } from '../../domain/monitors/ping-alias.ts'
import { eventUsageColumns } from '../core/day-usage.ts'
import { type Db, sql } from '../core/db.ts'
import { bigints, byteas, instants, texts } from '../wire/batch-values.ts'
import { findAliased, type PingedMonitor, type PingedRow, toPinged } from './ping-aliases.ts'
import { stateColumns, stateTables } from './states.ts'

const FIND = sql`
  select t.n, ${stateColumns}, o.moved_at is not null as "isMoving", ${eventUsageColumns}
    from unnest($1::bytea[]) with ordinality as t (hash, n), ${stateTables}
   where m.heartbeat_hash = t.hash and m.type = 'CRON'`

/**
 * The monitors behind heartbeat URLs, without their incidents and windows. Leaves out unknown tokens and monitors that
 * are no longer CRON. A token may be the name of an alias.
 */
export async function findHeartbeats(
  db: Db,
  tokens: readonly string[],
): Promise<Map<string, PingedMonitor>> {
  const own = tokens.filter((token) => !isAliasName(token))
  const hashes = own.map((token) => hash('sha256', token, 'buffer'))
  const rows = await db.query<PingedRow>(FIND, [byteas(hashes)])
  const found = new Map(rows.map((row) => [own[row.n - 1] ?? '', toPinged(row)]))
  for (const [name, monitor] of await findAliased(db, tokens.filter(isAliasName)))
    found.set(name, monitor)
  return found
}

export type PingRow = {
  monitorNo: number
  at: Date
  signal: PingSignal
  rid: string | null
  body: string | null
}

const INSERT = sql`
  insert into heartbeat_calls (monitor_no, at, signal, rid, body)
  select * from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::text[])`

export async function insertPings(tx: Db, rows: readonly PingRow[]): Promise<void> {
  await tx.query(INSERT, [
    bigints(rows.map((row) => row.monitorNo)),
    instants(rows.map((row) => row.at)),
    texts(rows.map((row) => row.signal)),
    texts(rows.map((row) => row.rid)),
    texts(rows.map((row) => row.body)),
  ])
}
