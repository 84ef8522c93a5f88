import { randomBytes } from 'node:crypto'

const TOKEN_BYTES = 18

/** 144 random bits: whoever knows the address may ping it, so nobody may guess it. */
export function newHeartbeatToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}
