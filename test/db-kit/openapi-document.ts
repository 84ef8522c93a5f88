// The API description as data for generated tests: new operations are covered automatically.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Schema = { [keyword: string]: unknown }
type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: Schema }
type Documented = { schema: Schema; codes: readonly string[] }
export type Operation = {
  id: string
  method: string
  path: string
  parameters: readonly Parameter[]
  body: { required: boolean; schema: Schema; example: unknown } | undefined
  responses: ReadonlyMap<number, Documented>
}

type Json = Record<string, unknown>

const SAYS_NOTHING = new Set(['description', 'example', 'examples', 'default'])
const METHODS = ['get', 'post', 'patch', 'delete']
const document: Json = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
)

/** Follows a reference inside the document; anything else is returned unchanged. */
export function resolve(node: unknown): Json {
  const reference = (node as Json)['$ref']
  if (typeof reference !== 'string') return node as Json
  const steps = reference.slice('#/'.length).split('/')
  return resolve(steps.reduce<unknown>((at, step) => (at as Json)[step], document))
}

/** Every operation in the document. */
export function readOperations(): Operation[] {
  return Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) =>
      toOperation(method.toUpperCase(), path, item[method] as Json),
    ),
  )
}

function toOperation(method: string, path: string, raw: Json): Operation {
  const body = raw['requestBody'] as Json | undefined
  return {
    id: String(raw['operationId']),
    method,
    path,
    parameters: ((raw['parameters'] ?? []) as unknown[]).map((node) => toParameter(resolve(node))),
    body: body && {
      required: body['required'] === true,
      schema: contentOf(body)['schema'] as Schema,
      example: contentOf(body)['example'],
    },
    responses: new Map(
      Object.entries(raw['responses'] as Json).map(([status, node]) => [
        Number(status),
        toDocumented(contentOf(resolve(node))),
      ]),
    ),
  }
}

const toParameter = ({ name, in: place, schema }: Json) =>
  ({ name, in: place, schema }) as unknown as Parameter

function contentOf(node: Json): Json {
  return (node['content'] as Record<string, Json>)['application/json'] ?? {}
}

/** The examples of an error response are named after the codes it may contain. */
function toDocumented({ schema, examples }: Json): Documented {
  return { schema: schema as Schema, codes: Object.keys((examples ?? {}) as Json) }
}

/** The same schema with all references inlined. */
export function withoutReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutReferences)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(resolve(node))
  return Object.fromEntries(members.map(([name, member]) => [name, withoutReferences(member)]))
}

/** The schema without references, in which every object requires all of its properties and allows no others. */
export function toStrict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toStrict)
  if (typeof node !== 'object' || node === null) return node
  const strict: Json = Object.fromEntries(
    Object.entries(resolve(node))
      .filter(([name]) => !SAYS_NOTHING.has(name))
      .map(([name, member]) => [name, toStrictMember(name, member)]),
  )
  if (strict['properties'] === undefined || 'additionalProperties' in strict) return strict
  return { ...strict, additionalProperties: false, required: requiredOf(strict) }
}

function toStrictMember(name: string, member: unknown): unknown {
  if (name !== 'properties') return toStrict(member)
  return Object.fromEntries(
    Object.entries(member as Json).map(([property, schema]) => [property, toStrict(schema)]),
  )
}

// Only `details` is optional; it depends on the error code.
function requiredOf(schema: Json): string[] {
  return Object.keys(schema['properties'] as Json).filter((name) => name !== 'details')
}
