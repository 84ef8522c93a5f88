// `upvane key …`: API keys. The key itself is shown once, when it is created.
import { randomBytes } from 'node:crypto'
import {
  createApiKey,
  hashApiKey,
  MAX_LIVE_KEYS,
  TOO_MANY_KEYS,
} from '../../domain/people/api-key.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Database } from '../../store/core/db.ts'
import * as apiKeys from '../../store/people/api-keys.ts'
import { recordForOrganization } from '../cli/audit.ts'
import { chosen, duration, type Flags, idFlag, required, UsageError } from '../cli/flags.ts'

const MAX_LISTED = 1000
const RANDOM_BYTES = 64

export async function createKey(database: Database, flags: Flags) {
  const orgId = idFlag(flags, 'org', 'org')
  const name = required(flags, 'name')
  const access = chosen(flags, 'access', ['FULL', 'READ_ONLY'] as const, 'FULL')
  const mcpWrites = flags['mcp-writes'] === true
  if (mcpWrites && access !== 'FULL') throw new UsageError('--mcp-writes needs --access FULL.')
  const seconds = duration(flags, 'expires-in')
  const key = createApiKey(randomBytes(RANDOM_BYTES))
  return database.transaction(undefined, async (tx) => {
    if ((await apiKeys.countLiveKeys(tx, orgId)) >= MAX_LIVE_KEYS)
      throw new UsageError(TOO_MANY_KEYS)
    const id = tx.newUuid()
    const expiresAt = seconds === undefined ? null : new Date(tx.now.getTime() + seconds * 1000)
    const last4 = key.slice(-4)
    const stored = { id, orgId, name, access, expiresAt, last4, mcpWrites }
    const apiKey = { ...stored, hash: hashApiKey(key) }
    await apiKeys.insertApiKey(tx, apiKey).catch(explainRefusal)
    const resourceId = toPublicId('key', id)
    const line = { action: 'key create', organizationId: orgId, resourceId, detail: { access } }
    await recordForOrganization(tx, line)
    return { id: resourceId, key, name, access, expiresAt }
  })
}

export async function stopKey(database: Database, flags: Flags, how: 'disable' | 'revoke') {
  const id = idFlag(flags, 'id', 'key')
  const resourceId = toPublicId('key', id)
  return database.transaction(undefined, async (tx) => {
    const organizationId = await apiKeys.stopApiKey(tx, id, how)
    if (organizationId === undefined) throw new UsageError('There is no such key.')
    await recordForOrganization(tx, { action: `key ${how}`, organizationId, resourceId })
    return { id: resourceId, done: how }
  })
}

export async function listKeys(database: Database, flags: Flags) {
  const found = await apiKeys.listApiKeys(database, idFlag(flags, 'org', 'org'), MAX_LISTED)
  return found.map((key) => ({
    id: toPublicId('key', key.id),
    name: key.name,
    access: key.access,
    last4: key.last4,
    expiresAt: key.expiresAt,
    disabledAt: key.disabledAt,
    revokedAt: key.revokedAt,
    lastUsedAt: key.lastUsedAt,
    createdAt: key.createdAt,
  }))
}

function explainRefusal(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  if (constraint === 'api_keys_org_id_fkey')
    throw new UsageError('There is no such organization. Try upvane org list.')
  if (constraint === 'api_keys_name_check')
    throw new UsageError('--name must have 1 to 120 characters.')
  throw error
}
