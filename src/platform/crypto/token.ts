// Unguessable tokens for cookies and links. Only their hashes are stored, so the database reveals none of them.
import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** 256 bits in 43 characters that never need escaping. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
