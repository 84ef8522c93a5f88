// The largest value that a schema of the documents accepts, with every character escaped.
import assert from 'node:assert/strict'

export type SchemaNode = {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  anyOf?: readonly SchemaNode[]
  oneOf?: readonly SchemaNode[]
  properties?: Record<string, SchemaNode>
  additionalProperties?: boolean | SchemaNode
  maxProperties?: number
  items?: SchemaNode
  maxItems?: number
  maxLength?: number
  pattern?: string
  format?: string
}

type Schemas = Record<string, SchemaNode>

// What the documents say in words: components of all sections, and the characters of a map's names and values.
const COMPONENTS_IN_ALL = 200
const MAP_CHARACTERS = 8_192
const NAME_CHARACTERS = 64
const ID_CHARACTERS = 30
const TIME = '2026-11-14T22:39:00.000000000+00:00'
const NUMBER = '-1.2345678901234567e+300'
const ASTRAL = String.raw`\ud83d\ude00`

const escapedAscii = (text: string): string =>
  `"${text.replaceAll(/./gs, (c) => `\\u00${c.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`
const letters = (length: number): string => escapedAscii('a'.repeat(length))
const astral = (length: number): string => `"${ASTRAL.repeat(length)}"`

export function largestBody(schema: SchemaNode, schemas: Schemas): string {
  let components = COMPONENTS_IN_ALL
  return valueOf(schema)

  function valueOf(node: SchemaNode): string {
    if (node.$ref !== undefined) return valueOf(named(node.$ref))
    const choices = [...(node.anyOf ?? []), ...(node.oneOf ?? [])]
    if (choices.length > 0) return longest(choices.map(valueOf))
    if (node.enum !== undefined)
      return longest(node.enum.map((value) => escapedAscii(String(value))))
    const kinds = [node.type].flat()
    if (kinds.includes('object')) return objectOf(node)
    if (kinds.includes('array')) return `[${itemsOf(node).join(',')}]`
    if (kinds.includes('string')) return textOf(node)
    return kinds.includes('boolean') ? 'false' : NUMBER
  }

  function named(ref: string): SchemaNode {
    const found = schemas[ref.split('/').at(-1) ?? '']
    assert.ok(found, ref)
    return found
  }

  function itemsOf({ items = {}, maxItems = 1 }: SchemaNode): string[] {
    return Array.from({ length: maxItems }, () => valueOf(items))
  }

  function objectOf({ properties = {}, additionalProperties: others, maxProperties }: SchemaNode) {
    const members = Object.entries(properties).map(([name, node]) => {
      const value = name === 'components' ? componentsOf(node) : valueOf(node)
      return `${escapedAscii(name)}:${value}`
    })
    const map = typeof others === 'object' ? mapOf(others, maxProperties) : []
    return `{${[...members, ...map].join(',')}}`
  }

  /** Those of the first section are all there may be. */
  function componentsOf(node: SchemaNode): string {
    const maxItems = Math.min(components, node.maxItems ?? components)
    components -= maxItems
    return valueOf({ ...node, maxItems })
  }

  function mapOf(others: SchemaNode, most = MAP_CHARACTERS / (2 * NAME_CHARACTERS)): string[] {
    const value = others.maxLength === undefined ? letters(NAME_CHARACTERS) : valueOf(others)
    return Array.from({ length: most }, (_, at) => {
      const name = escapedAscii(`X-${at}`.padEnd(NAME_CHARACTERS - 2, 'a'))
      return `${name}:${value}`
    })
  }
}

function textOf({ maxLength, pattern, format }: SchemaNode): string {
  if (format === 'date-time') return escapedAscii(TIME)
  const length = maxLength ?? ID_CHARACTERS
  return pattern === undefined ? astral(length) : letters(length)
}

const longest = (texts: readonly string[]): string =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), '')
