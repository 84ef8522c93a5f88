// A schema's fields as a list for people: name, type, required, default, bounds, meaning.
import type { OpenapiDocument } from '../../contract/public/openapi.ts'
import type { JsonSchema } from '../../contract/public/openapi-schema.ts'
import { escapeHtml } from '../../render/html.ts'
import { prose } from './text.ts'

const MAX_DEPTH = 4
const MANY_VALUES = 12

type Resolve = (schema: JsonSchema) => JsonSchema

export function resolver(document: OpenapiDocument): Resolve {
  return (schema) => {
    if (schema.$ref === undefined) return schema
    return document.components.schemas[schemaName(schema.$ref)] ?? {}
  }
}

export const schemaName = (ref: string): string => ref.split('/').at(-1) ?? ref

export type Field = { name: string; schema: JsonSchema; required: boolean; needed?: boolean }

/** Fields of an object. `needed`: whether to show "required", as in requests. */
export function fieldsOf(schema: JsonSchema, needed: boolean): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    required: schema.required?.includes(name) ?? false,
    needed,
  }))
}

export function fieldList(fields: Field[], resolve: Resolve, depth = 0): string {
  return `<ul class="fields">${fields.map((field) => fieldItem(field, resolve, depth)).join('')}</ul>`
}

function fieldItem({ name, schema, required, needed }: Field, resolve: Resolve, depth: number) {
  const parts = [
    `<code class="name">${escapeHtml(name)}</code>`,
    `<span class="type">${escapeHtml(typeLabel(schema, resolve))}</span>`,
    ...(required && needed ? ['<span class="required">required</span>'] : []),
  ]
  return `<li><p class="head">${parts.join(' ')}</p>${meaning(schema, resolve)}${limits(schema)}${values(schema, resolve)}${children(schema, resolve, { depth, needed })}</li>`
}

function meaning(schema: JsonSchema, resolve: Resolve): string {
  const { description } = schema.description ? schema : resolve(schema)
  return description ? `<p>${prose(description)}</p>` : ''
}

function typeLabel(schema: JsonSchema, resolve: Resolve): string {
  if (schema.anyOf) return schema.anyOf.map((part) => typeLabel(part, resolve)).join(' or ')
  if (schema.oneOf) return `one of ${schema.oneOf.length} objects`
  if (schema.allOf) return schema.allOf.map((part) => typeLabel(part, resolve)).join(' and ')
  if (schema.$ref) return typeLabel(resolve(schema), resolve)
  const types = [schema.type ?? 'any'].flat()
  return types.map((type) => oneType(type, schema, resolve)).join(' or ')
}

function oneType(type: string, schema: JsonSchema, resolve: Resolve): string {
  if (type === 'array' && schema.items) return `array of ${typeLabel(schema.items, resolve)}`
  if (type !== 'string') return type
  if (schema.format === 'date-time') return 'timestamp'
  return schema.enum ? 'enum' : 'string'
}

function limits(schema: JsonSchema): string {
  const facts = [...bounds(schema), ...defaultOf(schema)]
  return facts.length === 0 ? '' : `<p class="limits">${facts.join('<span>·</span>')}</p>`
}

function bounds(schema: JsonSchema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items, pattern } = schema
  const each = items ? bounds(items) : []
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...each.map((fact) => `each ${fact}`),
    ...(pattern ? [`matches <code>${escapeHtml(pattern)}</code>`] : []),
  ]
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (most !== undefined && least !== undefined) return [`${least} to ${most}${unit}`]
  if (most !== undefined) return [`at most ${most}${unit}`]
  // A text or list that may not be empty needs no mention.
  if (least === 1 && unit !== '') return []
  return least === undefined ? [] : [`at least ${least}${unit}`]
}

function defaultOf(schema: JsonSchema): string[] {
  if (!('default' in schema)) return []
  const text = JSON.stringify(schema.default).replaceAll(',', ', ')
  return [`default <code>${escapeHtml(text.replace(/^"(.*)"$/, '$1'))}</code>`]
}

function values(schema: JsonSchema, resolve: Resolve): string {
  const shown = enumOf(schema, resolve).filter((value) => value !== null)
  if (shown.length === 0) return ''
  const list = shown.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ')
  if (shown.length <= MANY_VALUES) return `<p class="values">${list}</p>`
  return `<details class="more"><summary>${shown.length} values</summary><p class="values">${list}</p></details>`
}

/** The values a field may have, whether its enum is inline or named. */
function enumOf(schema: JsonSchema, resolve: Resolve): unknown[] {
  if (schema.const !== undefined) return [schema.const]
  const { items, anyOf = [], allOf = [] } = schema
  const parts = [schema, ...(items ? [items] : []), ...anyOf, ...allOf].map(resolve)
  return parts.find((part) => part.enum)?.enum ?? []
}

type FieldPosition = { depth: number; needed: boolean | undefined }

function children(schema: JsonSchema, resolve: Resolve, { depth, needed }: FieldPosition): string {
  const object = [
    schema,
    schema.items,
    schema.items?.items,
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
  ]
    .filter((part) => part !== undefined)
    .map(resolve)
    .find(({ properties }) => properties !== undefined)
  if (object === undefined || depth >= MAX_DEPTH) return ''
  const fields = fieldsOf(object, needed ?? false)
  return `<details class="more"><summary>${fields.length} fields inside</summary>${fieldList(fields, resolve, depth + 1)}</details>`
}
