// A catalog as the code uses it: a message without values is a string, and one with values a function of them.
import { fill, type Language, type Parts, parseMessage } from './message.ts'

type Plain = string | number

/** `count` of `{count, plural, …}` and the values in its cases. */
type PluralNames<S> = S extends `${infer Head}{${infer Body}`
  ? Head extends `${string}}${string}`
    ? Values<`{${Body}`>
    : CaseNames<Body>
  : unknown
type CaseNames<S> = S extends `${infer Text}}${infer After}`
  ? Text extends `${string}{${infer Name}`
    ? Record<Name, unknown> & CaseNames<After>
    : PluralNames<After>
  : unknown
type Values<S> = S extends `${string}{${infer Rest}`
  ? Rest extends `${infer Name}}${infer After}`
    ? Name extends `${infer Count}, plural,${string}`
      ? Rest extends `${string}, plural,${infer Cases}`
        ? Record<Count, number> & PluralNames<Cases>
        : never
      : Record<Name, unknown> & Values<After>
    : never
  : unknown
type Tags<S> = S extends `${string}</${infer Name}>${infer After}` ? Name | Tags<After> : never

type Given<Names, Value> = {
  readonly [Name in keyof Names]: unknown extends Names[Name] ? Value : number
}
type Marks<Names extends string, Node> = Readonly<Record<Names, (inside: Node) => Node>>

/** Filled with text it is text; filled with elements it is what can stand between elements. */
type Filled<Names, Node> = {
  (values: Given<Names, Plain>): string
  (values: Given<Names, Plain | Node>): Node
}

type Message<S extends string, Node> = string extends S
  ? string
  : [Tags<S>] extends [never]
    ? unknown extends Values<S>
      ? string
      : Filled<Values<S>, Node>
    : (values: Given<Values<S>, Plain | Node> & Marks<Tags<S>, Node>) => Node

/** A catalog with its messages as strings and functions; `Node` is what else can stand between words. */
export type Texts<Catalog, Node> = Catalog extends string
  ? Message<Catalog, Node>
  : { readonly [Key in keyof Catalog]: Texts<Catalog[Key], Node> }

type Tree = { readonly [key: string]: string | Tree }

export const textsOf = <const Catalog extends object, Node>(
  catalog: Catalog,
  language: Language<Node>,
): Texts<Catalog, Node> => toTexts(catalog as Tree, language) as Texts<Catalog, Node>

function toTexts(catalog: Tree, language: Language<unknown>): object {
  const texts = Object.values(catalog).map((inside) =>
    typeof inside === 'string' ? toText(inside, language) : toTexts(inside, language),
  )
  if (Array.isArray(catalog)) return texts
  return Object.fromEntries(Object.keys(catalog).map((key, at) => [key, texts[at]]))
}

function toText(message: string, language: Language<unknown>): unknown {
  // `< 1 ms` is neither a value nor a tag.
  if (!/\{|<[a-z]/.test(message)) return message
  let parts: Parts | undefined
  return (values: Readonly<Record<string, unknown>>) => {
    parts ??= parseMessage(message)
    return fill(parts, values, language)
  }
}

/** A translation, in English where it leaves something out. */
export function completed<Catalog>(english: Catalog, translation: unknown): Catalog {
  if (typeof english !== 'object' || english === null)
    return typeof translation === typeof english ? (translation as Catalog) : english
  if (Array.isArray(english)) return Array.isArray(translation) ? (translation as Catalog) : english
  const rows = Object.entries(english).map(([key, inside]) => [
    key,
    completed(inside, Object(translation)[key]),
  ])
  return Object.fromEntries(rows) as Catalog
}
