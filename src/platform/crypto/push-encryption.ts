// Encrypts a message for one browser (RFC 8291), so that its push service cannot read it. The result is a body with
// `Content-Encoding: aes128gcm` (RFC 8188) of a single record.
import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto'

/** A browser's keys, in base64url: its public key, and a secret shared with it. */
type BrowserKeys = { p256dh: string; auth: string }

type Fresh = { sender: ECDH; salt: Buffer }

const CURVE = 'prime256v1'
const SALT_BYTES = 16
const KEY_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const PUBLIC_KEY_BYTES = 65
const RECORD_BYTES = 4096
const HEADER_BYTES = SALT_BYTES + 4 + 1 + PUBLIC_KEY_BYTES
// Ends the last record.
const LAST = Buffer.of(2)

/** A push service need not accept more than 4096 bytes in all. */
export const MAX_PUSH_TEXT_BYTES = RECORD_BYTES - HEADER_BYTES - LAST.length - TAG_BYTES

/** `fresh` must never be used twice; it is only given by tests. */
export function encryptPush(
  text: Buffer,
  { p256dh, auth }: BrowserKeys,
  fresh: Fresh = newFresh(),
): Buffer {
  if (text.length > MAX_PUSH_TEXT_BYTES) throw new Error(`A push message of ${text.length} bytes`)
  const { sender, salt } = fresh
  const receiver = Buffer.from(p256dh, 'base64url')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender.getPublicKey()])
  const shared = sender.computeSecret(receiver)
  const secret = derive(shared, Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = [cipher.update(text), cipher.update(LAST), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([headerOf(fresh), ...sealed])
}

/** Whether a browser's public key, in base64url, is a point of the curve. */
export function isOnCurve(publicKey: string): boolean {
  try {
    // Node returns an empty text for an empty key instead of refusing it.
    return ECDH.convertKey(publicKey, CURVE, 'base64url').length > 0
  } catch {
    return false
  }
}

function newFresh(): Fresh {
  const sender = createECDH(CURVE)
  sender.generateKeys()
  return { sender, salt: randomBytes(SALT_BYTES) }
}

function headerOf({ sender, salt }: Fresh): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  return Buffer.concat([salt, size, Buffer.of(PUBLIC_KEY_BYTES), sender.getPublicKey()])
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))
