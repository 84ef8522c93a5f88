import { type Db, sql } from './db.ts'
import { newUuid } from './new-uuid.ts'

const CLOCK = sql`select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros`

/**
 * As many ids, in their order. They contain the clock of this moment, not the start of the transaction: called after
 * locking, they sort after everything that was committed to the locked rows.
 */
export async function newUuidsByClock(db: Db, count: number): Promise<string[]> {
  const [clock] = await db.query<{ micros: number }>(CLOCK)
  const unixMicros = BigInt(clock?.micros ?? 0)
  return Array.from({ length: count }, (_, sequence) => newUuid(unixMicros, sequence))
}
