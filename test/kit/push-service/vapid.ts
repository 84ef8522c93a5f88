// How a push service checks who sends (RFC 8292), written without the product's code.
import { createPublicKey, verify } from 'node:crypto'

const DAY_SECONDS = 86_400
const FORM = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]{87})$/

type Read = { problem: string | undefined; publicKey: string; subject: string }

export function readVapid(authorization: string, audience: string, now: Date): Read {
  const [head, claims, signature, publicKey] = partsOf(authorization)
  const { aud, exp = 0, sub: subject = '' } = parse<Claims>(claims)
  const read = (problem?: string) => ({ problem, publicKey, subject })
  if (publicKey === '' || parse<{ alg?: string }>(head).alg !== 'ES256') return read('form')
  if (aud !== audience) return read('audience')
  const left = exp - now.getTime() / 1000
  if (left <= 0) return read('expired')
  if (left > DAY_SECONDS) return read('expires in more than a day')
  const isSigned = isSignedBy(publicKey, `${head}.${claims}`, signature)
  return read(isSigned ? undefined : 'signature')
}

function partsOf(authorization: string): [string, string, string, string] {
  const [, head = '', claims = '', signature = '', publicKey = ''] = FORM.exec(authorization) ?? []
  return [head, claims, signature, publicKey]
}

function isSignedBy(publicKey: string, signed: string, signature: string): boolean {
  const point = Buffer.from(publicKey, 'base64url')
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const how = { key, dsaEncoding: 'ieee-p1363' as const }
  return verify('sha256', Buffer.from(signed), how, Buffer.from(signature, 'base64url'))
}

type Claims = { aud?: string; exp?: number; sub?: string }

function parse<T>(part: string): T {
  return JSON.parse(part === '' ? '{}' : Buffer.from(part, 'base64url').toString()) as T
}
