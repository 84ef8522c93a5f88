// One-time codes of an authenticator app (RFC 6238: SHA-1, six digits, a new code every 30 s).
import { createHmac, timingSafeEqual } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
// A code may be one step late or early: phone clocks differ, and people type slowly.
const TOLERATED_STEPS = [0, -1, 1]
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * The step that this code belongs to; undefined if it matches none. A step that was used before is never accepted
 * again.
 */
export function matchTotp(
  seed: Uint8Array,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number | null },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const current = Math.floor(now.getTime() / 1000 / STEP_SECONDS)
  return TOLERATED_STEPS.map((offset) => current + offset).find(
    (step) => step > (lastStep ?? 0) && isSame(totpAt(seed, step), code),
  )
}

export function totpAt(seed: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', seed).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The URL that an authenticator app reads from a QR code. The app shows the account name next to the code. */
export function totpAddress(seed: Uint8Array, account: string): string {
  const label = `${encodeURIComponent('Upvane')}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${toBase32(seed)}&issuer=Upvane`
}

/** Without padding, as authenticator apps expect. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let rest = 0
  let bits = 0
  for (const byte of bytes) {
    rest = (rest << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32.charAt((rest >>> bits) & 31)
    }
    rest &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + BASE32.charAt((rest << (5 - bits)) & 31)
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
