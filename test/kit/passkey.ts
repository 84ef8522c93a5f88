// A software authenticator: it keeps ES256 keys and signs as browsers and security keys do (Web Authentication Level 3),
// written from the specification and without the product's library. Tests bend each part of an answer.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const FLAG = { present: 0x01, verified: 0x04, attested: 0x40 }

export type Bent = {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  userVerified?: boolean
  userPresent?: boolean
  signatures?: number
  userHandle?: string
  crossOrigin?: boolean
  topOrigin?: string
  /** Signs with a key that is not the passkey's. */
  key?: KeyObject
  attestation?: { fmt: string; statement: unknown }
}

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }
type RequestOptions = { challenge: string; rpId: string }

export class SoftwarePasskey {
  readonly id: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  #userHandle = ''
  /** Stays 0 for a passkey that does not count. */
  signatures: number

  constructor(origin: string, signatures = 0) {
    this.#origin = origin
    this.id = randomBytes(32).toString('base64url')
    this.signatures = signatures
  }

  create({ challenge, rp, user }: CreationOptions, bent: Bent = {}) {
    this.#userHandle = user.id
    const clientData = this.#clientData('webauthn.create', challenge, bent)
    const { fmt, statement } = bent.attestation ?? { fmt: 'none', statement: new Map() }
    const attestation = new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', statement],
      ['authData', this.#authenticatorData(rp.id, bent, this.#credential())],
    ])
    const attestationObject = toCbor(attestation).toString('base64url')
    return { id: this.id, clientDataJSON: clientData.toString('base64url'), attestationObject }
  }

  get({ challenge, rpId }: RequestOptions, bent: Bent = {}) {
    if (this.signatures > 0) this.signatures += 1
    const clientData = this.#clientData('webauthn.get', challenge, bent)
    const authenticatorData = this.#authenticatorData(rpId, bent)
    const signed = Buffer.concat([authenticatorData, sha256(clientData)])
    return {
      id: this.id,
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, bent.key ?? this.#keys.privateKey).toString('base64url'),
      userHandle: bent.userHandle ?? this.#userHandle,
    }
  }

  #clientData(type: string, challenge: string, bent: Bent): Buffer {
    const { origin = this.#origin, crossOrigin = false, topOrigin } = bent
    const own = { type: bent.type ?? type, challenge: bent.challenge ?? challenge, origin }
    return Buffer.from(JSON.stringify({ ...own, crossOrigin, ...(topOrigin && { topOrigin }) }))
  }

  #authenticatorData(rpId: string, bent: Bent, credential?: Buffer): Buffer {
    const { userVerified = true, userPresent = true, signatures = this.signatures } = bent
    const flags =
      (userPresent ? FLAG.present : 0) |
      (userVerified ? FLAG.verified : 0) |
      (credential ? FLAG.attested : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(signatures)
    const site = sha256(Buffer.from(bent.rpId ?? rpId))
    return Buffer.concat([site, Buffer.from([flags]), counter, credential ?? Buffer.alloc(0)])
  }

  #credential(): Buffer {
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    return Buffer.concat([Buffer.alloc(16), length, id, toCbor(key)])
  }
}

export const otherKey = (): KeyObject =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** CBOR, as far as an attestation needs it: integers, byte strings, texts, arrays and maps. */
function toCbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(toCbor)])
  if (value instanceof Map)
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, item]) => [toCbor(key), toCbor(item)]),
    ])
  throw new TypeError('No CBOR for this')
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
