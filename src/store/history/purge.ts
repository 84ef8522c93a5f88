// Deletes the history of deleted monitors: of many in one transaction if they have little, else of one in batches.
import { avoidWholeTables } from '../core/avoid-whole-tables.ts'
import { type Database, type Statement, sql, type Tx } from '../core/db.ts'

type History = { find: Statement; deleteAll: Statement; deleteOldest: Statement }

function historyIn(table: string, time: string): History {
  const [name, at] = [{ text: table }, { text: time }]
  return {
    find: sql`
      select monitor_no as "monitorNo", count(*) as count
        from (select monitor_no from ${name} where monitor_no = any ($1::bigint[]) limit $2) found
       group by monitor_no`,
    deleteAll: sql`delete from ${name} where monitor_no = any ($1::bigint[])`,
    // Looks up the newest row of a batch first, so that the batch is one index range.
    deleteOldest: sql`
      with gone as (
        delete from ${name} where monitor_no = $1 and ${at} <= coalesce(
          (select ${at} from ${name} where monitor_no = $1 order by ${at} offset $2 - 1 limit 1), 'infinity')
        returning 1)
      select count(*) as count from gone`,
  }
}

const HISTORIES: readonly History[] = [
  historyIn('results', 'slot'),
  historyIn('result_packs', 'day'),
  historyIn('region_results', 'slot'),
  historyIn('heartbeat_calls', 'at'),
  historyIn('result_hours', 'hour'),
  historyIn('late_hours', 'hour'),
  historyIn('result_days', 'day'),
  historyIn('missed', 'from_slot'),
  historyIn('state_spans', 'started_at'),
  historyIn('maintenance_spans', 'started_at'),
]

const CLAIM = sql`
  select monitor_no as "monitorNo" from deleted_monitors
   where deleted_at < now() - make_interval(secs => $1)
   order by deleted_at limit $2 for update skip locked`
const LOCK = sql`
  select monitor_no from deleted_monitors where monitor_no = any ($1::bigint[])
   order by monitor_no for update`
const FINISH = sql`delete from deleted_monitors where monitor_no = any ($1::bigint[])`

type Bounds = { monitors: number; rows: number }
type FoundRows = { monitorNo: number; count: number }
/** `finished`: of how many monitors nothing is left, counted from the first. */
type PurgeProgress = { removed: number; finished: number }

/**
 * Deletes about as many rows as `bounds` allows. Undefined if no monitor waits for it. `graceSeconds` must outlast any
 * statement that saw a monitor before its deletion, as that may still add a row.
 */
export function purgeDeleted(
  database: Database,
  bounds: Bounds,
  graceSeconds: number,
): Promise<PurgeProgress | undefined> {
  return database.transaction(undefined, async (tx) => {
    const claimed = await tx.query<{ monitorNo: number }>(CLAIM, [graceSeconds, bounds.monitors])
    if (claimed.length === 0) return undefined
    return purge(
      tx,
      claimed.map(({ monitorNo }) => monitorNo),
      bounds.rows,
    )
  })
}

/** Does the same for given monitors, right away. The caller ensures that nothing adds rows to them any more. */
export function purgeMonitors(
  database: Database,
  monitorNos: readonly number[],
  maxRows: number,
): Promise<PurgeProgress> {
  return database.transaction(undefined, async (tx) => {
    await tx.query(LOCK, [monitorNos])
    return purge(tx, monitorNos, maxRows)
  })
}

/** If the monitors have more than `maxRows` rows together, only the first of them are purged. */
async function purge(
  tx: Tx,
  monitorNos: readonly number[],
  maxRows: number,
): Promise<PurgeProgress> {
  await avoidWholeTables(tx)
  for (let most = monitorNos.length; most > 1; most = Math.ceil(most / 4)) {
    const some = monitorNos.slice(0, most)
    const removed = await purgeAll(tx, some, maxRows)
    if (removed !== undefined) return { removed, finished: most }
  }
  return purgeOldest(tx, monitorNos[0], maxRows)
}

/** Undefined, and deletes nothing, if there are more than `maxRows` rows. */
async function purgeAll(
  tx: Tx,
  monitorNos: readonly number[],
  maxRows: number,
): Promise<number | undefined> {
  let total = 0
  const deletes: { statement: Statement; monitorNos: number[] }[] = []
  for (const { find, deleteAll } of HISTORIES) {
    const found = await tx.query<FoundRows>(find, [monitorNos, maxRows - total + 1])
    total += found.reduce((sum, { count }) => sum + count, 0)
    if (total > maxRows) return undefined
    if (found.length > 0)
      deletes.push({ statement: deleteAll, monitorNos: found.map(({ monitorNo }) => monitorNo) })
  }
  for (const { statement, monitorNos: some } of deletes) await tx.query(statement, [some])
  await tx.query(FINISH, [monitorNos])
  return total
}

async function purgeOldest(
  tx: Tx,
  monitorNo: number | undefined,
  maxRows: number,
): Promise<PurgeProgress> {
  let removed = 0
  for (const { deleteOldest } of HISTORIES) {
    const [row] = await tx.query<{ count: number }>(deleteOldest, [monitorNo, maxRows - removed])
    removed += row?.count ?? 0
    if (removed >= maxRows) return { removed, finished: 0 }
  }
  await tx.query(FINISH, [[monitorNo]])
  return { removed, finished: 1 }
}
