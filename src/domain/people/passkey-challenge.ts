// What a passkey signs: random bytes and an end, with our own signature for one purpose in one browser. Nothing is stored
// for a challenge that nobody answers.
import { createHmac, timingSafeEqual } from 'node:crypto'

export const CHALLENGE_SECONDS = 5 * 60
export const CHALLENGE_RANDOM_BYTES = 16
const END_BYTES = 6
const BODY_BYTES = CHALLENGE_RANDOM_BYTES + END_BYTES
const CHALLENGE_BYTES = BODY_BYTES + 32

/** `browser`: a secret that only this browser has, or the ID of its session. */
export type ChallengeUse = { purpose: 'ADD' | 'SIGN_IN'; browser: string }

export function makeChallenge(
  key: Buffer,
  use: ChallengeUse,
  { random, now }: { random: Buffer; now: Date },
): string {
  if (random.length !== CHALLENGE_RANDOM_BYTES) throw new RangeError('Wrong number of random bytes')
  const body = Buffer.alloc(BODY_BYTES)
  random.copy(body)
  body.writeUIntBE(now.getTime() + CHALLENGE_SECONDS * 1000, CHALLENGE_RANDOM_BYTES, END_BYTES)
  return Buffer.concat([body, sign(key, use, body)]).toString('base64url')
}

/** When the challenge ends. Undefined if it has ended, or was not made for this purpose and browser. */
export function checkChallenge(
  key: Buffer,
  use: ChallengeUse,
  { challenge, now }: { challenge: string; now: Date },
): Date | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  // The second condition refuses other spellings of the same bytes.
  if (bytes.length !== CHALLENGE_BYTES || bytes.toString('base64url') !== challenge)
    return undefined
  const body = bytes.subarray(0, BODY_BYTES)
  if (!timingSafeEqual(bytes.subarray(BODY_BYTES), sign(key, use, body))) return undefined
  const endsAtMs = body.readUIntBE(CHALLENGE_RANDOM_BYTES, END_BYTES)
  return endsAtMs > now.getTime() ? new Date(endsAtMs) : undefined
}

/** The challenge that was answered, as the browser reports it. Undefined if this is not a browser's report. */
export function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return undefined
    return typeof data.challenge === 'string' ? data.challenge : undefined
  } catch {
    // Anyone can send anything here.
    return undefined
  }
}

function sign(key: Buffer, { purpose, browser }: ChallengeUse, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${purpose} ${browser} `).update(body).digest()
}
