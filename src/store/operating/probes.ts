// Probes, the tokens they join with, and the keys that sign their credentials.
import { rowsOf } from '../core/columns.ts'
import { type Db, sql } from '../core/db.ts'

const FIND_AUTHORITY = sql`select sealed from bus_authority`
const INSERT_AUTHORITY = sql`insert into bus_authority (sealed) values ($1) on conflict do nothing`

export async function findSealedAuthority(db: Db): Promise<Buffer | undefined> {
  const [row] = await db.query<{ sealed: Buffer }>(FIND_AUTHORITY)
  return row?.sealed
}

/** Keeps the first one if two commands run at once. */
export async function insertSealedAuthority(db: Db, sealed: Buffer): Promise<void> {
  await db.query(INSERT_AUTHORITY, [sealed])
}

const INSERT_TOKEN = sql`
  insert into probe_tokens (region, probe_name, hash, public_key, expires_at)
  values ($1, $2, $3, $4, $5) returning id`
const DELETE_OLD_TOKENS = sql`delete from probe_tokens where expires_at < now() - interval '30 days'`

type NewToken = {
  region: string
  name: string | null
  hash: Buffer
  publicKey: string
  expiresAt: Date
}

export async function insertToken(db: Db, token: NewToken): Promise<string> {
  await db.query(DELETE_OLD_TOKENS)
  const { region, name, hash, publicKey, expiresAt } = token
  const values = [region, name, hash, publicKey, expiresAt]
  const [row] = await db.query<{ id: string }>(INSERT_TOKEN, values)
  if (row === undefined) throw new Error('A token was not stored')
  return row.id
}

const IS_USABLE = sql`
  id::text = $1 and hash = $2 and expires_at > now() and revoked_at is null and (used_by is null or used_by = $3)`
const FIND_USABLE = sql`select from probe_tokens where ${IS_USABLE}`
// The first of two concurrent requests locks the row; the second finds it used.
const USE_TOKEN = sql`
  update probe_tokens set used_at = coalesce(used_at, now()), used_by = $3
   where ${IS_USABLE} returning region, probe_name as name`

type PresentedToken = { id: string; hash: Buffer; publicKey: string }

/** For a refusal that costs one statement. */
export async function isUsableToken(db: Db, token: PresentedToken): Promise<boolean> {
  return (await db.query(FIND_USABLE, [token.id, token.hash, token.publicKey])).length > 0
}

/** Undefined if the token does not exist, has expired, was revoked, or was used by another probe. */
export async function useToken(
  db: Db,
  token: PresentedToken,
): Promise<{ region: string; name: string | null } | undefined> {
  const values = [token.id, token.hash, token.publicKey]
  const [row] = await db.query<{ region: string; name: string | null }>(USE_TOKEN, values)
  return row
}

const REVOKE_TOKEN = sql`
  update probe_tokens set revoked_at = now()
   where id::text = $1 and public_key is not null and revoked_at is null returning region`

/** Undefined if the token does not exist or is revoked, or NATS does not know it by a key. */
export async function revokeToken(db: Db, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ region: string }>(REVOKE_TOKEN, [id])
  return row?.region
}

const FIND_BY_KEY = sql`select region, name, revoked_at is not null as "isRevoked" from probes where public_key = $1`
const NEXT_NAME = sql`
  select $1 || '-' || n as name from generate_series(1, 10000) n
   where not exists (select from probes where name = $1 || '-' || n) order by n limit 1`
const INSERT_PROBE = sql`
  insert into probes (region, name, public_key, joined_at) values ($1, $2, $3, now())
  on conflict (region, name) do update set public_key = excluded.public_key, joined_at = now()
    where probes.public_key is null
  returning name`

export async function findProbeByKey(db: Db, publicKey: string) {
  type Row = { region: string; name: string; isRevoked: boolean }
  const [row] = await db.query<Row>(FIND_BY_KEY, [publicKey])
  return row
}

/** `eu-west-1`, or the next free number. */
export async function nextProbeName(db: Db, region: string): Promise<string> {
  const [row] = await db.query<{ name: string }>(NEXT_NAME, [region])
  return row?.name ?? `${region}-0`
}

/** False if the name belongs to another probe. */
export async function insertJoinedProbe(
  db: Db,
  probe: { region: string; name: string; publicKey: string },
): Promise<boolean> {
  const rows = await db.query(INSERT_PROBE, [probe.region, probe.name, probe.publicKey])
  return rows.length > 0
}

const REVOKE = sql`
  update probes set revoked_at = coalesce(revoked_at, now())
   where name = $1 and public_key is not null returning region`
// Used and revoked tokens as well, until they expire: NATS would let their holders in, and knows nothing of their use.
// Those that an older version created have no key here. The response to a use is on its way for a moment.
const LIST_REVOKED = sql`
  (select public_key as key, revoked_at as at from probes
    where revoked_at is not null and public_key is not null order by revoked_at desc limit 5000)
  union all
  (select public_key, greatest(used_at, revoked_at, created_at) from probe_tokens
    where public_key is not null and expires_at > now()
      and (revoked_at is not null or used_at < now() - interval '1 second')
    order by greatest(used_at, revoked_at) desc limit 5000)`

/** Undefined if no probe of this name joined with a token. */
export async function revokeProbe(db: Db, name: string): Promise<string | undefined> {
  const [row] = await db.query<{ region: string }>(REVOKE, [name])
  return row?.region
}

export async function listRevokedKeys(db: Db): Promise<Map<string, Date>> {
  const rows = await db.query<{ key: string; at: Date }>(LIST_REVOKED)
  return new Map(rows.map(({ key, at }) => [key, at]))
}

const REGION_STATUS = sql`
  select exists (select from organizations where deleted_at is null and home_region = $1) as "isHome",
         exists (select from probes where region = $1 and revoked_at is null
                    and last_seen_at > now() - interval '15 seconds') as "isLive",
         exists (select from probes where region = $1 and revoked_at is null) as "hasProbes"`
const FORGET_PROBES = sql`delete from probes where region = $1 and public_key is null`
// Their keys stay known, so that NATS keeps refusing them.
const REVOKE_REGION = sql`
  update probes set revoked_at = now()
   where region = $1 and public_key is not null and revoked_at is null returning name`

type RegionStatus = { isHome: boolean; isLive: boolean; hasProbes: boolean }

export async function findRegionStatus(db: Db, region: string): Promise<RegionStatus | undefined> {
  const [row] = await db.query<RegionStatus>(REGION_STATUS, [region])
  return row
}

/** Nobody expects a probe of this region anymore. Returns the names of those that had joined by token. */
export async function removeProbes(db: Db, region: string): Promise<string[]> {
  await db.query(FORGET_PROBES, [region])
  const rows = await db.query<{ name: string }>(REVOKE_REGION, [region])
  return rows.map(({ name }) => name)
}

const MAX_LISTED = 1000
// Organizations can read only these columns.
const LIST = sql`
  select region, name, version, late_ms as "lateMs", last_seen_at as "lastSeenAt", revoked_at as "revokedAt",
         coalesce(revoked_at is null and last_seen_at > now() - interval '15 seconds', false) as "isLive",
         proves_name as "provesName"
    from probes order by region, name limit $1`

export type ListedProbe = {
  region: string
  name: string
  version: string | null
  lateMs: number | null
  lastSeenAt: Date | null
  revokedAt: Date | null
  isLive: boolean
  /** Null if no scheduler of this version has heard it. */
  provesName: boolean | null
}

export function listProbes(db: Db): Promise<ListedProbe[]> {
  return db.query<ListedProbe>(LIST, [MAX_LISTED])
}

const LAST_SEEN = sql`
  select region, max(last_seen_at) as at from probes where last_seen_at is not null group by region limit 1000`

export async function findLastSeen(db: Db): Promise<Map<string, Date>> {
  const rows = await db.query<{ region: string; at: Date }>(LAST_SEEN)
  return new Map(rows.map(({ region, at }) => [region, at]))
}

type ObservedProbe = {
  region: string
  probe: string
  version?: string | null
  lateMs?: number | null
  answerKey?: string
}

const given = rowsOf<ObservedProbe>({
  region: ['text', ({ region }) => region],
  name: ['text', ({ probe }) => probe],
  version: ['text', ({ version = null }) => version],
  late_ms: ['integer', ({ lateMs = null }) => lateMs],
  proves_name: ['boolean', ({ answerKey }) => answerKey !== undefined],
})

// Several schedulers hear the same probe: one writes, the others find a recent row.
const RECORD = sql`
  insert into probes as p (region, name, version, late_ms, proves_name, last_seen_at)
  select u.*, now()
    from ${given}
  on conflict (region, name) do update
     set version = excluded.version, late_ms = excluded.late_ms, proves_name = excluded.proves_name,
         last_seen_at = excluded.last_seen_at
   where p.last_seen_at is null or p.last_seen_at < now() - interval '4 seconds'`
// Probes without a configured name get a new one on every start.
const DELETE_OLD = sql`
  delete from probes where public_key is null and last_seen_at < now() - interval '1 day'`

const MAX_RECORDED = 500

/** Keeps the last report of each probe, so that it can be read after the probe goes silent. */
export async function recordProbes(db: Db, live: readonly ObservedProbe[]): Promise<void> {
  const observed = live.slice(0, MAX_RECORDED)
  if (observed.length === 0) return
  await db.query(RECORD, given.values(observed))
  await db.query(DELETE_OLD)
}
