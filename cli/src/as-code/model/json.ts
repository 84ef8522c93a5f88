// Values as they are in files and in the API.
import { createHash } from 'node:crypto'

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject
export type JsonObject = { [name: string]: JsonValue }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The same text for the same value, whatever the order of its names. */
export function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const names = Object.keys(value).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(',')}}`
}

export function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return canonical(one) === canonical(other)
}

export function sha256(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** As a set: sorted, each once. */
export function asSet(value: JsonValue | undefined): JsonValue {
  if (!Array.isArray(value)) return value ?? null
  return [...new Map(value.map((each) => [canonical(each), each]))]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, each]) => each)
}

/** The same instant is the same text. Anything else stays as it is. */
export function asInstant(value: JsonValue | undefined): JsonValue {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? (value ?? null) : new Date(time).toISOString()
}
