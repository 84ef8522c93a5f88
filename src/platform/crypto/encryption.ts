// Secrets at rest: AES-256-GCM with a key per organization, wrapped by a master key. A value is bound to its location,
// so a copy in another row, column or organization cannot be opened.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** `current` wraps new keys; the others still unwrap what they wrapped. */
export type MasterKeys = { current: string; byId: ReadonlyMap<string, Buffer> }
type WrappedKey = { kid: string; wrapped: Buffer }

const FORMAT = 1
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + IV_BYTES + TAG_BYTES
const ENTRY = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/

/** Parses `kid:base64,kid:base64`; the first is the current key. Returns the problem as text if it is invalid. */
export function parseMasterKeys(text: string): MasterKeys | string {
  const byId = new Map<string, Buffer>()
  for (const entry of text.split(',')) {
    const [, kid, base64] = ENTRY.exec(entry.trim()) ?? []
    if (kid === undefined || base64 === undefined)
      return 'must be a list of kid:base64 with 32 bytes each, separated by commas'
    if (byId.has(kid)) return `names the key "${kid}" twice`
    byId.set(kid, Buffer.from(base64, 'base64'))
  }
  const [current = ''] = byId.keys()
  return { current, byId }
}

export function seal(key: Buffer, location: string, plain: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(location))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(FORMAT), iv, cipher.getAuthTag(), sealed])
}

/** Throws if the value was changed, or sealed with another key or for another location. */
export function unseal(key: Buffer, location: string, value: Buffer): Buffer {
  if (value[0] !== FORMAT || value.length < HEAD_BYTES) throw new Error('Unknown secret format')
  const iv = value.subarray(1, 1 + IV_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(location)).setAuthTag(value.subarray(1 + IV_BYTES, HEAD_BYTES))
  return Buffer.concat([decipher.update(value.subarray(HEAD_BYTES)), decipher.final()])
}

export const newOrganizationKey = (): Buffer => randomBytes(KEY_BYTES)

export function wrapKey(keys: MasterKeys, orgId: string, key: Buffer): WrappedKey {
  const master = keys.byId.get(keys.current)
  if (master === undefined) throw new Error('No current master key')
  return { kid: keys.current, wrapped: seal(master, wrapLocation(orgId), key) }
}

export function unwrapKey(keys: MasterKeys, orgId: string, { kid, wrapped }: WrappedKey): Buffer {
  const master = keys.byId.get(kid)
  if (master === undefined) throw new Error(`Master key "${kid}" is not configured`)
  return unseal(master, wrapLocation(orgId), wrapped)
}

const wrapLocation = (orgId: string): string => `organization_keys|${orgId}`
