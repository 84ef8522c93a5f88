// What a stand-in knows about its provider: its paths, which requests its documentation allows, and how it responds.
import { Ajv2020 } from 'ajv/dist/2020.js'

export type ReceivedRequest = {
  method: string
  path: string
  headers: Record<string, string>
  /** The unparsed body. */
  raw: string
  body: Record<string, unknown>
}

export type ProviderResponse = { status: number; body?: string; headers?: Record<string, string> }

export type Form = {
  channel: string
  isAt(path: string): boolean
  /** Violations of the provider's documentation, as text; empty if there are none. */
  check(request: ReceivedRequest): string[]
  /** The credential that identifies the account. */
  account(request: ReceivedRequest): string
  accepted: ProviderResponse
  /** Replaces `accepted` where the response depends on the request. */
  accepts?(request: ReceivedRequest): ProviderResponse
  busy: ProviderResponse
  broken: ProviderResponse
  /** For a revoked token, or a channel that no longer exists. */
  revoked: ProviderResponse
  /** For an invalid request, if the provider has its own format for that. */
  refused?(wrong: readonly string[]): ProviderResponse
}

type Schema = Record<string, unknown>

const ajv = new Ajv2020({ allErrors: true, strict: true })
ajv.addFormat('https', (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''))
ajv.addFormat('time', (text: string) => new Date(text).toJSON() === text)

/** Only these keys; those that end with `?` are optional. */
export function object(fields: Record<string, Schema>): Schema {
  const bare = (name: string) => name.replace(/\?$/, '')
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(fields).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(Object.entries(fields).map(([k, v]) => [bare(k), v])),
  }
}
export const list = (items: Schema, maxItems: number): Schema => ({
  type: 'array',
  items,
  minItems: 1,
  maxItems,
})
export const text = (maxLength: number, minLength = 1): Schema => ({
  type: 'string',
  minLength,
  maxLength,
})
export const one = (...values: unknown[]): Schema => ({ enum: values })
export const url = (maxLength = 2048): Schema => ({ type: 'string', format: 'https', maxLength })
export const time: Schema = { type: 'string', format: 'time' }
export const words: Schema = { type: 'object', additionalProperties: { type: 'string' } }

export type Rule = (request: ReceivedRequest) => string | false

/** Every request is a POST of JSON in this form, and follows the additional rules. */
export const checker = (schema: Schema, ...rules: Rule[]): Form['check'] =>
  checkerOf({ method: 'POST', type: JSON_TYPE }, schema, ...rules)

const JSON_TYPE = 'application/json'
export const FORM_TYPE = 'application/x-www-form-urlencoded'

export function checkerOf(
  { method, type = JSON_TYPE }: { method: string; type?: string },
  schema: Schema,
  ...rules: Rule[]
): Form['check'] {
  const isValid = ajv.compile(schema)
  return (request) => {
    const complaints = isValid(request.body) ? [] : [ajv.errorsText(isValid.errors)]
    if (request.method !== method) complaints.push(`method ${request.method}`)
    const [given] = (request.headers['content-type'] ?? '').split(';')
    if (given !== type) complaints.push(`content-type ${given}`)
    return [...complaints, ...rules.flatMap((rule) => rule(request) || [])]
  }
}

/** JSON and fields of a form become an object; of other texts there is only `raw`. */
export function parseBody(raw: string, type = ''): ReceivedRequest['body'] {
  if (raw === '') return {}
  if (type.startsWith(FORM_TYPE)) return Object.fromEntries(new URLSearchParams(raw))
  if (!type.startsWith(JSON_TYPE)) return {}
  try {
    return JSON.parse(raw) as ReceivedRequest['body']
  } catch {
    // Its form complains.
    return {}
  }
}

/** A header that must be there, in this form. */
export const hasHeader =
  (name: string, form: RegExp): Rule =>
  ({ headers }) =>
    !form.test(headers[name] ?? '') && `${name} ${headers[name]}`

export const atMostBytes =
  (most: number): Rule =>
  ({ raw }) =>
    Buffer.byteLength(raw) > most && `${Buffer.byteLength(raw)} bytes, ${most} are allowed`

export const json = (status: number, body: unknown, headers = {}): ProviderResponse => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})
