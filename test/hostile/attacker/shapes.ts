// Markdown that is costly to parse: each is as long as a message may be, or dense enough to hurt at any length.

const MAX_CHARACTERS = 10_000
/** Messages with more markup characters than this are not parsed at all; the most costly ones are just below. */
const SIGNS_BELOW_LIMIT = 390

const UNITS: readonly string[] = [
  '>- ',
  '*a_',
  '- ',
  '1. ',
  '+ ',
  '* a\n',
  '[',
  ']',
  '[a](',
  '[a](b "',
  '![',
  '<',
  '<a@b.c',
  '<http://',
  '&',
  '&#x',
  '`',
  '``a`',
  '*',
  '_',
  '**a',
  '***a_',
  'a**b__',
  '\\',
  '\\\n',
  '\n',
  ' \n',
  '> ',
  '>\n',
  '~~~\n',
  '```\n',
  '#',
  '=\n',
  '-\n',
  '|',
  '(',
  'a\t',
  '\u00a0',
  '\u202e',
  '🙂*',
  '1)',
  '9999999999. ',
]

const fill = (unit: string): string =>
  unit.repeat(Math.ceil(MAX_CHARACTERS / unit.length)).slice(0, MAX_CHARACTERS)

/** The markup characters of a unit, spread over the whole length, so that the text is parsed. */
function spread(unit: string): string {
  const signs = Math.max(1, [...unit].filter((c) => !/[a-z0-9 \t]/i.test(c)).length)
  const times = Math.floor(SIGNS_BELOW_LIMIT / signs)
  const padding = 'a'.repeat(Math.max(0, Math.floor(MAX_CHARACTERS / times) - unit.length))
  return (unit + padding).repeat(times).slice(0, MAX_CHARACTERS)
}

/** The markup characters together, followed by filler up to the full length. */
function dense(unit: string): string {
  const signs = Math.max(1, [...unit].filter((c) => !/[a-z0-9 \t]/i.test(c)).length)
  const head = unit.repeat(Math.floor(SIGNS_BELOW_LIMIT / signs))
  return (head + ' word'.repeat(MAX_CHARACTERS)).slice(0, MAX_CHARACTERS)
}

/** Four markers with blanks between them: costly for a pattern that can split the blanks in many ways. */
const markers = (marker: string, blanks: number): string =>
  `${`${marker}${' '.repeat(blanks)}`.repeat(4)}x`

const HOSTILE_TEXTS: readonly string[] = [
  markers('-', 60),
  markers('1.', 60),
  markers('-', 80),
  ...UNITS.flatMap((unit) => [fill(unit), spread(unit), dense(unit)]),
  `a${' '.repeat(MAX_CHARACTERS - 2)}b`,
  `a${'\t'.repeat(MAX_CHARACTERS - 2)}b`,
  markers('-', 2_490),
  markers('1)', 2_490),
]

/** The next text, slightly different each time, so that no cache applies. */
export function hostileText(number: number): string {
  const text = HOSTILE_TEXTS[number % HOSTILE_TEXTS.length] ?? ''
  return `${number}\n\n${text}`.slice(0, MAX_CHARACTERS)
}
