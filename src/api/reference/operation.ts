// One operation of the reference: its description on the left, a request and its response on the right.
import type {
  DocumentOperation,
  OpenapiDocument,
  Parameter,
} from '../../contract/public/openapi.ts'
import type { OpenapiContent, Ref } from '../../contract/public/openapi-parts.ts'
import { escapeHtml } from '../../render/html.ts'
import { type Field, fieldList, fieldsOf, resolver } from './schema.ts'
import { highlightJson, highlightShell, prose } from './text.ts'

const FOLD_ABOVE_FIELDS = 12

export type OperationEntry = { method: string; path: string; operation: DocumentOperation }

export function entriesOf(document: OpenapiDocument): OperationEntry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
}

export function renderOperation(entry: OperationEntry, document: OpenapiDocument): string {
  const { method, path, operation } = entry
  return `<section class="op" id="${escapeHtml(operation.operationId)}">
<div class="text">
<h3><a href="#${escapeHtml(operation.operationId)}">${escapeHtml(operation.summary)}</a></h3>
<p class="route">${methodBadge(method)} <code>${pathHtml(path)}</code></p>
${operation.description ? `<p class="lead">${prose(operation.description)}</p>` : ''}
${parameterList('path', 'Path parameters', entry, document)}
${parameterList('query', 'Query parameters', entry, document)}
${bodyList(operation, document)}
${parameterList('header', 'Headers', entry, document)}
${errorLine(operation, document)}
</div>
<div class="code">${requestCard(entry, document)}${replyCard(operation)}</div>
</section>`
}

export const methodBadge = (method: string, text = method): string =>
  `<b class="method ${escapeHtml(method)}">${escapeHtml(text.toUpperCase())}</b>`

/** Allows a line break after each slash. */
const pathHtml = (path: string): string =>
  escapeHtml(path)
    .replaceAll('/', '/<wbr>')
    .replace(/\{\w+\}/g, '<i>$&</i>')

function parameterList(
  location: string,
  title: string,
  { operation }: OperationEntry,
  document: OpenapiDocument,
): string {
  const all = (operation.parameters ?? []).map((one) => findParameter(one, document))
  const fields = all.filter((one) => one?.in === location).flatMap((one) => toField(one))
  return fields.length === 0 ? '' : `<h4>${title}</h4>${fieldList(fields, resolver(document))}`
}

function findParameter(one: Parameter | Ref, document: OpenapiDocument): Parameter | undefined {
  if ('name' in one) return one
  return document.components.parameters[one.$ref.split('/').at(-1) ?? '']
}

function toField(parameter: Parameter | undefined): Field[] {
  if (parameter === undefined) return []
  const { name, required, description, schema } = parameter
  return [
    { name, required, needed: true, schema: { ...schema, ...(description && { description }) } },
  ]
}

function bodyList(operation: DocumentOperation, document: OpenapiDocument): string {
  const body = operation.requestBody
  if (body === undefined) return ''
  const resolve = resolver(document)
  const fields = fieldsOf(resolve(body.content['application/json'].schema), true)
  const title = body.required ? 'Body' : 'Body <span class="type">may be left out</span>'
  if (fields.length === 0)
    return `<h4>${title}</h4><p class="empty">An empty object, <code>{}</code>.</p>`
  const list = fieldList(fields, resolve)
  const folded = fields.length > FOLD_ABOVE_FIELDS && !fields.some(({ required }) => required)
  if (!folded) return `<h4>${title}</h4>${list}`
  return `<h4>${title}</h4><details class="more block"><summary>${fields.length} fields, all of them optional</summary>${list}</details>`
}

function errorLine(operation: DocumentOperation, document: OpenapiDocument): string {
  const links = Object.entries(operation.responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, response]) =>
      codesOf(response, document).map(
        (code) =>
          `<a href="#error-${escapeHtml(code)}"><b>${escapeHtml(status)}</b> ${escapeHtml(code)}</a>`,
      ),
    )
  return `<h4>Errors</h4><p class="errors">${links.join('')}</p>`
}

function codesOf(response: DocumentOperation['responses'][string], document: OpenapiDocument) {
  if (!('$ref' in response)) return []
  const shared = document.components.responses[response.$ref.split('/').at(-1) ?? '']
  return Object.keys(shared?.content['application/json'].examples ?? {})
}

/** Where a reader's request goes: the real URL, if the document has one. */
export function baseUrlOf(document: OpenapiDocument): string {
  const url = document.servers[0]?.url ?? '/'
  return /^https?:/.test(url) ? url.replace(/\/$/, '') : '$UPVANE_URL'
}

function requestCard(entry: OperationEntry, document: OpenapiDocument): string {
  const command = curl(entry, baseUrlOf(document))
  return card('Request', pre(highlightShell(command)))
}

export function curl({ method, path, operation }: OperationEntry, baseUrl: string): string {
  const filled = path.replace(
    /\{(\w+)\}/g,
    (whole, name: string) => exampleId(operation, name) ?? whole,
  )
  const body = operation.requestBody?.content['application/json'].example
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${baseUrl}${filled}"`,
    '-H "X-API-Key: $UPVANE_API_KEY"',
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quote(body)}`]),
  ].join(' \\\n  ')
}

/** An id that fits the path, from the response's example. */
function exampleId(operation: DocumentOperation, name: string): string | undefined {
  const example = replyOf(operation)?.content['application/json'].example as
    | { [key: string]: unknown; id?: unknown; data?: { id?: unknown } }
    | undefined
  const found = example?.[name] ?? example?.id ?? example?.data?.id
  return typeof found === 'string' ? found : undefined
}

/** In single quotes the shell takes everything literally, except the quote itself. */
function quote(body: unknown): string {
  const text = JSON.stringify(body)
  const pretty = text.length > 60 ? JSON.stringify(body, null, 2).replaceAll('\n', '\n  ') : text
  return `'${pretty.replaceAll("'", "'\\''")}'`
}

type Reply = { description: string; content: OpenapiContent }

function replyOf(operation: DocumentOperation): Reply | undefined {
  const [, reply] = Object.entries(operation.responses).find(([status]) => status < '400') ?? []
  return reply && 'content' in reply ? reply : undefined
}

function replyCard(operation: DocumentOperation): string {
  const status = Object.keys(operation.responses).find((one) => one < '400') ?? ''
  const reply = replyOf(operation)
  if (reply === undefined) return ''
  const json = JSON.stringify(reply.content['application/json'].example, null, 2)
  const title = `<span class="ok">${escapeHtml(status)}</span> ${prose(reply.description)}`
  return card(title, pre(highlightJson(json)))
}

export const card = (title: string, content: string): string =>
  `<figure class="card"><figcaption>${title}</figcaption>${content}</figure>`

/** A sample that may scroll sideways, so it must be focusable by keyboard. */
export const pre = (html: string): string => `<pre tabindex="0"><code>${html}</code></pre>`
