// Texts for property tests: everything that the API takes, and what YAML could mistake for something else.
import fc from 'fast-check'

export const LONGEST_TEXT = 200

/** Any text that the API takes, placeholders and YAML's own signs included. */
export function text(min: number, max: number): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    '${env:HOME}',
    '$${env:HOME}',
    'null',
    'true',
    '0x10',
    '1e3',
    '- a',
    'a: b',
    ' # x',
    '"',
    "'",
    '|',
    'a\nb\n',
    '\ta ',
    '2026-01-01',
    '~',
    '<<',
    '\u2028',
    '🙂',
  )
  const any = fc
    .string({ unit: 'binary', minLength: min, maxLength: Math.min(max, LONGEST_TEXT) })
    .map((given) => given.replaceAll('\u0000', ' '))
  const longest = fc.constant('ü'.repeat(max))
  return fc
    .oneof({ weight: 9, arbitrary: any }, { weight: 9, arbitrary: odd }, longest)
    .filter((given) => {
      const { length } = [...given]
      return length >= min && length <= max
    })
}

const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Names that may not hold what cannot be seen, and not only blanks. */
export function visible(max: number): fc.Arbitrary<string> {
  return text(1, max)
    .map((given) => given.replace(INVISIBLE, '-'))
    .filter((given) => given.trim() !== '')
}

export const timezone = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'))
