// Unguessable tokens for cookies and links. Only their hash is stored: who reads the database has none of them.
import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** 256 bits in 43 characters that need no escaping anywhere. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
