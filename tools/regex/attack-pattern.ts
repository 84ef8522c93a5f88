// Tries to make a regular expression slow, with texts of the characters that its pattern names.
import { cpuMs } from '../../test/kit/cpu-time.ts'

type Attack = { text: string; ms: number }

const FIRST_LENGTH = 64
const MAX_UNITS = 12
const STAND_INS: Readonly<Record<string, string>> = {
  d: '0',
  w: 'a',
  s: ' ',
  S: 'x',
  D: 'x',
  W: ' ',
  b: '',
  B: '',
}
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
const SYNTAX = /[\^$.*+?()[\]{}|]/

/** The first text that takes longer than `limitMs`; undefined if all are faster up to `maxLength`. */
export function attackPattern(
  pattern: string,
  maxLength: number,
  limitMs: number,
): Attack | undefined {
  const end = pattern.lastIndexOf('/')
  const source = pattern.slice(1, end)
  const regex = new RegExp(source, pattern.slice(end + 1))
  const run = (text: string) => (regex.global ? text.replaceAll(regex, '') : regex.test(text))
  const start = literalStart(source)
  // Shorter texts first, so fast growth is found before it takes hours.
  for (let length = FIRST_LENGTH; ; length = Math.min(length * 2, maxLength)) {
    for (const text of hostileTexts(charactersOf(source), start, length)) {
      const ms = cpuMs(() => run(text))
      if (ms > limitMs) return { text, ms }
    }
    if (length >= maxLength) return undefined
  }
}

function* hostileTexts(characters: string[], start: string, length: number): Generator<string> {
  for (const one of characters) {
    for (const other of characters) {
      const unit = one === other ? one : one + other
      const body = unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
      yield `${body}\0`
      yield `${start}${body}\n\0`.slice(-length)
      yield `${one}${other.repeat(length / 4 - 2)}`.repeat(4)
    }
  }
}

/** Literal characters, and one for each class, in pattern order. */
function charactersOf(source: string): string[] {
  const found = new Set([' ', '\n', 'a', '0'])
  for (const [token] of source.matchAll(/\\.|./gsu)) {
    const escaped = token.startsWith('\\') ? token.slice(1) : undefined
    if (escaped !== undefined) found.add(STAND_INS[escaped] ?? CONTROLS[escaped] ?? escaped)
    else if (!SYNTAX.test(token)) found.add(token)
  }
  found.delete('')
  const all = [...found]
  // Symbols first: letters rarely repeat.
  return [
    ...all.filter((one) => !/[a-z]/i.test(one)),
    ...all.filter((one) => /[a-z]/i.test(one)),
  ].slice(0, MAX_UNITS)
}

/** The literal prefix of every match. */
function literalStart(source: string): string {
  const [start = ''] = /^\^?(?:\\\/|[\w :/-])*/.exec(source) ?? []
  return start.replace(/^\^/, '').replaceAll('\\', '')
}
