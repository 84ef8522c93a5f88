// The JSON Schema of a configuration file, as far as this program reads it.
import schema from './upvane.schema.json' with { type: 'json' }

export type FileSchema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: FileSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, FileSchema>
  required?: string[]
  additionalProperties?: boolean | FileSchema
  propertyNames?: FileSchema
  maxProperties?: number
  allOf?: FileSchema[]
  anyOf?: FileSchema[]
  not?: FileSchema
  default?: unknown
  writeOnly?: boolean
  description?: string
}

const DEFINITIONS = '#/$defs/'
// Safe because make-schema.ts writes nothing else, and a test compares.
const ROOT = schema as unknown as FileSchema & { $defs: Record<string, FileSchema> }

export function getFileSchema(): FileSchema {
  return ROOT
}

export function getDefinition(name: string): FileSchema {
  const found = ROOT.$defs[name]
  if (found === undefined) throw new Error(`The schema has no definition "${name}".`)
  return found
}

export function follow(reference: string): FileSchema {
  return getDefinition(reference.slice(DEFINITIONS.length))
}
