import type { KeyAccess } from '../../domain/people/api-key.ts'
import { type Db, sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

/** The owner of a key, and this request's position in the key's rate limit window. */
export type KeyHolder = {
  keyId: string
  keyName: string
  orgId: string
  access: KeyAccess
  subscriptionActive: boolean
  used: number
  resetSeconds: number
}

export type NewApiKey = {
  id: string
  orgId: string
  name: string
  access: KeyAccess
  hash: Buffer
  last4: string
  expiresAt: Date | null
  /** Whether an assistant that connects over HTTP may write with it. */
  mcpWrites: boolean
}

const INSERT = sql`
  insert into api_keys (id, org_id, name, access, hash, last4, expires_at, mcp_writes)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`

export async function insertApiKey(db: Db, key: NewApiKey): Promise<void> {
  const { id, orgId, name, access, hash, last4, expiresAt, mcpWrites } = key
  await db.query(INSERT, [id, orgId, name, access, hash, last4, expiresAt, mcpWrites])
}

const DISABLE = sql`
  update api_keys set disabled_at = coalesce(disabled_at, now()) where id = $1 returning org_id as "orgId"`
const REVOKE = sql`
  update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning org_id as "orgId"`

/** Returns the key's organization, or undefined if the key does not exist. Takes effect with the next request. */
export async function stopApiKey(
  db: Db,
  id: string,
  how: 'disable' | 'revoke',
): Promise<string | undefined> {
  const [row] = await db.query<{ orgId: string }>(how === 'disable' ? DISABLE : REVOKE, [id])
  return row?.orgId
}

const LIST = sql`
  select id, org_id as "orgId", name, access, last4, expires_at as "expiresAt",
         disabled_at as "disabledAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt",
         created_at as "createdAt", mcp_writes as "mcpWrites"
    from api_keys where org_id = $1 order by created_at desc, id desc limit $2`

export type ApiKeySummary = Omit<NewApiKey, 'hash'> & {
  disabledAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  createdAt: Date
}

export async function listApiKeys(db: Db, orgId: string, limit: number): Promise<ApiKeySummary[]> {
  return db.query<ApiKeySummary>(LIST, [orgId, limit])
}

const LOCK_USAGE = sql`select from organization_usage where org_id = $1 for update`
const COUNT_LIVE = sql`
  select count(*)::integer as count from api_keys
   where org_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`

/**
 * Counts keys that are neither revoked nor expired, under a lock, so that parallel requests cannot exceed a limit
 * together.
 */
export async function countLiveKeys(tx: Db, orgId: string): Promise<number> {
  await tx.query(LOCK_USAGE, [orgId])
  const [row] = await tx.query<{ count: number }>(COUNT_LIVE, [orgId])
  return row?.count ?? 0
}

const FORGET_ENDED = sql`
  delete from api_keys where org_id = $1 and id in (
    select id from api_keys
     where org_id = $1 and (revoked_at is not null or expires_at <= now())
     order by coalesce(revoked_at, expires_at) desc, id desc offset $2)`

/** Keys that were revoked or have expired, except the last `kept`. */
export async function forgetEndedKeys(tx: TenantTx, kept: number): Promise<void> {
  await tx.query(FORGET_ENDED, [tx.orgId, kept])
}

const INSERT_OWN = sql`
  insert into api_keys (id, org_id, name, access, hash, last4, expires_at, created_by, mcp_writes)
  values ($2, $1, $3, $4, $5, $6, $7, $8, $9)`
const own = sql`
  id, name, access, last4, expires_at as "expiresAt", disabled_at as "disabledAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt", created_at as "createdAt",
  created_by as "createdBy", mcp_writes as "mcpWrites"`
const LIST_OWN = sql`
  select ${own} from api_keys
   where org_id = $1 and revoked_at is null order by created_at desc, id desc limit 1000`
const LOCK_OWN = sql`
  select ${own} from api_keys where org_id = $1 and id = $2 and revoked_at is null for update`
const UPDATE_OWN = sql`
  update api_keys set name = $3, disabled_at = $4, expires_at = $5, mcp_writes = $6
   where org_id = $1 and id = $2`
const REVOKE_OWN = sql`
  update api_keys set revoked_at = now() where org_id = $1 and id = $2 and revoked_at is null returning id`

export type OwnKey = Omit<ApiKeySummary, 'orgId'> & { createdBy: string | null }

export async function insertOwnKey(
  tx: TenantTx,
  key: Omit<NewApiKey, 'orgId'> & { createdBy: string },
): Promise<void> {
  const { id, name, access, hash, last4, expiresAt, createdBy, mcpWrites } = key
  const values = [id, name, access, hash, last4, expiresAt, createdBy, mcpWrites]
  await tx.query(INSERT_OWN, [tx.orgId, ...values])
}

/** Keys that are not revoked, newest first. */
export async function listOwnKeys(tenant: Tenant): Promise<OwnKey[]> {
  return tenant.query<OwnKey>(LIST_OWN, [tenant.orgId])
}

export async function lockOwnKey(tx: TenantTx, id: string): Promise<OwnKey | undefined> {
  const [key] = await tx.query<OwnKey>(LOCK_OWN, [tx.orgId, id])
  return key
}

export async function updateOwnKey(tx: TenantTx, key: OwnKey): Promise<void> {
  const { id, name, disabledAt, expiresAt, mcpWrites } = key
  await tx.query(UPDATE_OWN, [tx.orgId, id, name, disabledAt, expiresAt, mcpWrites])
}

export async function revokeOwnKey(tx: TenantTx, id: string): Promise<boolean> {
  return (await tx.query(REVOKE_OWN, [tx.orgId, id])).length > 0
}

const MCP_WRITES = sql`select mcp_writes as "mcpWrites" from api_keys where org_id = $1 and id = $2`

/** Whether the key was marked for assistants that write. */
export async function findMcpWrites(tenant: Tenant, id: string): Promise<boolean> {
  const [key] = await tenant.query<{ mcpWrites: boolean }>(MCP_WRITES, [tenant.orgId, id])
  return key?.mcpWrites ?? false
}
