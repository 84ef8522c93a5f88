// Stored responses for replays. An advisory lock, which a crash releases, lets one request per key run at a time. The
// response commits together with the request's changes.
import { lockNumber, REPLAY_HOURS } from '../../domain/values/idempotency.ts'
import { sql } from './db.ts'
import type { TenantTx } from './tenants.ts'

type StoredResponse = { status: number; body: string; location: string | null }

const LOCK = sql`select pg_try_advisory_xact_lock($1) as taken`
const FIND = sql`
  select fingerprint, status, body, location from idempotency_records
   where org_id = $1 and key = $2 and expires_at > now()`
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

/** 'RESERVED': a request that waits on the network holds the key without holding a transaction. */
export async function findStoredResponse(
  tx: TenantTx,
  key: string,
): Promise<(StoredResponse & { fingerprint: Buffer }) | 'RESERVED' | undefined> {
  type Row = {
    fingerprint: Buffer
    status: number | null
    body: Buffer | null
    location: string | null
  }
  const [row] = await tx.query<Row>(FIND, [tx.orgId, key])
  if (row === undefined) return undefined
  const { fingerprint, status, body, location } = row
  if (status === null || body === null) return 'RESERVED'
  const cipher = await tx.cipher()
  return { fingerprint, status, body: cipher.unseal(secretLocation(key), body), location }
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
