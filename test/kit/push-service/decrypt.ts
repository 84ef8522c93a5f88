// What a browser does with a push message (RFC 8188 and RFC 8291), written without the product's code.
import { createDecipheriv, createHmac, type ECDH } from 'node:crypto'

export type Receiver = { ecdh: ECDH; auth: Buffer }

const hmac = (key: Buffer, ...parts: readonly (Buffer | string)[]): Buffer => {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}
const ONE = Buffer.of(1)

/** Throws unless the body is one complete record for this receiver. */
export function decryptPush(body: Buffer, { ecdh, auth }: Receiver): Buffer {
  const salt = body.subarray(0, 16)
  const recordBytes = body.readUInt32BE(16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  if (keyLength !== 65 || record.length > recordBytes) throw new Error('Not one record')
  const shared = hmac(auth, ecdh.computeSecret(sender))
  const input = hmac(shared, 'WebPush: info\0', ecdh.getPublicKey(), sender, ONE)
  const secret = hmac(salt, input)
  const key = hmac(secret, 'Content-Encoding: aes128gcm\0', ONE).subarray(0, 16)
  const nonce = hmac(secret, 'Content-Encoding: nonce\0', ONE).subarray(0, 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: 16 })
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('The record is not the last')
  return padded.subarray(0, end)
}
