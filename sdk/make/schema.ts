// openapi.json, as far as the generators of the SDK read it.
import { readFileSync } from 'node:fs'

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: (string | number | null)[]
  const?: string
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
}
type Content = { schema: Schema; example?: unknown }
type Json = { content: { 'application/json': Content } }
type Webhook = { post: { summary: string; requestBody: Json } }
export type Parameter = {
  $ref?: string
  name?: string
  in?: string
  description?: string
  schema?: Schema
}
export type Described = {
  operationId: string
  summary: string
  parameters?: Parameter[]
  requestBody?: Json & { required?: boolean }
  responses: Record<string, Partial<Json>>
}
export type Openapi = {
  paths: Record<string, Record<string, Described>>
  /** Only in the document of the public API. */
  webhooks: Record<string, Webhook>
  components: { schemas: Record<string, Schema> }
}

export function readOpenapi(name: 'openapi.json' | 'openapi-ext.json' = 'openapi.json'): Openapi {
  const file = new URL(`../../${name}`, import.meta.url)
  const document = JSON.parse(readFileSync(file, 'utf8')) as Omit<Openapi, 'webhooks'>
  return { webhooks: {}, ...document }
}

export function reachableFrom(openapi: Openapi, names: Iterable<string>): string[] {
  const found = new Set(names)
  // Iterating a set includes entries added meanwhile.
  for (const name of found) for (const next of namesIn(schemaOf(openapi, name))) found.add(next)
  return [...found].toSorted()
}

export function namesIn(schema: Schema): string[] {
  const { $ref, properties = {}, items, allOf = [], anyOf = [] } = schema
  const inside = [...Object.values(properties), ...(items ? [items] : []), ...allOf, ...anyOf]
  return [...($ref === undefined ? [] : [nameOf($ref)]), ...inside.flatMap(namesIn)]
}

export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

export function schemaOf(openapi: Openapi, name: string): Schema {
  const schema = openapi.components.schemas[name]
  if (schema === undefined) throw new Error(`openapi.json has no schema "${name}".`)
  return schema
}
