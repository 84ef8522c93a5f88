// Signs evidence files (Ed25519), so that they can be checked without the service.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'

export type EvidenceKey = {
  /** 32 bytes in base64url. */
  publicKey: string
  /** A short name of the public key. */
  keyId: string
  privateKey: KeyObject
}

const SEED_BYTES = 32
// A private key in DER is this and the seed (RFC 8410).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_ID_CHARACTERS = 16

export const newEvidenceSecret = (): Buffer => randomBytes(SEED_BYTES)

export function toEvidenceKey(seed: Buffer): EvidenceKey {
  const der = Buffer.concat([PKCS8_PREFIX, seed])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  // The last bytes of a public key in DER are the key itself.
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const raw = spki.subarray(-SEED_BYTES)
  const keyId = createHash('sha256').update(raw).digest('hex').slice(0, KEY_ID_CHARACTERS)
  return { publicKey: raw.toString('base64url'), keyId, privateKey }
}

/** The signature in base64url. */
export function signEvidence({ privateKey }: EvidenceKey, bytes: Buffer): string {
  return sign(null, bytes, privateKey).toString('base64url')
}
