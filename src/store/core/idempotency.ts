// Stored responses for replays. An advisory lock, which a crash releases, lets one request per key run at a time. The
// response commits together with the request's changes.
import { lockNumber, REPLAY_HOURS } from '../../domain/values/idempotency.ts'
import type { Plan } from '../../domain/values/plan.ts'
import { type StorageLimits, storageLimits } from '../../domain/values/storage-limits.ts'
import { sql } from './db.ts'
import type { TenantTx } from './tenants.ts'

type StoredResponse = { status: number; body: string; location: string | null }

const LOCK = sql`select pg_try_advisory_xact_lock($1) as taken`
// With what the quota is judged by, so that a request with a key costs no query more.
const FIND = sql`
  select r.fingerprint, r.status, r.body, r.location, o.plan, o.limit_overrides as overrides,
         coalesce(u.bytes, 0) as "usedBytes"
    from organizations o
    left join stored_response_usage u on u.org_id = o.id
    left join idempotency_records r on r.org_id = o.id and r.key = $2 and r.expires_at > now()
   where o.id = $1`
const SAVE = sql`
  insert into idempotency_records (org_id, key, fingerprint, status, body, location, expires_at)
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(hours => $7))
  on conflict (org_id, key) do update
    set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        location = excluded.location, token = null, expires_at = excluded.expires_at`

/** False while another request with this key is still running. */
export async function lockIdempotencyKey(tx: TenantTx, key: string): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(LOCK, [lockNumber(tx.orgId, key)])
  return row?.taken === true
}

type Found = StoredResponse & { fingerprint: Buffer }
/** `usedBytes`: of all responses that the organization has stored, of a quota of `quotaBytes`. */
export type StoredResponses = {
  /** 'RESERVED': a request that waits on the network holds the key without holding a transaction. */
  found: Found | 'RESERVED' | undefined
  usedBytes: number
  quotaBytes: number
}

export async function findStoredResponse(tx: TenantTx, key: string): Promise<StoredResponses> {
  type Row = {
    fingerprint: Buffer | null
    status: number | null
    body: Buffer | null
    location: string | null
    plan: Plan
    overrides: Partial<StorageLimits>
    usedBytes: number
  }
  const [row] = await tx.query<Row>(FIND, [tx.orgId, key])
  if (row === undefined) throw new Error(`Organization ${tx.orgId} is not there`)
  const { fingerprint, status, body, location, plan, overrides, usedBytes } = row
  const quotaBytes = storageLimits(plan, overrides).storedResponseBytes
  const usage = { usedBytes, quotaBytes }
  if (fingerprint === null) return { found: undefined, ...usage }
  if (status === null || body === null) return { found: 'RESERVED', ...usage }
  const cipher = await tx.cipher()
  const opened = cipher.unseal(secretLocation(key), body)
  return { found: { fingerprint, status, body: opened, location }, ...usage }
}

const USED = sql`select bytes from stored_response_usage where org_id = $1`

/** Exact within a transaction that has stored or deleted one: it holds the counter's lock. */
export async function countStoredBytes(tx: TenantTx): Promise<number> {
  const [row] = await tx.query<{ bytes: number }>(USED, [tx.orgId])
  return row?.bytes ?? 0
}

// Few rows: an organization is refused as soon as its quota is used up, so not much must go.
const WHEN_FREED = sql`
  with oldest as (
    select key, expires_at, stored_response_bytes(key, body, location) as bytes
      from idempotency_records where org_id = $1 order by expires_at limit 1000
  ), walked as (
    select expires_at, sum(bytes) over (order by expires_at, key) as freed from oldest
  )
  select extract(epoch from coalesce(min(expires_at) filter (where freed >= $2), max(expires_at)) - now())::float8
           as seconds
    from walked`

/** How long until so many bytes have expired, at most 24 hours; not above 0 if they already have. */
export async function findSecondsUntilFreed(tx: TenantTx, bytes: number): Promise<number> {
  const [row] = await tx.query<{ seconds: number | null }>(WHEN_FREED, [tx.orgId, bytes])
  return row?.seconds ?? REPLAY_HOURS * 3600
}

const RESERVE = sql`
  insert into idempotency_records (org_id, key, fingerprint, token, expires_at)
  values ($1, $2, $3, $4, now() + make_interval(secs => $5))
  on conflict (org_id, key) do update
    set fingerprint = excluded.fingerprint, token = excluded.token, expires_at = excluded.expires_at,
        status = null, body = null, location = null`
const RELEASE = sql`
  delete from idempotency_records where org_id = $1 and key = $2 and token = $3`

export type Reservation = { key: string; fingerprint: Buffer; token: string }

/** Holds a key for a limited time; after that, another request may take it over. Call it under the key's lock. */
export async function reserveKey(
  tx: TenantTx,
  { key, fingerprint, token }: Reservation,
  seconds: number,
): Promise<void> {
  await tx.query(RESERVE, [tx.orgId, key, fingerprint, token, seconds])
}

/** Frees a key, unless another request has taken it over in the meantime. */
export async function releaseKey(tx: TenantTx, { key, token }: Reservation): Promise<void> {
  await tx.query(RELEASE, [tx.orgId, key, token])
}

export async function saveResponse(
  tx: TenantTx,
  key: string,
  fingerprint: Buffer,
  response: StoredResponse,
): Promise<void> {
  const cipher = await tx.cipher()
  const body = cipher.seal(secretLocation(key), response.body)
  await tx.query(SAVE, [
    tx.orgId,
    key,
    fingerprint,
    response.status,
    body,
    response.location,
    REPLAY_HOURS,
  ])
}

// Sealed, because the response may contain a secret that is shown only once.
const secretLocation = (key: string) => ({ table: 'idempotency_records', row: key, column: 'body' })
