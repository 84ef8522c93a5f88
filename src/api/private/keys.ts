// API keys, as created and revoked by an organization's admins.
import { createKey, replaceKey } from '../../actions/people/create-key.ts'
import * as contract from '../../contract/private/organization.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { notFound, validationError } from '../../platform/api-error.ts'
import {
  listOwnKeys,
  lockOwnKey,
  type OwnKey,
  revokeOwnKey,
  updateOwnKey,
} from '../../store/people/api-keys.ts'
import { compared, plain } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listKeys> = async (_input, { tenant }) => {
  const now = new Date()
  return { data: (await listOwnKeys(tenant)).map((key) => toApiKey(key, now)) }
}

const create: Handler<typeof contract.createKey> = async ({ body }, { tx, session }) => {
  const { name, access, expiresAt, mcpWrites } = body
  if (expiresAt !== null && expiresAt <= tx.now)
    throw validationError([{ path: 'expiresAt', message: 'must be in the future' }])
  if (mcpWrites && access !== 'FULL') throw needsFullAccess()
  const wish = { name, access, expiresAt, mcpWrites, createdBy: session.user.name }
  const { key, stored } = await createKey(tx, wish)
  return { ...toApiKey(stored, tx.now), key }
}

const update: Handler<typeof contract.updateKey> = async ({ params, body }, { tx }) => {
  const key = await lockOwnKey(tx, params.keyId)
  if (!key) throw notFound('API key')
  const { name = key.name, enabled = key.disabledAt === null, mcpWrites = key.mcpWrites } = body
  if (mcpWrites && key.access !== 'FULL') throw needsFullAccess()
  const disabledAt = enabled ? null : (key.disabledAt ?? tx.now)
  const changed = { ...key, name, disabledAt, mcpWrites }
  await updateOwnKey(tx, changed)
  return compared(toApiKey(changed, tx.now), { before: key, after: changed }, keyFields)
}

const revoke: Handler<typeof contract.revokeKey> = async ({ params }, { tx }) => {
  if (!(await revokeOwnKey(tx, params.keyId))) throw notFound('API key')
  return { data: { id: toPublicId('key', params.keyId) } }
}

const replace: Handler<typeof contract.replaceKey> = async ({ params, body }, { tx, session }) => {
  const wish = { graceHours: body.graceHours, createdBy: session.user.name }
  const created = await replaceKey(tx, params.keyId, wish)
  if (!created) throw notFound('API key')
  return { ...toApiKey(created.stored, tx.now), key: created.key }
}

export const keyOperations: readonly BoundOperation[] = [
  bind(contract.listKeys, list),
  bind(contract.createKey, create),
  bind(contract.updateKey, update),
  bind(contract.revokeKey, revoke),
  bind(contract.replaceKey, replace),
]

const needsFullAccess = () =>
  validationError([{ path: 'mcpWrites', message: 'needs a key with full access' }])

function toApiKey(key: OwnKey, now: Date) {
  const { id, name, access, last4, createdBy, createdAt, expiresAt, lastUsedAt, mcpWrites } = key
  return {
    id: toPublicId('key', id),
    name,
    access,
    state: stateOf(key, now),
    last4,
    createdBy,
    createdAt,
    expiresAt,
    lastUsedAt,
    mcpWrites,
  }
}

type KeyState = 'ACTIVE' | 'DISABLED' | 'EXPIRED' | 'REVOKED'

function stateOf({ revokedAt, disabledAt, expiresAt }: OwnKey, now: Date): KeyState {
  if (revokedAt !== null) return 'REVOKED'
  if (expiresAt !== null && expiresAt <= now) return 'EXPIRED'
  return disabledAt === null ? 'ACTIVE' : 'DISABLED'
}

const keyFields = ({ name, disabledAt, mcpWrites }: OwnKey) => ({
  name: plain(name),
  enabled: plain(disabledAt === null),
  mcpWrites: plain(mcpWrites),
})
