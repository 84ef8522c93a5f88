// Locks a migration's tables without making requests fail. It never queues behind a long transaction, because every
// request would then queue behind it. It rarely waits for one lock while holding another.
import pg from 'pg'
import type { TableLock } from './migration-plan.ts'

const FIRST_LOCK_TIMEOUT_MS = 2000
// Shorter than PostgreSQL's deadlock timeout (1 s), after which it cancels one of the two transactions.
const NEXT_LOCK_TIMEOUT_MS = 50
const STATEMENT_LOCK_TIMEOUT_MS = 2000
const POLL_MS = 250
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

export type Blocker = { pid: number; transaction: string; application: string; table: string }

/** Call it inside the migration's transaction. Fails with 55P03 if a lock is not available soon. */
export async function takeLocks(client: pg.Client, locks: readonly TableLock[]): Promise<void> {
  const [first] = locks
  if (first !== undefined) {
    await setLockTimeout(client, FIRST_LOCK_TIMEOUT_MS)
    await client.query(`lock table only ${quoted(first)} in ${first.mode} mode`)
    await setLockTimeout(client, NEXT_LOCK_TIMEOUT_MS)
    for (const lock of locks) await client.query(`lock table ${quoted(lock)} in ${lock.mode} mode`)
  }
  await setLockTimeout(client, STATEMENT_LOCK_TIMEOUT_MS)
}

/** Transactions that hold a conflicting lock for at least 250 ms. Requests are shorter than that. */
export async function findLongBlockers(
  client: pg.Client,
  locks: readonly TableLock[],
): Promise<Blocker[]> {
  const earlier = await findBlockers(client, locks)
  if (earlier.length === 0) return []
  await pause(POLL_MS)
  const seen = new Set(earlier.map(({ transaction }) => transaction))
  const still = (await findBlockers(client, locks)).filter(({ transaction }) =>
    seen.has(transaction),
  )
  return [...new Map(still.map((blocker) => [blocker.transaction, blocker])).values()]
}

export function isLockConflict(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK)
  )
}

// Leaves out vacuum: PostgreSQL cancels it when another session waits more than a second.
async function findBlockers(client: pg.Client, locks: readonly TableLock[]): Promise<Blocker[]> {
  const named = (exclusive: boolean) =>
    locks
      .filter(({ mode }) => (mode === 'ACCESS EXCLUSIVE') === exclusive)
      .map(({ table }) => table)
  const { rows } = await client.query<Blocker>(
    `select l.pid, l.virtualtransaction as transaction, t.name as table,
            coalesce(a.application_name, '') as application
       from pg_locks l
       join (select to_regclass('public.' || name)::oid as root, name, true as exclusive
               from unnest($1::text[]) name
             union all
             select to_regclass('public.' || name)::oid, name, false from unnest($2::text[]) name) t
         on t.root = coalesce(pg_partition_root(l.relation), l.relation)
       left join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'relation' and l.granted and l.pid <> pg_backend_pid()
        and l.database = (select oid from pg_database where datname = current_database())
        and l.mode <> 'ShareUpdateExclusiveLock'
        and (t.exclusive or l.mode not in ('AccessShareLock', 'RowShareLock'))`,
    [named(true), named(false)],
  )
  return rows
}

async function setLockTimeout(client: pg.Client, milliseconds: number): Promise<void> {
  await client.query(`set local lock_timeout = ${milliseconds}`)
}

function quoted({ table }: TableLock): string {
  return `public.${pg.escapeIdentifier(table)}`
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
