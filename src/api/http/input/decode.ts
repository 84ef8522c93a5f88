// Turns validated input into what handlers work with: ids of the path and of filters into UUIDs, times into Dates.
import type { BaseOperation } from '../../../contract/operation.ts'
import { REFERENCES } from '../../../contract/references.ts'
import { fromPublicId, NIL_UUID } from '../../../domain/values/id.ts'
import { parseTimestamp } from '../../../domain/values/timestamp.ts'
import { notFound } from '../../../platform/api-error.ts'
import type { Schema } from './validation.ts'

type Values = Readonly<Record<string, unknown>>
type Input = { params?: Values; query?: unknown; body?: unknown }
type Decode = (value: unknown) => unknown

export function decoderOf(operation: BaseOperation): Decode {
  const { path, missing, query, body } = operation
  const inPath = Object.entries(REFERENCES).filter(([name]) => path.includes(`{${name}}`))
  const filters = Object.entries(REFERENCES).filter(([name]) => query && name in query.properties)
  const decodeQuery = timeDecoder(query)
  const decodeBody = timeDecoder(body?.schema)
  return (input) => {
    // Safe because the pipeline hands over the input of a request, with every parameter of the path.
    const { params = {}, ...rest } = input as Input
    const decoded = { params: { ...params }, ...rest }
    for (const [name, { prefix, noun }] of inPath) {
      const uuid = fromPublicId(prefix, String(params[name]))
      // What is not an id of its kind refers to nothing.
      if (uuid === undefined) throw notFound(missing ?? noun)
      decoded.params[name] = uuid
    }
    const asked = decodeQuery(rest.query) as Values | undefined
    const named = filters.flatMap(([name, { prefix }]) => {
      const id = asked?.[name]
      return id === undefined ? [] : [[name, fromPublicId(prefix, String(id)) ?? NIL_UUID]]
    })
    return {
      ...decoded,
      query: named.length === 0 ? asked : { ...asked, ...Object.fromEntries(named) },
      body: decodeBody(rest.body),
    }
  }
}

/** Of what has passed its schema, or misses the fields that have not. */
export function timeDecoder(schema: object | undefined): Decode {
  return decoderIn(schema) ?? ((value) => value)
}

/** Undefined if it describes no time. */
function decoderIn(schema: unknown): Decode | undefined {
  if (!isObject(schema)) return undefined
  const { format, items, properties }: Schema = schema
  if (format === 'date-time')
    return (value) => (typeof value === 'string' ? parseTimestamp(value) : value)
  const decodeItem = decoderIn(items)
  if (decodeItem) return (value) => (Array.isArray(value) ? value.map(decodeItem) : value)
  const times = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) => {
    const decode = decoderIn(member)
    return decode ? [{ name, decode }] : []
  })
  if (times.length === 0) return undefined
  return (value) => {
    if (!isObject(value)) return value
    const given = times.filter(({ name }) => value[name] !== undefined)
    const decoded = given.map(({ name, decode }) => [name, decode(value[name])])
    return { ...value, ...Object.fromEntries(decoded) }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
