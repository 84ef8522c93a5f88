import type { KeyAccess } from '../domain/api-key.ts'
import { type Db, sql } from './db.ts'

/** Who is asking, and where this request stands in the key's window. */
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
}

const INSERT = sql`
  insert into api_keys (id, org_id, name, access, hash, last4, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7)`

export async function insertApiKey(db: Db, key: NewApiKey): Promise<void> {
  const { id, orgId, name, access, hash, last4, expiresAt } = key
  await db.query(INSERT, [id, orgId, name, access, hash, last4, expiresAt])
}

const DISABLE = sql`
  update api_keys set disabled_at = coalesce(disabled_at, now()) where id = $1 returning id`
const REVOKE = sql`
  update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning id`

/** False when there is no such key. Takes effect with the very next request. */
export async function stopApiKey(db: Db, id: string, how: 'disable' | 'revoke'): Promise<boolean> {
  const rows = await db.query<{ id: string }>(how === 'disable' ? DISABLE : REVOKE, [id])
  return rows.length > 0
}

const LIST = sql`
  select id, org_id as "orgId", name, access, last4, expires_at as "expiresAt",
         disabled_at as "disabledAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt",
         created_at as "createdAt"
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
