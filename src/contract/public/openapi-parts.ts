// What the operations of the document share: headers, parameters, security schemes and error responses.
import { ERROR_CODES, ERRORS, ErrorEnvelope, type PublicErrorCode } from './errors.ts'
import type { JsonSchema, SchemaBook } from './openapi-schema.ts'

export type Ref = { $ref: string }
export type Header = { description: string; schema: JsonSchema; example?: unknown }
export type OpenapiContent = {
  'application/json': {
    schema: JsonSchema
    example?: unknown
    examples?: Record<string, { summary: string; value: unknown }>
  }
}
export type Response = {
  description: string
  headers: Record<string, Ref>
  content: OpenapiContent
}

const REQUEST_ID = 'req_01m7e3dhx0e008000mxrf1bnxa'
const whole: JsonSchema = { type: 'integer' }
const text: JsonSchema = { type: 'string' }

export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Id of this request. Quote it when you ask for help.',
    schema: text,
    example: REQUEST_ID,
  },
  'RateLimit-Limit': {
    description: 'Requests permitted in the window.',
    schema: whole,
    example: 120,
  },
  'RateLimit-Remaining': {
    description: 'Requests left in the window.',
    schema: whole,
    example: 119,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the window resets.',
    schema: whole,
    example: 60,
  },
  RateLimit: {
    description: 'Requests left and seconds to the reset, in one.',
    schema: text,
    example: 'public-api;r=119;t=60',
  },
  'RateLimit-Policy': {
    description: 'Quota and length of the window in seconds.',
    schema: text,
    example: 'public-api;q=120;w=60',
  },
  'Retry-After': {
    description:
      'Seconds to wait: on 429, on 409 `idempotency_in_progress`, and on a temporary 500.',
    schema: whole,
    example: 12,
  },
  Allow: { description: 'Methods the path has.', schema: text, example: 'GET, POST' },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: text,
    example: 'Bearer',
  },
  Location: {
    description: 'Path of the new resource.',
    schema: text,
    example: '/api/v1/monitors/mon_01m7e3dhx0e008000mxrf1bnxa',
  },
  'Idempotency-Replayed': {
    description: '`true` when this response was stored by an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
}

const ON_EVERY_RESPONSE = [
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]

export function headerRefs(...extra: string[]): Record<string, Ref> {
  const names = [...ON_EVERY_RESPONSE, ...extra]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'API key of the organization.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same API key as a bearer token.',
  },
}

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes a retry safe: the first successful response is repeated for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9._:-]+$' },
  example: 'deploy-4711',
}

/** The headers of every webhook request, named as in Standard Webhooks. */
export const WEBHOOK_HEADERS = {
  webhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the event, the same on every retry. Deduplicate by it.',
    schema: text,
    example: 'evt_01m7e49h2tebsr001xddy3bp5d',
  },
  webhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Time of this attempt in Unix seconds. Reject old ones.',
    schema: whole,
    example: 1794695940,
  },
  webhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'Space-separated signatures, one for each live secret, newest first: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`.',
    schema: text,
    example: 'v1,7b+xEnXcNt4SwR+b5LQwkjKoP84SkXYE/dR8tH4L3e0=',
  },
}

const RESPONSE_NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  422: 'PlanOrSubscription',
  429: 'RateLimited',
  500: 'InternalError',
}

const EXTRA_HEADERS: Readonly<Record<number, string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  500: ['Retry-After'],
}

/** A read takes no Idempotency-Key, so it cannot fail because of one. */
const BAD_READ = 'InvalidInput'

export const errorRef = (status: number, write: boolean): Ref => ({
  $ref: `#/components/responses/${status === 400 && !write ? BAD_READ : responseName(status)}`,
})

function responseName(status: number): string {
  const name = RESPONSE_NAMES[status]
  if (name === undefined) throw new Error(`No shared response for status ${status}.`)
  return name
}

/** One shared response per status, with an example of every code it can have. */
export function errorResponses(book: SchemaBook): Record<string, Response> {
  const statuses = new Set(ERROR_CODES.map((code) => ERRORS[code].status))
  const byStatus = [...statuses].map((status) => {
    const codes = ERROR_CODES.filter((code) => ERRORS[code].status === status)
    return [responseName(status), errorResponse(status, codes, book)] as const
  })
  const badRead = errorResponse(400, ['validation_error'], book)
  return { [BAD_READ]: badRead, ...Object.fromEntries(byStatus) }
}

function errorResponse(status: number, codes: PublicErrorCode[], book: SchemaBook): Response {
  const examples = codes.map(
    (code) => [code, { summary: ERRORS[code].title, value: errorExample(code) }] as const,
  )
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: headerRefs(...(EXTRA_HEADERS[status] ?? [])),
    content: {
      'application/json': {
        schema: book.convert(ErrorEnvelope, 'response'),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

export function errorExample(code: PublicErrorCode) {
  const error = { code, message: ERRORS[code].meaning, requestId: REQUEST_ID }
  if (code !== 'validation_error') return { error }
  const details = [{ path: 'url', message: 'url is required for HTTP monitors' }]
  return { error: { ...error, message: 'The request is not valid.', details } }
}
