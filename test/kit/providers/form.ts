// What a stand-in for a provider knows of it: where it is asked, what its documentation lets a request be, and how
// it answers.
import { Ajv2020 } from 'ajv/dist/2020.js'

export type ReceivedRequest = {
  method: string
  path: string
  headers: Record<string, string>
  /** As it came. */
  raw: string
  body: Record<string, unknown>
}

export type ProviderResponse = { status: number; body?: string; headers?: Record<string, string> }

export type Form = {
  channel: string
  isAt(path: string): boolean
  /** What the documentation does not allow, in words; empty when all is well. */
  check(request: ReceivedRequest): string[]
  /** By which the account is known: who knows it may send. */
  account(request: ReceivedRequest): string
  accepted: ProviderResponse
  busy: ProviderResponse
  broken: ProviderResponse
  /** To one whose token was revoked, or whose channel is not there any more. */
  revoked: ProviderResponse
  /** To what is not as it documents; where it says so in a form of its own. */
  refused?(wrong: readonly string[]): ProviderResponse
}

type Schema = Record<string, unknown>

const ajv = new Ajv2020({ allErrors: true, strict: true })
ajv.addFormat('https', (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''))
ajv.addFormat('time', (text: string) => new Date(text).toJSON() === text)

/** Nothing but these keys; those that end with `?` may be missing. */
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

/** Every request is a POST of JSON in this form, and keeps the further rules. */
export function checker(schema: Schema, ...rules: Rule[]): Form['check'] {
  const isValid = ajv.compile(schema)
  return (request) => {
    const complaints = isValid(request.body) ? [] : [ajv.errorsText(isValid.errors)]
    if (request.method !== 'POST') complaints.push(`method ${request.method}`)
    if (!/^application\/json(;|$)/.test(request.headers['content-type'] ?? ''))
      complaints.push(`content-type ${request.headers['content-type']}`)
    return [...complaints, ...rules.flatMap((rule) => rule(request) || [])]
  }
}

export const atMostBytes =
  (most: number): Rule =>
  ({ raw }) =>
    Buffer.byteLength(raw) > most && `${Buffer.byteLength(raw)} bytes, ${most} are allowed`

export const json = (status: number, body: unknown, headers = {}): ProviderResponse => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})
