// Identifies this installation to push services (VAPID, RFC 8292): a token for each service, signed with ES256.
import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'

export type VapidKeys = {
  /** In base64url, as browsers need it to subscribe. */
  publicKey: string
  privateKey: KeyObject
}

type VapidClaims = {
  /** The push service. */
  audience: string
  /** A `mailto:` or `https:` address of the operator. */
  subject: string
  expiresAt: Date
}

const CURVE = 'prime256v1'
const SCALAR_BYTES = 32

/** The private key of a new pair, 32 bytes. */
export function newVapidSecret(): Buffer {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  const secret = pair.getPrivateKey()
  // Leading zeros are left out.
  return Buffer.concat([Buffer.alloc(SCALAR_BYTES - secret.length), secret])
}

export function toVapidKeys(secret: Buffer): VapidKeys {
  const pair = createECDH(CURVE)
  pair.setPrivateKey(secret)
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 1 + SCALAR_BYTES), point.subarray(1 + SCALAR_BYTES)]
  const text = (bytes: Buffer) => bytes.toString('base64url')
  const key = { kty: 'EC', crv: 'P-256', d: text(secret), x: text(x), y: text(y) }
  return { publicKey: text(point), privateKey: createPrivateKey({ key, format: 'jwk' }) }
}

/** The value of the `Authorization` header. */
export function vapidAuthorization(
  { publicKey, privateKey }: VapidKeys,
  { audience, subject, expiresAt }: VapidClaims,
): string {
  const exp = Math.floor(expiresAt.getTime() / 1000)
  const signed = [
    { typ: 'JWT', alg: 'ES256' },
    { aud: audience, exp, sub: subject },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const how = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }
  const signature = sign('sha256', Buffer.from(signed), how).toString('base64url')
  return `vapid t=${signed}.${signature}, k=${publicKey}`
}
