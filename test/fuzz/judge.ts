// What must hold for every response, whatever was requested. Returns what is wrong with it.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Reply } from '../db-kit/client.ts'
import {
  type Operation,
  readOperations,
  type Schema,
  toStrict,
  withoutReferences,
} from '../db-kit/openapi-document.ts'

type Sent = {
  operation: Operation
  method: string
  path: string
  stray: boolean
  body: unknown
}

const OUTPUT_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const REQUEST_ID = /^req_[0-9a-z]{26}$/
const RATE_HEADERS: readonly (readonly [string, RegExp])[] = [
  ['ratelimit-limit', /^\d+$/],
  ['ratelimit-remaining', /^\d+$/],
  ['ratelimit-reset', /^([1-9]|[1-5]\d|60)$/],
  ['ratelimit', /^public-api;r=\d+;t=\d+$/],
  ['ratelimit-policy', /^public-api;q=\d+;w=60$/],
]
const FIXED_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}
// Headers that must accompany a status or code.
const COMPANIONS: Readonly<Record<string, string>> = {
  201: 'location',
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  idempotency_in_progress: 'retry-after',
}
const STRAY_STATUSES = [400, 401, 404, 405]

// Lengths and times are judged by the contract, not by a library's interpretation.
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  allowUnionTypes: true,
  formats: { 'date-time': OUTPUT_TIME, uri: true },
})
const operations = readOperations()
const outputs = new Map<Schema, ValidateFunction>()
const inputs = new Map<string, ValidateFunction>(
  operations.flatMap(({ id, body }) => (body ? [[id, ajv.compile(looseInput(body.schema))]] : [])),
)

export function judge(sent: Sent, reply: Reply): string[] {
  const answered = answeringOperation(sent)
  return [
    ...statusFaults(sent, answered, reply),
    ...headerFaults(reply),
    ...(sent.method === 'HEAD'
      ? emptyFaults(reply)
      : bodyFaults(answered ?? sent.operation, reply)),
  ]
}

/** The operation for the method and the path; HEAD is treated as GET. */
function answeringOperation({ operation, method, stray }: Sent): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  if (stray) return undefined
  return operations.find((other) => other.path === operation.path && other.method === wanted)
}

function statusFaults(sent: Sent, answered: Operation | undefined, { status }: Reply): string[] {
  if (status >= 500) return [`status ${status}`]
  if (answered === undefined)
    return STRAY_STATUSES.includes(status) ? [] : [`status ${status} where no operation is`]
  if (!answered.responses.has(status)) return [`status ${status} is not documented`]
  const validate = inputs.get(answered.id)
  const accepted = status < 300 && sent.body !== undefined
  return accepted && validate && !validate(sent.body)
    ? [`accepted a body that its schema forbids: ${ajv.errorsText(validate.errors)}`]
    : []
}

function headerFaults({ status, headers, text }: Reply): string[] {
  const faults: string[] = []
  for (const [name, form] of RATE_HEADERS)
    if (!form.test(String(headers[name]))) faults.push(`${name} is "${headers[name]}"`)
  for (const [name, value] of Object.entries(FIXED_HEADERS))
    if (headers[name] !== value) faults.push(`${name} is "${headers[name]}"`)
  if (!REQUEST_ID.test(String(headers['x-request-id'])))
    faults.push(`x-request-id is "${headers['x-request-id']}"`)
  const companion = COMPANIONS[status]
  if (companion && headers[companion] === undefined) faults.push(`${status} without ${companion}`)
  if (headers['access-control-allow-origin'] !== undefined) faults.push('CORS header')
  const length = Number(headers['content-length'])
  if (text !== '' && length !== Buffer.byteLength(text)) faults.push(`content-length is ${length}`)
  return faults
}

const emptyFaults = ({ text }: Reply) => (text === '' ? [] : ['HEAD has a body'])

function bodyFaults(operation: Operation, reply: Reply): string[] {
  let body: unknown
  try {
    body = reply.json()
  } catch {
    return ['the body is not JSON']
  }
  const documented =
    operation.responses.get(reply.status) ??
    operations.flatMap(({ responses }) => responses.get(reply.status) ?? [])[0]
  if (documented === undefined) return []
  const validate =
    outputs.get(documented.schema) ?? ajv.compile(toStrict(documented.schema) as Schema)
  outputs.set(documented.schema, validate)
  const faults = validate(body) ? [] : [`body: ${ajv.errorsText(validate.errors)}`]
  return reply.status < 400 ? faults : [...faults, ...envelopeFaults(documented.codes, body, reply)]
}

function envelopeFaults(codes: readonly string[], body: unknown, { headers }: Reply): string[] {
  const { error } = body as { error: { code: string; requestId: string; details?: unknown } }
  const faults: string[] = []
  if (!codes.includes(error.code)) faults.push(`code ${error.code} is not documented here`)
  if (error.requestId !== headers['x-request-id']) faults.push('requestId is not X-Request-Id')
  if ((error.code === 'validation_error') !== (error.details !== undefined))
    faults.push(`details ${error.details ? 'present' : 'absent'} on ${error.code}`)
  const companion = COMPANIONS[error.code]
  if (companion && headers[companion] === undefined)
    faults.push(`${error.code} without ${companion}`)
  return faults
}

/** Input accepts more spellings of a time than output. */
function looseInput(schema: Schema): object {
  const text = JSON.stringify(withoutReferences(schema))
  return JSON.parse(text, (name, value) => (name === 'format' ? undefined : value))
}
