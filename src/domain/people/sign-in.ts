// What signing in requires, and how many attempts are allowed. No one is locked out for good: the window expires on its
// own.
import { isCommonPassword } from './common-password.ts'

export const MAX_TRIES_PER_ADDRESS = 20
/** Per account from one network, or from one browser its owner has signed in with before. */
export const MAX_TRIES_PER_ACCOUNT = 5
/** Per account from anywhere. High, because anyone can use it up for someone else. */
export const MAX_TRIES_IN_ALL = 50
/** Per client address: links that did not work, and emails that were requested. */
export const MAX_LINKS_PER_ADDRESS = 20
/** Per organization, and per person across all organizations: these are emails to strangers. */
export const MAX_INVITATIONS = 50

const MIN_PASSWORD_LENGTH = 12
const MAX_PASSWORD_LENGTH = 128

/** What is wrong with a new password, worded for the person choosing it. */
export function passwordProblem(
  password: string,
  { email }: { email: string },
): string | undefined {
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH) return `must have at least ${MIN_PASSWORD_LENGTH} characters`
  if (length > MAX_PASSWORD_LENGTH) return `must have at most ${MAX_PASSWORD_LENGTH} characters`
  const plain = password.toLowerCase()
  const [local = ''] = email.toLowerCase().split('@')
  if (new Set(plain).size < 5) return 'must not be the same few characters again and again'
  if (local.length >= 4 && plain.includes(local)) return 'must not contain your email address'
  if (isCommonPassword(password))
    return 'must not be a common password, or a common word and digits'
  return undefined
}

const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
export const RECOVERY_CODES = 10
const RECOVERY_LENGTH = 10

/** `k7x2m-9qpfd`: one use each, for people who lost their authenticator. 49 bits, one random byte per character. */
export function recoveryCode(random: Uint8Array): string {
  if (random.length < RECOVERY_LENGTH) throw new RangeError('Not enough random bytes')
  const text = [...random.subarray(0, RECOVERY_LENGTH)]
    .map((byte) => RECOVERY_ALPHABET.charAt(byte % RECOVERY_ALPHABET.length))
    .join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

/** Spaces, case and the hyphen do not matter. */
export const comparableCode = (typed: string): string =>
  typed.toLowerCase().replaceAll(/[\s-]/g, '')
