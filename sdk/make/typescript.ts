// Prints schemas as TypeScript, in the way the formatter would.
import { nameOf, type Schema } from './schema.ts'

/** `input` is what a caller sends: a time may be a Date there. */
type Direction = 'input' | 'output'

const COLUMNS = 100
const PRIMITIVES: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'Record<string, unknown>',
}

export function printType(name: string, schema: Schema, direction: Direction = 'output'): string {
  if (schema.enum === undefined)
    return `export type ${name} = ${printBlock(schema, '', direction)}\n`
  return `${breakable(`export type ${name} =`, alternatives(schema, direction), '')}\n`
}

export function printBlock(
  schema: Schema,
  indent: string,
  direction: Direction = 'output',
): string {
  return `{\n${printFields(schema, `${indent}  `, direction)}${indent}}`
}

export function printFields(
  { properties = {}, required = [] }: Schema,
  indent: string,
  direction: Direction = 'output',
): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const about = schema.description ? `${indent}/** ${schema.description} */\n` : ''
      const key = required.includes(name) ? name : `${name}?`
      return `${about}${breakable(`${key}:`, alternatives(schema, direction), indent)}\n`
    })
    .join('')
}

/** A union that does not fit gets one line per part. */
export function breakable(start: string, parts: string[], indent: string): string {
  const line = `${indent}${start} ${parts.join(' | ')}`
  if (line.length <= COLUMNS) return line
  return [`${indent}${start}`, ...parts.map((part) => `${indent}  | ${part}`)].join('\n')
}

/** A method whose signature does not fit gets one line per parameter. */
export function printMethod(name: string, parameters: string[], result: string): string {
  const line = `  ${name}(${parameters.join(', ')}): ${result}`
  if (line.length <= COLUMNS) return `${line}\n`
  return `  ${name}(\n${parameters.map((each) => `    ${each},\n`).join('')}  ): ${result}\n`
}

export function printImport(names: Iterable<string>, from: string): string {
  const sorted = [...new Set(names)].toSorted()
  if (sorted.length === 0) return ''
  const line = `import type { ${sorted.join(', ')} } from '${from}'`
  if (line.length <= COLUMNS) return `${line}\n`
  return `import type {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${from}'\n`
}

export function alternatives(schema: Schema, direction: Direction = 'output'): string[] {
  const inside = (some: Schema[]) => some.flatMap((each) => alternatives(each, direction))
  if (schema.$ref !== undefined) return [nameOf(schema.$ref)]
  if (schema.const !== undefined) return [`'${schema.const}'`]
  if (schema.enum !== undefined) return schema.enum.map(literal)
  if (schema.allOf !== undefined) return inside(schema.allOf)
  if (schema.anyOf !== undefined) return inside(schema.anyOf)
  return [schema.type ?? []].flat().flatMap((type) => printOne(type, schema, direction))
}

function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function printOne(type: string, schema: Schema, direction: Direction): string[] {
  if (type === 'array') return [list(schema, direction)]
  if (type === 'object') return [object(schema, direction)]
  if (type === 'string' && schema.format === 'date-time' && direction === 'input')
    return ['string', 'Date']
  return [plain(type)]
}

function list({ items = {} }: Schema, direction: Direction): string {
  const parts = alternatives(items, direction)
  return parts.length === 1 ? `${parts[0]}[]` : `(${parts.join(' | ')})[]`
}

function object(schema: Schema, direction: Direction): string {
  const { properties, additionalProperties, required = [] } = schema
  if (typeof additionalProperties === 'object' && additionalProperties.type !== undefined)
    return `Record<string, ${alternatives(additionalProperties, direction).join(' | ')}>`
  if (properties === undefined) return plain('object')
  const entries = Object.entries(properties).map(([name, each]) => {
    const key = required.includes(name) ? name : `${name}?`
    return `${key}: ${alternatives(each, direction).join(' | ')}`
  })
  return `{ ${entries.join('; ')} }`
}

function plain(type: string): string {
  const found = PRIMITIVES[type]
  if (found === undefined) throw new Error(`No TypeScript is known for the JSON type "${type}".`)
  return found
}
