// Public ids, decoded independently of the product: a prefix and a UUID in Crockford's base32.
import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const UUID_TEXT = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

export function toUuid(publicId: string): string {
  const text = publicId.slice(publicId.indexOf('_') + 1)
  let value = 0n
  for (const character of text) value = value * 32n + BigInt(ALPHABET.indexOf(character))
  return value.toString(16).padStart(32, '0').replace(UUID_TEXT, '$1-$2-$3-$4-$5')
}

export function toPublicId(prefix: string, uuid: string): string {
  let value = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let text = ''
  for (let i = 0; i < 26; i++) {
    text = ALPHABET.charAt(Number(value % 32n)) + text
    value /= 32n
  }
  return `${prefix}_${text}`
}

/** Well formed, created now, and unused. */
export function randomUuid(): string {
  const millis = Date.now().toString(16).padStart(12, '0')
  const random = randomBytes(10).toString('hex')
  return `${millis}7${random.slice(1, 4)}8${random.slice(5)}`.replace(UUID_TEXT, '$1-$2-$3-$4-$5')
}

export const randomId = (prefix: string): string => toPublicId(prefix, randomUuid())
