// Generates openapi.json from the operations. The same input gives the same bytes.
import type { TSchema } from 'typebox'
import { isWrite, type ObjectSchema, type DocumentedOperation as Operation } from '../operation.ts'
import { PAGE_QUERY } from '../schema.ts'
import { EVENT_SCHEMAS, eventExample, pascalName } from './events.ts'
import { GUIDE, TAGS } from './guide.ts'
import {
  errorRef,
  errorResponses,
  HEADERS,
  type Header,
  headerRefs,
  IDEMPOTENCY_KEY,
  type OpenapiContent,
  type Ref,
  type Response,
  SECURITY_SCHEMES,
  WEBHOOK_HEADERS,
} from './openapi-parts.ts'
import { type JsonSchema, SchemaBook } from './openapi-schema.ts'

export type Parameter = {
  name: string
  in: string
  required: boolean
  description?: string
  style?: string
  explode?: boolean
  schema: JsonSchema
  example?: unknown
}

export type DocumentOperation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: (Parameter | Ref)[]
  requestBody?: { required: boolean; content: OpenapiContent }
  responses: Record<string, Response | Ref>
}

export type Webhook = {
  post: {
    operationId: string
    tags: string[]
    summary: string
    security: never[]
    parameters: Ref[]
    requestBody: { required: boolean; content: OpenapiContent }
    responses: Record<string, { description: string }>
  }
}

export type OpenapiDocument = {
  openapi: string
  info: {
    title: string
    version: string
    summary: string
    description: string
    contact: { name: string }
    license: { name: string; identifier: string }
  }
  servers: { url: string; description: string }[]
  security: Record<string, string[]>[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentOperation>>
  webhooks?: Record<string, Webhook>
  components: {
    securitySchemes: object
    parameters: Record<string, Parameter>
    headers: Readonly<Record<string, Header>>
    responses: Record<string, Response>
    schemas: Record<string, JsonSchema>
  }
}

/** What one document says beside its operations. */
export type DocumentSubject = {
  info: Pick<OpenapiDocument['info'], 'title' | 'version' | 'summary' | 'description'>
  /** Descriptions of the tags, by name. */
  tags: Readonly<Record<string, string>>
  /** The schemas that have a name in it. */
  named?: Readonly<Record<string, TSchema>>
}

type OpenapiOptions = { serverUrl?: string; subject?: DocumentSubject }

export function createOpenapi(
  operations: readonly Operation[],
  { serverUrl = '/', subject = PUBLIC_API }: OpenapiOptions = {},
): OpenapiDocument {
  const book = new SchemaBook(subject.named)
  const parameters = sharedParameters(operations, book)
  const paths = createPaths(operations, book)
  const webhooks = sendsEvents(operations) && { webhooks: createWebhooks(book) }
  if (webhooks) Object.assign(parameters, WEBHOOK_HEADERS)
  const responses = errorResponses(book)

  return {
    openapi: '3.1.0',
    info: createInfo(subject),
    servers: [{ url: serverUrl, description: 'This installation.' }],
    security: Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })),
    tags: tagsOf(operations, subject),
    paths,
    ...webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters,
      headers: HEADERS,
      responses,
      schemas: book.schemas(),
    },
  }
}

/** The bytes of the file that is committed and served. */
export const openapiText = (document: OpenapiDocument): string =>
  `${JSON.stringify(document, null, 2)}\n`

const PUBLIC_API: DocumentSubject = {
  info: {
    title: 'Upvane API',
    version: 'v1',
    summary: 'Uptime monitoring: monitors, incidents, status pages and signed webhooks.',
    description: GUIDE.map(({ title, text }) => `## ${title}\n\n${text.join('\n\n')}`).join('\n\n'),
  },
  tags: TAGS,
}

function createInfo({ info }: DocumentSubject): OpenapiDocument['info'] {
  return {
    ...info,
    contact: { name: 'Whoever runs this installation' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  }
}

function tagsOf(
  operations: readonly Operation[],
  { tags }: DocumentSubject,
): OpenapiDocument['tags'] {
  const names = [...new Set(operations.map(({ tag }) => tag))]
  return names.map((name) => ({ name, description: tags[name] ?? '' }))
}

function createPaths(operations: readonly Operation[], book: SchemaBook): OpenapiDocument['paths'] {
  const paths: OpenapiDocument['paths'] = {}
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {})
    item[operation.method.toLowerCase()] = createOperation(operation, book)
  }
  return paths
}

function createOperation(operation: Operation, book: SchemaBook): DocumentOperation {
  const { id, tag, summary, description, body } = operation
  const parameters = parametersOf(operation, book)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: body.required,
        content: json(book.convert(body.schema, 'request'), body.example),
      },
    }),
    responses: responsesOf(operation, book),
  }
}

function responsesOf(operation: Operation, book: SchemaBook): DocumentOperation['responses'] {
  const { status, description, body, example } = operation.reply
  const headers = headerRefs(
    ...(status === 201 ? ['Location'] : []),
    ...(isWrite(operation) ? ['Idempotency-Replayed'] : []),
  )
  const content = json(book.convert(body, 'response'), example)
  const errors = errorStatuses(operation).map(
    (code) => [code, errorRef(code, isWrite(operation))] as const,
  )
  return { [status]: { description, headers, content }, ...Object.fromEntries(errors) }
}

function errorStatuses(operation: Operation): number[] {
  return [
    400,
    401,
    ...(isWrite(operation) ? [403] : []),
    ...(operation.params ? [404] : []),
    405,
    ...(isWrite(operation) ? [409] : []),
    ...(isWrite(operation) && operation.method !== 'DELETE' ? [422] : []),
    429,
    500,
  ]
}

function parametersOf(operation: Operation, book: SchemaBook): (Parameter | Ref)[] {
  const shared = Object.keys(operation.params?.properties ?? {}).map(parameterRef)
  const query = Object.entries(operation.query?.properties ?? {}).map(([name, schema]) =>
    isPaging(name, schema)
      ? parameterRef(name)
      : queryParameter(name, book.convert(schema, 'request'), operation.query),
  )
  return [...shared, ...query, ...(isWrite(operation) ? [parameterRef('idempotencyKey')] : [])]
}

/** A list by cursor has a `limit` of its own. */
const isPaging = (name: string, schema: TSchema): boolean =>
  Object.entries(PAGE_QUERY).some(
    ([shared, paging]) => shared === name && JSON.stringify(paging) === JSON.stringify(schema),
  )

const parameterRef = (name: string): Ref => ({ $ref: `#/components/parameters/${name}` })

function queryParameter(name: string, schema: JsonSchema, query?: ObjectSchema): Parameter {
  const { description, ...rest } = schema
  return {
    name,
    in: 'query',
    required: query?.required?.includes(name) ?? false,
    ...(description !== undefined && { description }),
    ...(rest.type === 'array' && { style: 'form', explode: false }),
    schema: rest,
  }
}

function sharedParameters(
  operations: readonly Operation[],
  book: SchemaBook,
): Record<string, Parameter> {
  const parameters: Record<string, Parameter> = {}
  for (const { params } of operations)
    for (const [name, schema] of Object.entries(params?.properties ?? {})) {
      const { description = '', ...rest } = book.convert(schema, 'request')
      parameters[name] ??= { name, in: 'path', required: true, description, schema: rest }
    }
  for (const [name, schema] of Object.entries(PAGE_QUERY))
    parameters[name] = queryParameter(name, book.convert(schema, 'request'))
  return { ...parameters, idempotencyKey: IDEMPOTENCY_KEY }
}

const sendsEvents = (operations: readonly Operation[]): boolean =>
  operations.some(({ id }) => id === 'createWebhookEndpoint')

function createWebhooks(book: SchemaBook): Record<string, Webhook> {
  const entries = [...EVENT_SCHEMAS.values()].map(({ event, schema }) => {
    const content = json(book.convert(schema, 'response'), eventExample(event))
    const post = {
      operationId: `on${pascalName(event.type)}`,
      tags: ['Webhook endpoints'],
      summary: event.summary,
      security: [],
      parameters: Object.keys(WEBHOOK_HEADERS).map(parameterRef),
      requestBody: { required: true, content },
      responses: { '2XX': { description: 'Any 2xx response within 15 seconds is a success.' } },
    }
    return [event.type, { post }] as const
  })
  return Object.fromEntries(entries)
}

function json(schema: JsonSchema, example: unknown): OpenapiContent {
  return { 'application/json': { schema, example } }
}
