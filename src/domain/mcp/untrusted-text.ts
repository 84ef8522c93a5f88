// Text from outside, such as names, causes and excerpts of pages, as an assistant may read it. It could be written to
// give instructions to the assistant, so it only appears in fields called `untrusted`.

const MAX_BYTES = 1_000
const CUT = '… [cut]'

/** Without control and invisible characters, and cut. Null stays null. */
export function toUntrusted(text: string | null): string | null {
  if (text === null) return null
  let clean = ''
  let bytes = 0
  for (const character of text) {
    const shown = visible(character)
    bytes += bytesOf(shown)
    if (bytes > MAX_BYTES) return clean + CUT
    clean += shown
  }
  return clean
}

type Range = readonly [first: number, last: number]

const BLANKS: readonly Range[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x2028, 0x2029],
]
// Zero width, direction and tag characters, which people do not see and assistants may read.
const HIDDEN: readonly Range[] = [
  [0xad, 0xad],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe01ef],
]

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (isIn(BLANKS, code)) return ' '
  return isIn(HIDDEN, code) ? '' : character
}

const isIn = (ranges: readonly Range[], code: number): boolean =>
  ranges.some(([first, last]) => code >= first && code <= last)

function bytesOf(character: string): number {
  const code = character.codePointAt(0)
  if (code === undefined) return 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x1_0000 ? 3 : 4
}
