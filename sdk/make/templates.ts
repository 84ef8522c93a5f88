// What the fake of @upvane/sdk/testing fills in for fields that a test leaves out.
import type { Operation, Resource } from './resources.ts'
import { nameOf, type Openapi, type Schema, schemaOf } from './schema.ts'

const EMPTY: Record<string, unknown> = {
  string: '',
  boolean: false,
  array: [],
  integer: 0,
  number: 0,
}
const DEFAULT = /Default: `([^`]+)`/

export function templatesFile(head: string, openapi: Openapi, resources: Resource[]): string {
  const lines = resources.map(({ name, operations }) => {
    const { prefix, template, required } = describe(openapi, operations)
    return `  ${name}: ${JSON.stringify({ prefix, required, template })},\n`
  })
  const names = resources.map(({ name }) => `'${name}'`)
  return [
    head,
    '// biome-ignore-all format: data, one line for each resource\n\n',
    '/** How ids begin, what create requires, and a new item. */\n',
    'type Template = { prefix: string; required: string[]; template: object }\n\n',
    `export const TEMPLATES: Record<${names.join(' | ')}, Template> = {\n${lines.join('')}}\n`,
  ].join('')
}

type Template = { prefix: string; required: string[]; template: object }

function describe(openapi: Openapi, operations: Operation[]): Template {
  const get = operations.find(({ name }) => name === 'get')
  const example = get?.described.responses['200']?.content?.['application/json'].example as {
    id: string
  }
  const prefix = example.id.slice(0, example.id.indexOf('_') + 1)
  const create = operations.find(({ name }) => name === 'create')
  // Nobody creates incidents and deliveries: they come from the example.
  if (create?.input === undefined || get === undefined)
    return { prefix, required: [], template: example }
  const input = schemaOf(openapi, create.input)
  const template = blank(openapi, schemaOf(openapi, get.output), input)
  return { prefix, required: input.required ?? [], template }
}

function blank(openapi: Openapi, output: Schema, input: Schema): object {
  const entries = Object.entries(output.properties ?? {}).map(([name, schema]) => {
    const [, given] = DEFAULT.exec(input.properties?.[name]?.description ?? '') ?? []
    return [name, given === undefined ? emptyOf(openapi, schema) : parse(given)]
  })
  return Object.fromEntries(entries)
}

function emptyOf(openapi: Openapi, schema: Schema): unknown {
  const { $ref, allOf = [], anyOf = [], type = [] } = schema
  if ($ref !== undefined) return emptyOf(openapi, schemaOf(openapi, nameOf($ref)))
  if (allOf[0] !== undefined) return emptyOf(openapi, allOf[0])
  if (anyOf.some((each) => each.type === 'null') || type.includes('null')) return null
  if (schema.enum !== undefined) return schema.enum[0]
  return EMPTY[String(type)] ?? {}
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
