// Building blocks of the schema of upvane.yaml.

export type SchemaNode = { [keyword: string]: unknown }
export type Properties = Record<string, SchemaNode>

// A placeholder stands for text that the editor does not know.
const PLACEHOLDER = '\\$\\{env:'

export function object(properties: Properties, required: readonly string[]): SchemaNode {
  return {
    type: 'object',
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
    properties,
  }
}

/** A rule for objects whose field has this value. */
export function whenever(field: string, value: string, rule: SchemaNode): SchemaNode {
  return { anyOf: [{ properties: { [field]: { not: { const: value } } } }, rule] }
}

/** Makes defaults readable by programs, references local, and lets placeholders through. */
export function toFileProperty(schema: SchemaNode): SchemaNode {
  const { description, pattern } = schema
  const [, given] = /Default: `([^`]+)`/.exec(String(description ?? '')) ?? []
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')
  const local = JSON.parse(text, (key, value) =>
    key.startsWith('~') ? undefined : value,
  ) as SchemaNode
  return {
    ...local,
    ...(typeof pattern === 'string' && { pattern: `${PLACEHOLDER}|(?:${pattern})` }),
    ...(given !== undefined && { default: parse(given) }),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
