// Generates the types of the 22 events from openapi.json: node sdk/make-events.ts
import { readFileSync, writeFileSync } from 'node:fs'

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: (string | null)[]
  const?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
}
type Content = { schema: Schema; example?: unknown }
type Webhook = {
  post: { summary: string; requestBody: { content: { 'application/json': Content } } }
}
export type Openapi = {
  webhooks: Record<string, Webhook>
  components: { schemas: Record<string, Schema> }
}

const OPENAPI = new URL('../openapi.json', import.meta.url)
const SOURCES = new URL('./src/', import.meta.url)
const COLUMNS = 100
const HEAD =
  '// Made from openapi.json by sdk/make-events.ts. Edit the contract and make it again, not this file.\n'
const PRIMITIVES: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'Record<string, unknown>',
}

if (import.meta.main)
  for (const [name, text] of Object.entries(makeSources(readOpenapi())))
    writeFileSync(new URL(name, SOURCES), text)

export function readOpenapi(): Openapi {
  return JSON.parse(readFileSync(OPENAPI, 'utf8')) as Openapi
}

/** The text of each generated file in sdk/src, by name. */
export function makeSources(openapi: Openapi): Record<string, string> {
  const events = Object.entries(openapi.webhooks).map(([type, { post }]) => ({
    type,
    summary: post.summary,
    schema: bodyOf(openapi, post.requestBody.content['application/json'].schema),
  }))
  const direct = new Set(events.flatMap(({ schema }) => namesIn(schema)))
  return {
    'event-shapes.ts': shapesFile(openapi, reachableFrom(openapi, direct)),
    'events.ts': eventsFile(events, [...direct].toSorted()),
  }
}

function shapesFile(openapi: Openapi, names: string[]): string {
  const types = names.map((name) => shape(name, schemaOf(openapi, name)))
  return [HEAD, ...types].join('\n')
}

function shape(name: string, schema: Schema): string {
  if (schema.enum === undefined) return `export type ${name} = ${block(schema, '')}\n`
  return `${breakable(`export type ${name} =`, alternatives(schema), '')}\n`
}

/** An event's body may be inline or a reference. */
function bodyOf(openapi: Openapi, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : schemaOf(openapi, nameOf(schema.$ref))
}

type Event = { type: string; summary: string; schema: Schema }

function eventsFile(events: Event[], imports: string[]): string {
  const envelope = events[0]?.schema.properties ?? {}
  const { type: _, data: __, ...shared } = envelope
  const required = Object.keys(shared)
  const data = events.map(({ type, summary, schema }) => {
    const value = block(schema.properties?.['data'] ?? {}, '  ')
    return `  /** ${summary}. */\n  '${type}': ${value}\n`
  })
  const list = events.map(({ type }) => `  '${type}',\n`)
  return `${HEAD}import type {\n${imports.map((name) => `  ${name},\n`).join('')}} from './event-shapes.ts'

/** What each event carries, by its type. */
export type EventData = {
${data.join('')}}

export const EVENT_TYPES = [
${list.join('')}] as const satisfies readonly (keyof EventData)[]

export type EventType = (typeof EVENT_TYPES)[number]

export type EventOf<Type extends EventType> = {
${fields({ properties: shared, required }, '  ')}  type: Type
  data: EventData[Type]
}

/** One of all events: \`switch (event.type)\` narrows the shape of \`event.data\`. */
export type WebhookEvent = { [Type in EventType]: EventOf<Type> }[EventType]
`
}

function block(schema: Schema, indent: string): string {
  return `{\n${fields(schema, `${indent}  `)}${indent}}`
}

function fields({ properties = {}, required = [] }: Schema, indent: string): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const about = schema.description ? `${indent}/** ${schema.description} */\n` : ''
      const key = required.includes(name) ? name : `${name}?`
      return `${about}${breakable(`${key}:`, alternatives(schema), indent)}\n`
    })
    .join('')
}

// Formats like the formatter: a union that does not fit gets one line per part.
function breakable(start: string, parts: string[], indent: string): string {
  const line = `${indent}${start} ${parts.join(' | ')}`
  if (line.length <= COLUMNS) return line
  return [`${indent}${start}`, ...parts.map((part) => `${indent}  | ${part}`)].join('\n')
}

function alternatives(schema: Schema): string[] {
  if (schema.$ref !== undefined) return [nameOf(schema.$ref)]
  if (schema.const !== undefined) return [`'${schema.const}'`]
  if (schema.enum !== undefined) return schema.enum.map((value) => (value ? `'${value}'` : 'null'))
  if (schema.allOf !== undefined) return schema.allOf.flatMap(alternatives)
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(alternatives)
  return [schema.type ?? []].flat().map((type) => (type === 'array' ? list(schema) : plain(type)))
}

function list({ items = {} }: Schema): string {
  const parts = alternatives(items)
  return parts.length === 1 ? `${parts[0]}[]` : `(${parts.join(' | ')})[]`
}

function plain(type: string): string {
  const found = PRIMITIVES[type]
  if (found === undefined) throw new Error(`No TypeScript is known for the JSON type "${type}".`)
  return found
}

function reachableFrom(openapi: Openapi, names: Iterable<string>): string[] {
  const found = new Set(names)
  // Iterating a set includes entries added meanwhile.
  for (const name of found) for (const next of namesIn(schemaOf(openapi, name))) found.add(next)
  return [...found].toSorted()
}

function namesIn(schema: Schema): string[] {
  const { $ref, properties = {}, items, allOf = [], anyOf = [] } = schema
  const inside = [...Object.values(properties), ...(items ? [items] : []), ...allOf, ...anyOf]
  return [...($ref === undefined ? [] : [nameOf($ref)]), ...inside.flatMap(namesIn)]
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

function schemaOf(openapi: Openapi, name: string): Schema {
  const schema = openapi.components.schemas[name]
  if (schema === undefined) throw new Error(`openapi.json has no schema "${name}".`)
  return schema
}
