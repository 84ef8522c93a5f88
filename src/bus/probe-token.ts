// The token an operator copies to another machine so that a probe there can join: the server's address, the authority
// to trust, and credentials that permit only a request to join.
import { isUserKey } from './nats-jwt.ts'

export type ProbeToken = {
  /** Where it may ask: tokens of format 1 shared one name, and were valid for a day. */
  format: 1 | 2
  url: string
  /** The authority that signed the server's certificate; empty if it is a public one. */
  ca: string
  id: string
  secret: string
  jwt: string
  seed: string
}

/** A request to join has some 300. */
export const MAX_JOIN_BYTES = 1024
const PREFIX = /^upvane-probe-([12])\./
/** Room for a certificate chain and credentials; anything longer is not one of our tokens. */
export const MAX_TOKEN_CHARACTERS = 32_768
const FIELDS = ['url', 'ca', 'id', 'secret', 'jwt', 'seed'] as const

export function encodeToken({ format, ...fields }: ProbeToken): string {
  const text = Buffer.from(JSON.stringify(fields)).toString('base64url')
  return `upvane-probe-${format}.${text}`
}

/** Undefined if it is not a token. */
export function decodeToken(text: string): ProbeToken | undefined {
  const line = text.trim()
  if (line.length > MAX_TOKEN_CHARACTERS) return undefined
  const [prefix, format] = PREFIX.exec(line) ?? []
  if (prefix === undefined) return undefined
  const json = Buffer.from(line.slice(prefix.length), 'base64url').toString()
  const fields = readFields(json, FIELDS)
  return fields && { format: format === '1' ? 1 : 2, ...fields }
}

/** The name of its requests. */
export function joinRequestName({ format, id }: Pick<ProbeToken, 'format' | 'id'>): string {
  return format === 1 ? 'join' : `join.${id}`
}

/** What a machine stores for its probe: its key, and the claims issued for it. */
export type ProbeFile = {
  url: string
  ca: string
  region: string
  name: string
  /** Empty until the installation has accepted the key. */
  jwt: string
  seed: string
}

const FILE_FIELDS = ['url', 'ca', 'region', 'name', 'jwt', 'seed'] as const

export function readProbeFile(text: string): ProbeFile | undefined {
  return readFields(text, FILE_FIELDS)
}

function readFields<F extends string>(
  text: string,
  fields: readonly F[],
): Record<F, string> | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null
    if (typeof value !== 'object' || value === null) return undefined
    if (!fields.every((field) => typeof value[field] === 'string')) return undefined
    return Object.fromEntries(fields.map((field) => [field, value[field]])) as Record<F, string>
  } catch {
    // Not JSON: the caller reports that it is not a token or not one of our files.
    return undefined
  }
}

export type JoinRequest = { id: string; secret: string; publicKey: string }

const MAX_FIELD = 200

/** Reads untrusted input. Undefined if it is not a join request. */
export function readJoinRequest(body: unknown): JoinRequest | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { id, secret, publicKey } = body as Record<string, unknown>
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value.length > 0 && value.length <= MAX_FIELD
  return isText(id) && isText(secret) && isUserKey(publicKey)
    ? { id, secret, publicKey }
    : undefined
}
