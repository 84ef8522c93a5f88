// Null in every place of a body: where the schema allows it, and where it does not.
import { resolve, type Schema } from '../db-kit/openapi-document.ts'

type Json = Record<string, unknown>
/** Property names from the body inward; an item of a list is '0'. */
type NullLocation = readonly string[]

const DEEPEST = 6
const ANY_NAME = 'X-Null'

/** Every property, item and map entry that the schema of a body names. */
export function nullLocations(node: unknown): NullLocation[] {
  return locationsIn(node, 0)
}

function locationsIn(node: unknown, depth: number): NullLocation[] {
  const schema = objectIn(node)
  if (depth > DEEPEST) return []
  const { properties = {}, additionalProperties: others, items } = schema
  const inside = Object.entries(properties as Json)
  const map = typeof others === 'object' && others !== null ? [[ANY_NAME, others] as const] : []
  const item = items === undefined ? [] : [['0', items] as const]
  return [...inside, ...map, ...item].flatMap(([name, member]) => [
    [name],
    ...locationsIn(member, depth + 1).map((place) => [name, ...place]),
  ])
}

/** The part of the schema that has members; null alternatives and wrappers have none. */
function objectIn(node: unknown): Schema {
  const schema = resolve(node)
  const parts = [
    ...((schema['anyOf'] ?? []) as unknown[]),
    ...((schema['allOf'] ?? []) as unknown[]),
  ]
  const members = parts.map(objectIn).find((part) => part['properties'] ?? part['items'])
  return members ?? schema
}

/** A copy of the body with null in that place; missing parents are created. */
export function withNullAt(body: unknown, place: NullLocation): unknown {
  const [name, ...rest] = place
  if (name === undefined) return null
  if (name === '0') {
    const [first, ...others] = Array.isArray(body) ? body : []
    return [withNullAt(first, rest), ...others]
  }
  const object = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  return { ...object, [name]: withNullAt((object as Json)[name], rest) }
}
