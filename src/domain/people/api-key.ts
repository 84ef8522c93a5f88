// The format of an API key: `upv_`, 32 secret characters, 6 checksum characters. The checksum allows rejecting a
// mistyped or made-up key without a query, and lets secret scanners recognize real ones.
import { createHash } from 'node:crypto'

/** Per organization, counting keys that are neither revoked nor expired. Each has its own rate limit. */
export const MAX_LIVE_KEYS = 50
/** Of those that were revoked or have expired, the last ones are kept. */
export const MAX_ENDED_KEYS = 200
export const TOO_MANY_KEYS = `An organization can have at most ${MAX_LIVE_KEYS} API keys. Revoke one that is not used.`

export type KeyAccess = 'READ_ONLY' | 'FULL'

const PREFIX = 'upv_'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const FORM = /^upv_[0-9A-Za-z]{38}$/
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// The largest multiple of 62 in a byte: bytes from here on would favor the first characters.
const FAIR_BYTES = 248

/** Needs more than 32 random bytes, because biased ones are skipped. */
export function createApiKey(random: Uint8Array): string {
  const fair = [...random].filter((byte) => byte < FAIR_BYTES).slice(0, SECRET_LENGTH)
  if (fair.length < SECRET_LENGTH) throw new RangeError('Not enough random bytes')
  const head = PREFIX + fair.map((byte) => BASE62.charAt(byte % 62)).join('')
  return head + checksum(head)
}

export function isApiKey(text: string): boolean {
  return (
    FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
  )
}

/** Only the hash is stored. Keys have 190 bits of entropy, so a fast hash is enough. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function checksum(text: string): string {
  let rest = crc32(text)
  let encoded = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    encoded = BASE62.charAt(rest % 62) + encoded
    rest = Math.floor(rest / 62)
  }
  return encoded
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1
  return crc
})

function crc32(text: string): number {
  let crc = 0xffff_ffff
  for (let i = 0; i < text.length; i++)
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0)
  return (crc ^ 0xffff_ffff) >>> 0
}
