// Assigns shards to schedulers. Each scheduler holds a lease with a fencing token, and every write checks that lease in
// the same transaction. A scheduler that was suspended too long can no longer write.
import { type Db, sql } from './db.ts'

export type Lease = { schedulerId: string; token: number }
export class LeaseLost extends Error {}

const REGISTER = sql`
  insert into schedulers (id, name, region, expires_at)
  values ($1, $2, $3, now() + make_interval(secs => $4))
  returning token`
const RENEW = sql`
  update schedulers set expires_at = now() + make_interval(secs => $3)
   where id = $1 and token = $2 and expires_at > now()
  returning (extract(epoch from clock_timestamp()) * 1000)::double precision as "nowMs"`
const DROP_EXPIRED = sql`delete from schedulers where expires_at <= now() and id <> $1`
const DROP = sql`delete from schedulers where id = $1`
const CHECK = sql`
  select 1 as one from schedulers
   where id = $1 and token = $2 and expires_at > clock_timestamp() for share`
const COUNT = sql`select count(*) as schedulers from schedulers where expires_at > now()`
const OWNED = sql`select no from shards where scheduler_id = $1 order by no`
const CLAIM = sql`
  update shards set scheduler_id = $1
   where no in (select no from shards where scheduler_id is null order by no limit $2 for update skip locked)
  returning no`
const RELEASE = sql`
  update shards set scheduler_id = null where scheduler_id = $1 and no = any ($2::smallint[])`

export async function registerScheduler(
  db: Db,
  scheduler: { id: string; name: string; region: string; leaseSeconds: number },
): Promise<Lease> {
  const { id, name, region, leaseSeconds } = scheduler
  const [row] = await db.query<{ token: number }>(REGISTER, [id, name, region, leaseSeconds])
  if (row === undefined) throw new Error('The scheduler was not registered')
  return { schedulerId: id, token: row.token }
}

/** Returns the database's time in milliseconds, or undefined if the lease is lost. */
export async function renewLease(
  db: Db,
  { schedulerId, token }: Lease,
  leaseSeconds: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ nowMs: number }>(RENEW, [schedulerId, token, leaseSeconds])
  return row?.nowMs
}

/** The lock lasts until the transaction ends, so no other scheduler can take over the shards before it commits. */
export async function assertLease(tx: Db, { schedulerId, token }: Lease): Promise<void> {
  const rows = await tx.query(CHECK, [schedulerId, token])
  if (rows.length === 0) throw new LeaseLost(`Lease ${token} is no longer held`)
}

/** Frees the shards of schedulers whose lease expired. The delete waits for their open commits. */
export async function dropExpired(db: Db, ownId: string): Promise<void> {
  await db.query(DROP_EXPIRED, [ownId])
}

export async function dropScheduler(db: Db, id: string): Promise<void> {
  await db.query(DROP, [id])
}

export async function countSchedulers(db: Db): Promise<number> {
  const [row] = await db.query<{ schedulers: number }>(COUNT)
  return row?.schedulers ?? 0
}

export async function ownedShards(db: Db, schedulerId: string): Promise<number[]> {
  return (await db.query<{ no: number }>(OWNED, [schedulerId])).map(({ no }) => no)
}

export async function claimShards(db: Db, schedulerId: string, most: number): Promise<number[]> {
  return (await db.query<{ no: number }>(CLAIM, [schedulerId, most])).map(({ no }) => no)
}

export async function releaseShards(
  db: Db,
  schedulerId: string,
  shards: readonly number[],
): Promise<void> {
  await db.query(RELEASE, [schedulerId, shards])
}
