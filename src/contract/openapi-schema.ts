// From a schema of the contract to one of the document: named ones become references.
import { findSchemaName } from './named-schemas.ts'

/** What a client sends stays closed where the contract closes it; an answer may grow. */
export type Direction = 'request' | 'response'

export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
  default?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  additionalProperties?: boolean | JsonSchema
}

/** Gathers the named schemas that were met on the way. */
export class SchemaBook {
  readonly #found = new Map<string, { direction: Direction; schema: JsonSchema }>()

  convert(schema: object, direction: Direction): JsonSchema {
    const name = findSchemaName(schema)
    if (name === undefined) return this.#inline(schema, direction)

    const seen = this.#found.get(name)
    // One name has one form: a schema both sent and answered would be closed and open at once.
    if (seen && seen.direction !== direction)
      throw new Error(`Schema ${name} is used in a request and in a response.`)
    if (!seen) {
      this.#found.set(name, { direction, schema: {} })
      this.#found.set(name, { direction, schema: this.#inline(schema, direction) })
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** By name, in the order of the alphabet. */
  schemas(): Record<string, JsonSchema> {
    const entries = [...this.#found].map(([name, { schema }]) => [name, schema] as const)
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #inline(schema: object, direction: Direction): JsonSchema {
    const from = schema as JsonSchema
    const to: JsonSchema = { ...from }
    if (from.items) to.items = this.convert(from.items, direction)
    if (from.anyOf) to.anyOf = from.anyOf.map((part) => this.convert(part, direction))
    if (from.allOf) to.allOf = from.allOf.map((part) => this.convert(part, direction))
    if (from.properties) to.properties = this.#properties(from.properties, direction)
    if (typeof from.additionalProperties === 'object')
      to.additionalProperties = this.convert(from.additionalProperties, direction)
    if (direction === 'response' && from.additionalProperties === false)
      delete to.additionalProperties
    if (to.required?.length === 0) delete to.required
    return to
  }

  #properties(properties: Record<string, JsonSchema>, direction: Direction) {
    const entries = Object.entries(properties)
    return Object.fromEntries(
      entries.map(([name, schema]) => [name, this.convert(schema, direction)]),
    )
  }
}
