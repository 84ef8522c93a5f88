// The kinds of JSON Schema that the contract consists of. Their types are TypeBox's; its code is not loaded, because
// that would be 373 modules at every start for what these few lines do.
import type { Type as TypeBox } from 'typebox'

type Kind =
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'

const optional = new WeakSet<object>()

const kinds = {
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Literal: (value: boolean | number | string, options?: object) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Object: (properties: Record<string, object>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name]))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: (schema: object) => {
    const copy = { ...schema }
    optional.add(copy)
    return copy
  },
  Record: (_key: object, value: object, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly object[], options?: object) => ({ anyOf, ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: (schema: object) => schema,
}

function isOptional(schema: object | undefined): boolean {
  return schema !== undefined && optional.has(schema)
}

// Safe because each kind returns the schema that TypeBox would; a test compares them.
export const Type = kinds as unknown as Pick<typeof TypeBox, Kind>
