import { randomBytes } from 'node:crypto'

const TOKEN_BYTES = 18

/** 144 random bits: anyone who knows the URL can ping it, so it must not be guessable. */
export function newHeartbeatToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}
