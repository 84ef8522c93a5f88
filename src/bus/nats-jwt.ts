// NATS keys and the signed claims (JWT) of operator mode: https://docs.nats.io, "decentralized JWT". Covers only what
// this product issues: one operator, its system account, one account, and users with narrow permissions.
import { createHash } from 'node:crypto'
import { nkeys } from '@nats-io/transport-node'

type KeyKind = 'operator' | 'account' | 'user'

const CREATE = {
  operator: nkeys.createOperator,
  account: nkeys.createAccount,
  user: nkeys.createUser,
} as const
const USER_KEY_LENGTH = 56

/** The private half of a new key, as text. */
export function newSeed(kind: KeyKind): string {
  return Buffer.from(CREATE[kind]().getSeed()).toString()
}

export function publicKeyOf(seed: string): string {
  return nkeys.fromSeed(Buffer.from(seed)).getPublicKey()
}

export function isUserKey(value: unknown): value is string {
  if (typeof value !== 'string' || value.length !== USER_KEY_LENGTH) return false
  try {
    return value.startsWith('U') && nkeys.fromPublic(value).getPublicKey() === value
  } catch {
    // The checksum is wrong, or it is not a key.
    return false
  }
}

type Permissions = {
  publish: readonly string[]
  subscribe: readonly string[]
  /** How many messages may be sent in response to a received one, and for how long. */
  responses?: { max: number; seconds: number }
}

/** What a user may have and send, beyond what the server limits for everyone. */
type UserLimits = { subs: number; payload: number }

const UNLIMITED = { subs: -1, data: -1, payload: -1 }
const NANOSECONDS = 1e9

export function operatorJwt(seed: string, systemAccount: string, issuedAt: Date): string {
  const nats = { type: 'operator', version: 2, system_account: systemAccount }
  return sign(seed, { sub: publicKeyOf(seed), name: 'upvane', nats }, issuedAt)
}

type AccountClaims = {
  name: string
  publicKey: string
  /** User keys to refuse if their claims were issued before the date. */
  revoked?: ReadonlyMap<string, Date>
}

export function accountJwt(operatorSeed: string, claims: AccountClaims, issuedAt: Date): string {
  const limits = { ...UNLIMITED, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 }
  const revoked = [...(claims.revoked ?? [])].map(([key, at]) => [key, toSeconds(at)] as const)
  const nats = {
    type: 'account',
    version: 2,
    limits,
    default_permissions: { pub: {}, sub: {} },
    ...(revoked.length > 0 && { revocations: Object.fromEntries(revoked) }),
  }
  return sign(operatorSeed, { sub: claims.publicKey, name: claims.name, nats }, issuedAt)
}

type UserClaims = {
  name: string
  publicKey: string
  permissions: Permissions
  limits?: UserLimits
  expiresAt?: Date
}

export function userJwt(accountSeed: string, claims: UserClaims, issuedAt: Date): string {
  const { publish, subscribe, responses } = claims.permissions
  const nats = {
    type: 'user',
    version: 2,
    ...UNLIMITED,
    ...claims.limits,
    pub: { allow: publish },
    sub: { allow: subscribe },
    ...(responses && {
      resp: { max: responses.max, ttl: responses.seconds * NANOSECONDS },
    }),
  }
  const expiry = claims.expiresAt && { exp: toSeconds(claims.expiresAt) }
  return sign(accountSeed, { sub: claims.publicKey, name: claims.name, ...expiry, nats }, issuedAt)
}

/** A client's credentials in the format of a `.creds` file. */
export function credentialsText(jwt: string, seed: string): string {
  return [
    '-----BEGIN NATS USER JWT-----',
    jwt,
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    seed,
    '------END USER NKEY SEED------',
    '',
  ].join('\n')
}

const HEADER = encode({ typ: 'JWT', alg: 'ed25519-nkey' })

function sign(seed: string, claims: Record<string, unknown>, issuedAt: Date): string {
  const key = nkeys.fromSeed(Buffer.from(seed))
  const body = { iat: toSeconds(issuedAt), iss: key.getPublicKey(), ...claims }
  const jti = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const text = `${HEADER}.${encode({ jti, ...body })}`
  return `${text}.${Buffer.from(key.sign(Buffer.from(text))).toString('base64url')}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1000)
