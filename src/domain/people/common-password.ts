// Whether a password is among those attackers try first. Length alone does not help: the most common long ones are a
// common word with digits, or a walk across the keyboard.
import { createHash } from 'node:crypto'
import { COMMON_PASSWORD_HASHES } from './common-password-hashes.ts'

const HASH_BYTES = 6
const HASH_CHARACTERS = 8
const COMMON: ReadonlySet<string> = new Set(
  COMMON_PASSWORD_HASHES.replaceAll('\n', '').match(/.{8}/g) ?? [],
)

// Keyboard rows and columns, the alphabet and the digits. Each is walked in both directions.
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '7ujm',
]
const WALKS: readonly string[] = ROWS.flatMap((row) => [row, [...row].toReversed().join('')])
const MIN_WALK = 3
/** The number of characters a password needs outside of walks and repetitions. */
const MIN_OTHERS = 5
const MIN_UNIT = 8
const MIN_WORD = 4

// biome-ignore format: a table is read by its columns
const LEET: Readonly<Record<string, string>> = {
  '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i',
}

export function isCommonPassword(password: string): boolean {
  const plain = password.toLowerCase().replaceAll(/\s/g, '')
  if (/^\d*$/.test(plain)) return true
  const unit = repeatedUnit(plain)
  if (unit.length < MIN_UNIT) return true
  return (
    countOthers(unit) < MIN_OTHERS || [...candidates(plain), ...candidates(unit)].some(isListed)
  )
}

const isListed = (text: string): boolean =>
  COMMON.has(
    createHash('sha256')
      .update(text)
      .digest()
      .subarray(0, HASH_BYTES)
      .toString('base64url')
      .slice(0, HASH_CHARACTERS),
  )

/** `abcabcabc` is `abc`. Text without repetition is returned as is. */
function repeatedUnit(text: string): string {
  for (let length = 1; length <= text.length - MIN_WALK; length++) {
    const unit = text.slice(0, length)
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit
  }
  return text
}

/** How many characters are part of no walk and no repetition. */
function countOthers(text: string): number {
  let others = 0
  for (let at = 0; at < text.length; ) {
    const length = walkAt(text, at)
    if (length < MIN_WALK) others += 1
    at += length < MIN_WALK ? 1 : length
  }
  return others
}

/** The length of the longest walk, or run of one character, that begins there. */
function walkAt(text: string, at: number): number {
  const first = text[at] ?? ''
  let longest = 1
  while (text[at + longest] === first) longest += 1
  for (const walk of WALKS) {
    const start = walk.indexOf(first)
    if (start < 0) continue
    let length = 1
    while (walk[start + length] !== undefined && walk[start + length] === text[at + length])
      length += 1
    longest = Math.max(longest, length)
  }
  return longest
}

/** The text, and the word that remains without the characters people add to satisfy a rule. */
function candidates(text: string): string[] {
  const signs = [...text]
  const first = signs.findIndex(isLetter)
  const last = signs.findLastIndex(isLetter)
  const word = signs.slice(Math.max(first, 0), last + 1)
  const read = (part: readonly string[]) => part.map((sign) => LEET[sign] ?? sign).join('')
  const found = [text, word.join(''), signs.filter(isLetter).join(''), read(signs), read(word)]
  return found.filter((part) => part.length >= MIN_WORD)
}

const isLetter = (sign: string): boolean => sign >= 'a' && sign <= 'z'
