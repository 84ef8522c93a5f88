// Generates API keys of the documented form: `upv_`, 32 characters, 6 characters of CRC32 in base62.
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function makeKey(): string {
  const secret = Array.from({ length: 32 }, () => BASE62.charAt(randomInt(62))).join('')
  return withChecksum(`upv_${secret}`)
}

export function withChecksum(head: string): string {
  let rest = crc32(head)
  let checksum = ''
  while (checksum.length < 6) {
    checksum = BASE62.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return head + checksum
}

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()
