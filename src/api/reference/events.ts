// The events of the reference: the data of each, and the headers they all share.
import type { OpenapiDocument, Webhook } from '../../contract/public/openapi.ts'
import type { JsonSchema } from '../../contract/public/openapi-schema.ts'
import { escapeHtml } from '../../render/html.ts'
import { card, pre } from './operation.ts'
import { type Field, fieldList, fieldsOf, resolver, schemaName } from './schema.ts'
import { highlightJson } from './text.ts'

type EventRow = { type: string; summary: string; data: Field[] }

export const EVENTS_ID = 'events'

/** Objects that only events contain. Those of operations are described with the operations. */
export function eventObjects(document: OpenapiDocument, described: ReadonlySet<string>): string[] {
  const fields = eventRows(document).flatMap(({ data }) => data)
  const names = fields.flatMap(({ schema }) => objectName(schema, document) ?? [])
  return [...new Set(names)].filter((name) => !described.has(name))
}

export function renderEvents(document: OpenapiDocument): string {
  const rows = eventRows(document).map((row) => renderRow(row, document))
  if (rows.length === 0) return ''
  return `<section class="op group" id="${EVENTS_ID}"><div class="text">
<h2><a href="#${EVENTS_ID}">Events</a></h2>
<p class="lead">The body of a webhook request is one of these ${rows.length} events. Branch on <code>type</code>: it decides the shape of <code>data</code>.</p>
<h4>Body</h4>${fieldList(envelope(document), resolver(document))}
<h4>Headers</h4>${fieldList(headers(document), resolver(document))}
<h4>Types</h4><table class="codes events"><thead><tr><th scope="col">Type</th><th scope="col">data</th></tr></thead><tbody>${rows.join('')}</tbody></table>
</div><div class="code">${exampleCard(document)}</div></section>`
}

function eventRows(document: OpenapiDocument): EventRow[] {
  return Object.entries(document.webhooks ?? {}).map(([type, webhook]) => ({
    type,
    summary: webhook.post.summary,
    data: fieldsOf(bodyOf(webhook, document).properties?.['data'] ?? {}, false),
  }))
}

const contentOf = ({ post }: Webhook) => post.requestBody.content['application/json']

const bodyOf = (webhook: Webhook, document: OpenapiDocument): JsonSchema =>
  resolver(document)(contentOf(webhook).schema)

function renderRow({ type, summary, data }: EventRow, document: OpenapiDocument): string {
  const fields = data.map((field) => dataField(field, document))
  return `<tr id="event-${escapeHtml(type)}"><td><code>${escapeHtml(type)}</code><br>${escapeHtml(summary)}.</td><td>${fields.join('<br>')}</td></tr>`
}

function dataField({ name, schema }: Field, document: OpenapiDocument): string {
  const object = objectName(schema, document)
  const code = `<code>${escapeHtml(name)}</code>`
  if (object === undefined) return code
  return `${code} <a class="link" href="#object-${escapeHtml(object)}">${escapeHtml(object)}</a>${schema.anyOf ? ' or null' : ''}`
}

/** The name of the object in a field; an enum has a name too but needs no section. */
function objectName(schema: JsonSchema, document: OpenapiDocument): string | undefined {
  const part = [schema, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])].find(({ $ref }) => $ref)
  if (part?.$ref === undefined || resolver(document)(part).properties === undefined)
    return undefined
  return schemaName(part.$ref)
}

/** The fields common to all events; `type` and `data` differ. */
function envelope(document: OpenapiDocument): Field[] {
  const [first] = Object.values(document.webhooks ?? {})
  const fields = first ? fieldsOf(bodyOf(first, document), false) : []
  return fields.map((field) => {
    if (field.name === 'data')
      return { ...field, schema: { type: 'object', description: 'See below, for each type.' } }
    const { const: _, ...plain } = field.schema
    return field.name === 'type' ? { ...field, schema: plain } : field
  })
}

function headers(document: OpenapiDocument): Field[] {
  const [first] = Object.values(document.webhooks ?? {})
  const names = first?.post.parameters.map(({ $ref }) => schemaName($ref)) ?? []
  return names.flatMap((name) => {
    const parameter = document.components.parameters[name]
    if (parameter === undefined) return []
    const { description, schema } = parameter
    return [
      {
        name: parameter.name,
        required: true,
        schema: { ...schema, ...(description && { description }) },
      },
    ]
  })
}

function exampleCard(document: OpenapiDocument): string {
  const [type, webhook] = Object.entries(document.webhooks ?? {})[0] ?? []
  if (type === undefined || webhook === undefined) return ''
  return card(type, pre(highlightJson(JSON.stringify(contentOf(webhook).example, null, 2))))
}
