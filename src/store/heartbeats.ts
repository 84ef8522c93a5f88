import type { Signal } from '../domain/heartbeat.ts'
import { type Db, sql } from './db.ts'
import { hashToken } from './monitor-row.ts'

const FIND = sql`
  select no, heartbeat_hash as hash from monitors
   where heartbeat_hash = any ($1::bytea[]) and type = 'CRON'`

/** The monitors behind heartbeat addresses; a token of none, or of one that is not CRON now, is missing. */
export async function findHeartbeats(
  db: Db,
  tokens: readonly string[],
): Promise<Map<string, number>> {
  const hashes = tokens.map(hashToken)
  const rows = await db.query<{ no: number; hash: Buffer }>(FIND, [hashes])
  const byHash = new Map(rows.map(({ no, hash }) => [hash.toString('base64'), no]))
  return new Map(
    tokens.flatMap((token, index) => {
      const no = byHash.get(hashes[index]?.toString('base64') ?? '')
      return no === undefined ? [] : [[token, no] as const]
    }),
  )
}

export type CallRow = {
  monitorNo: number
  at: Date
  signal: Signal
  rid: string | null
  body: string | null
}

const INSERT = sql`
  insert into heartbeat_calls (monitor_no, at, signal, rid, body)
  select * from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::text[])`

export async function insertCalls(tx: Db, rows: readonly CallRow[]): Promise<void> {
  await tx.query(INSERT, [
    rows.map((row) => row.monitorNo),
    rows.map((row) => row.at),
    rows.map((row) => row.signal),
    rows.map((row) => row.rid),
    rows.map((row) => row.body),
  ])
}
