// Reads strings out of TypeScript without a parser: literals, templates, sums of them, and names of such constants.

/** Texts by the name of their constant. */
export type Constants = ReadonlyMap<string, string>

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const UNKNOWN = '…'
const MAX_NAME = 100

/** The arguments of a call whose first one starts at `start`. */
export function argumentsAt(source: string, start: number): string[] {
  const given: string[] = []
  let from = start
  for (let at = start; ; ) {
    const char = source[at]
    if (char === undefined) throw new Error('A call does not end')
    if (char === ')' || char === ',') {
      const text = source.slice(from, at).trim()
      if (text !== '') given.push(text)
      if (char === ')') return given
      from = at + 1
    }
    at = skip(source, at)
  }
}

/** The text of an expression; undefined if it is none. A part that is known only when it runs is "…". */
export function readText(expression: string, constants: Constants): string | undefined {
  const text = expression.trim()
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? ''
    const [name = char] = /^[A-Z][A-Z0-9_]*/.exec(text.slice(at)) ?? []
    const end = isQuote(char) ? skip(text, at) : at + name.length
    const part = isQuote(char) ? unquote(text.slice(at, end), constants) : constants.get(name)
    if (part !== undefined) parts.push(part)
    else if (!/[\s+]/.test(char)) return undefined
    at = end
  }
  return parts.length === 0 ? undefined : parts.join('')
}

/** Constants of the module, by name. */
export function readConstants(source: string): Constants {
  const constants = new Map<string, string>()
  for (const { 0: head, 1: name = '', index } of source.matchAll(
    /^const ([A-Z][A-Z0-9_]*) =\s+/gm,
  )) {
    const start = index + head.length
    const text = readText(source.slice(start, endOfSum(source, start)), constants)
    if (text !== undefined) constants.set(name, text)
  }
  return constants
}

/** Every string of a file, with what is added to it. */
export function stringsIn(source: string, constants: Constants): string[] {
  const found: string[] = []
  for (let at = 0; at < source.length; ) {
    if (source.startsWith('//', at) || source.startsWith('/*', at)) {
      const end = source.startsWith('//', at) ? source.indexOf('\n', at) : source.indexOf('*/', at)
      at = end === -1 ? source.length : end + 1
      continue
    }
    const char = source[at] ?? ''
    const end = isQuote(char) ? skip(source, at) : at + 1
    if (isQuote(char)) found.push(unquote(source.slice(at, end), constants))
    at = end
  }
  return found
}

/** Behind the sum of strings and names that starts at `start`. */
function endOfSum(source: string, start: number): number {
  const [name] = /^[A-Z][A-Z0-9_]*/.exec(source.slice(start, start + MAX_NAME)) ?? []
  const end = isQuote(source[start] ?? '') ? skip(source, start) : start + (name?.length ?? 0)
  const [plus] = /^\s*\+\s*/.exec(source.slice(end, end + MAX_NAME)) ?? []
  return plus === undefined || end === start ? end : endOfSum(source, end + plus.length)
}

const isQuote = (char: string) => char === "'" || char === '"' || char === '`'

/** Behind the string, the brackets or the character at `at`. */
function skip(source: string, at: number): number {
  const char = source[at] ?? ''
  if (isQuote(char)) return skipString(source, at)
  const closing = CLOSING[char]
  if (closing === undefined) return at + 1
  let end = at + 1
  while (source[end] !== closing) {
    if (source[end] === undefined) throw new Error('A bracket does not close')
    end = skip(source, end)
  }
  return end + 1
}

function skipString(source: string, start: number): number {
  const quote = source[start]
  let at = start + 1
  while (source[at] !== quote) {
    if (source[at] === undefined) throw new Error('A string does not end')
    if (source[at] === '\\') at += 2
    else if (quote === '`' && source.startsWith('${', at)) at = skip(source, at + 1)
    else at += 1
  }
  return at + 1
}

function unquote(literal: string, constants: Constants): string {
  const inner = literal.slice(1, -1)
  if (!literal.startsWith('`')) return unescape(inner)
  let text = ''
  for (let at = 0; at < inner.length; ) {
    if (!inner.startsWith('${', at)) {
      const end = inner[at] === '\\' ? at + 2 : at + 1
      text += unescape(inner.slice(at, end))
      at = end
      continue
    }
    const end = skip(inner, at + 1)
    text += constants.get(inner.slice(at + 2, end - 1).trim()) ?? UNKNOWN
    at = end
  }
  return text
}

const unescape = (text: string) =>
  text.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
