// What a binding remembers of the last apply: salted digests of what was asked for and of what cannot be read back.
import { scryptSync } from 'node:crypto'
import { canonical, type JsonObject, sha256 } from './json.ts'

const VERSION = 'v1'
const CHARACTERS = 22
const SCRYPT = { N: 4096, r: 8, p: 1 }
const SECRET_BYTES = 16

type Remembered = { salt: string; applied: string; secrets: string }

/** `writeOnly` is undefined if nobody knows what the API holds. */
export function makeDigest(
  salt: string,
  body: JsonObject,
  writeOnly: JsonObject | undefined,
): string {
  return [VERSION, salt, hashBody(salt, body), hashSecrets(salt, writeOnly ?? {})].join('.')
}

/** Whether the file still asks for what was applied last. Undefined if that is not known. */
export function wasApplied(digest: string | null, body: JsonObject): boolean | undefined {
  const remembered = readDigest(digest)
  return remembered && remembered.applied === hashBody(remembered.salt, body)
}

/** Whether the secrets of the file are those applied last. Undefined if that is not known. */
export function hasSameSecrets(digest: string | null, writeOnly: JsonObject): boolean | undefined {
  if (Object.keys(writeOnly).length === 0) return true
  const remembered = readDigest(digest)
  if (remembered === undefined || remembered.secrets === '') return undefined
  return remembered.secrets === hashSecrets(remembered.salt, writeOnly)
}

function readDigest(digest: string | null): Remembered | undefined {
  const [version, salt = '', applied = '', secrets = ''] = (digest ?? '').split('.')
  return version === VERSION ? { salt, applied, secrets } : undefined
}

function hashBody(salt: string, body: JsonObject): string {
  return sha256(salt, canonical(body)).slice(0, CHARACTERS)
}

function hashSecrets(salt: string, writeOnly: JsonObject): string {
  if (Object.keys(writeOnly).length === 0) return ''
  return scryptSync(canonical(writeOnly), salt, SECRET_BYTES, SCRYPT).toString('base64url')
}
