// A language for tests: every message has accents, is in brackets and two fifths longer. What is on a screen without
// brackets is not from a catalog; what does not fit will not fit in German either.
import { type Parts, parseMessage } from './message.ts'

/** Around each message. */
const [OPENING, CLOSING] = ['⟦', '⟧']

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = 'áƀçđéƒĝĥíĵķĺɱñóþǫŕšţúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĹṀÑÓÞǪŔŠŢÚṼŴẊÝŽ'
const LETTERS = new Map([...PLAIN].map((letter, at) => [letter, [...ACCENTED][at] ?? letter]))
const FILLING = 'one two three four five six seven eight nine ten '
const MORE = 0.4

/** A catalog in the language for tests. What is a key stays as it is. */
export function toPseudo<Catalog>(catalog: Catalog): Catalog {
  if (typeof catalog === 'string') return pseudoMessage(catalog) as Catalog
  if (Array.isArray(catalog)) return catalog.map(toPseudo) as Catalog
  if (typeof catalog !== 'object' || catalog === null) return catalog
  const rows = Object.entries(catalog).map(([key, value]) => [key, toPseudo(value)])
  return Object.fromEntries(rows) as Catalog
}

function pseudoMessage(message: string): string {
  if (message.trim() === '') return message
  const parts = parseMessage(message)
  const more = Math.ceil(lengthOf(parts) * MORE)
  return `${OPENING}${write(parts)}${more < 2 ? '' : ` ${fillingOf(more - 1)}`}${CLOSING}`
}

const fillingOf = (length: number) =>
  accent(FILLING.repeat(Math.ceil(length / FILLING.length)).slice(0, length)).trimEnd()

const accent = (text: string) => [...text].map((letter) => LETTERS.get(letter) ?? letter).join('')

/** The longest text that it can be, without its values. */
const lengthOf = (parts: Parts): number =>
  parts.reduce((sum, part) => {
    if (typeof part === 'string') return sum + part.length
    if (part.kind === 'tag') return sum + lengthOf(part.inside)
    if (part.kind === 'plural') return sum + Math.max(...Object.values(part.cases).map(lengthOf))
    return sum
  }, 0)

const write = (parts: Parts): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return accent(part)
      if (part.kind === 'value') return `{${part.name}}`
      if (part.kind === 'count') return '#'
      if (part.kind === 'tag') return `<${part.name}>${write(part.inside)}</${part.name}>`
      const cases = Object.entries(part.cases).map(([key, inside]) => `${key} {${write(inside)}}`)
      return `{${part.name}, plural, ${cases.join(' ')}}`
    })
    .join('')
