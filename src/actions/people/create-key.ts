import { randomBytes } from 'node:crypto'
import {
  createApiKey,
  hashApiKey,
  type KeyAccess,
  MAX_ENDED_KEYS,
  MAX_LIVE_KEYS,
  TOO_MANY_KEYS,
} from '../../domain/people/api-key.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import {
  countLiveKeys,
  forgetEndedKeys,
  insertOwnKey,
  lockOwnKey,
  type OwnKey,
  updateOwnKey,
} from '../../store/people/api-keys.ts'

const RANDOM_BYTES = 64

type KeyRequest = {
  name: string
  access: KeyAccess
  expiresAt: Date | null
  createdBy: string
  mcpWrites: boolean
}
type CreatedKey = { key: string; stored: OwnKey }

/** Returns the key itself, once. Only its hash is stored. */
export async function createKey(tx: TenantTx, request: KeyRequest): Promise<CreatedKey> {
  if ((await countLiveKeys(tx, tx.orgId)) >= MAX_LIVE_KEYS)
    throw new ApiError('conflict', TOO_MANY_KEYS)
  await forgetEndedKeys(tx, MAX_ENDED_KEYS)
  const key = createApiKey(randomBytes(RANDOM_BYTES))
  const stored = { id: tx.newUuid(), ...request, last4: key.slice(-4) }
  await insertOwnKey(tx, { ...stored, hash: hashApiKey(key) })
  const fresh = { disabledAt: null, revokedAt: null, lastUsedAt: null, createdAt: tx.now }
  return { key, stored: { ...stored, ...fresh } }
}

/** Creates a key with the same name and rights. The old one works until the grace period ends. */
export async function replaceKey(
  tx: TenantTx,
  id: string,
  { graceHours, createdBy }: { graceHours: number; createdBy: string },
): Promise<CreatedKey | undefined> {
  const old = await lockOwnKey(tx, id)
  if (old === undefined) return undefined
  const graceEnd = new Date(tx.now.getTime() + graceHours * 3_600_000)
  const endsSooner = old.expiresAt !== null && old.expiresAt < graceEnd
  await updateOwnKey(tx, { ...old, expiresAt: endsSooner ? old.expiresAt : graceEnd })
  const { name, access, mcpWrites } = old
  // The new key keeps the old one's expiry date if that is still in the future.
  const expiresAt = old.expiresAt !== null && old.expiresAt > tx.now ? old.expiresAt : null
  return createKey(tx, { name, access, expiresAt, createdBy, mcpWrites })
}
