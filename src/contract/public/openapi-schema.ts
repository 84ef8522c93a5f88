// Converts a schema of the contract into one of the document. Named schemas become references.
import { findEnumName, NAMED_ENUMS } from './named-enums.ts'
import { documentedAs, PUBLIC_SCHEMAS, SchemaNames } from './named-schemas.ts'

/** A request stays closed where the contract closes it; a response may grow. */
type Direction = 'request' | 'response'

export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
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
  oneOf?: JsonSchema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
  additionalProperties?: boolean | JsonSchema
}

const NULL: JsonSchema = { type: 'null' }

/** Collects the named schemas it encounters. */
export class SchemaBook {
  readonly #found = new Map<string, { direction: Direction; schema: JsonSchema }>()
  readonly #enums = new Set<string>()
  readonly #names: SchemaNames

  constructor(named: ConstructorParameters<typeof SchemaNames>[0] = PUBLIC_SCHEMAS) {
    this.#names = new SchemaNames(named)
  }

  convert(schema: object, direction: Direction): JsonSchema {
    const name = this.#names.find(schema)
    return name === undefined
      ? this.#inline(schema, direction)
      : this.#named(name, schema, direction)
  }

  /** By name, in alphabetical order. */
  schemas(): Record<string, JsonSchema> {
    const objects = [...this.#found].map(([name, { schema }]) => [name, schema] as const)
    const enums = [...this.#enums].map((name) => [name, namedEnum(name)] as const)
    return Object.fromEntries([...objects, ...enums].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #named(name: string, schema: object, direction: Direction): JsonSchema {
    const seen = this.#found.get(name)
    // One name has one form: a schema used in both directions would be closed and open at once.
    if (seen && seen.direction !== direction)
      throw new Error(`Schema ${name} is used in a request and in a response.`)
    if (!seen) {
      this.#found.set(name, { direction, schema: {} })
      const shown = this.#inline(documentedAs(schema), direction)
      this.#found.set(name, { direction, schema: shown })
    }
    return { $ref: refTo(name) }
  }

  #inline(schema: object, direction: Direction): JsonSchema {
    const from = schema as JsonSchema
    if (from.enum) return this.#enum(from, from.enum)
    if (from.properties && isNullable(from)) return this.#nullableCopy(from, direction)
    return this.#parts(from, direction)
  }

  #parts(from: JsonSchema, direction: Direction): JsonSchema {
    const to: JsonSchema = { ...from }
    for (const list of ['anyOf', 'allOf', 'oneOf'] as const)
      if (from[list]) to[list] = from[list].map((part) => this.convert(part, direction))
    if (from.items) to.items = this.convert(from.items, direction)
    if (from.properties) to.properties = this.#properties(from.properties, direction)
    if (typeof from.additionalProperties === 'object')
      to.additionalProperties = this.convert(from.additionalProperties, direction)
    if (direction === 'response' && from.additionalProperties === false)
      delete to.additionalProperties
    if (to.required?.length === 0) delete to.required
    return to
  }

  /** A single value is a constant, a named enum is a reference, and any other stays inline. */
  #enum(from: JsonSchema, values: unknown[]): JsonSchema {
    const [only, ...others] = values
    const { enum: _, ...rest } = from
    if (others.length === 0) return { ...rest, const: only }
    const name = findEnumName(values)
    if (name === undefined) return from
    this.#enums.add(name)
    return refWith({ $ref: refTo(name) }, from)
  }

  /** `nullable` copies the schema, so only the original has the name. */
  #nullableCopy(from: JsonSchema, direction: Direction): JsonSchema {
    const original = this.#names.findOriginal(from)
    if (original === undefined) throw new Error('An object that may be null needs a name.')
    return refWith(this.convert(original, direction), from)
  }

  #properties(properties: Record<string, JsonSchema>, direction: Direction) {
    const entries = Object.entries(properties).map(([name, schema]) => {
      const shown = this.convert(schema, direction)
      return [name, direction === 'request' ? withDefaultInWords(shown, schema) : shown] as const
    })
    return Object.fromEntries(entries)
  }
}

const refTo = (name: string): string => `#/components/schemas/${name}`

const namedEnum = (name: string): JsonSchema => ({
  type: 'string',
  enum: [...(NAMED_ENUMS[name] ?? [])],
})

const isNullable = ({ type }: JsonSchema): boolean => [type ?? []].flat().includes('null')

/** The reference with the field's own description, and with null where the field allows it. */
function refWith(ref: JsonSchema, from: JsonSchema): JsonSchema {
  const { description } = from
  if (isNullable(from)) return { anyOf: [ref, NULL], ...(description && { description }) }
  return description ? { allOf: [ref], description } : ref
}

/**
 * Generators such as openapi-typescript make a property with a `default` required, although the service fills it in. So
 * the default of a body property is stated in its description instead.
 */
function withDefaultInWords(shown: JsonSchema, source: JsonSchema): JsonSchema {
  if (!('default' in source)) return shown
  const { default: _, ...rest } = shown
  if (source.default === null) return rest
  const value = JSON.stringify(source.default).replaceAll(',', ', ')
  const text = `Default: \`${value.replace(/^"(.*)"$/, '$1')}\`.`
  return { ...rest, description: [rest.description, text].filter(Boolean).join(' ') }
}
