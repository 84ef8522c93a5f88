// Request headers and bodies. Their values are kept out of the file, unless the header never holds a secret.
import { EnvText, type ItemDraft, SecretValue } from './draft.ts'
import { isRow, type SourceRow } from './values.ts'

const MAX_HEADERS = 64
const MAX_BYTES = 8 * 1024
const MAX_BODY = 100_000
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const BY_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
  '__proto__',
])
const NEVER_SECRET: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'origin',
  'pragma',
  'user-agent',
])
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Adds to the headers that the draft has. Of two with the same name, the first stays. */
export function addHeaders(draft: ItemDraft, given: SourceRow): void {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' || typeof value === 'number')
      addHeader(draft, name, String(value))
    else draft.drop(`header ${name}`, 'no text', 'A header is a text.')
  }
}

/** `kept` is the value with variables of the other tool, if it has any. */
export function addHeader(draft: ItemDraft, name: string, value: string, kept?: EnvText): void {
  const lower = name.toLowerCase()
  if (!NAME.test(name) || !VALUE.test(value))
    return draft.drop(`header ${name.slice(0, 80)}`, 'a value', 'HTTP cannot carry it.')
  if (BY_CONNECTION.has(lower) || lower.startsWith('proxy-'))
    return draft.drop(`header ${name}`, 'a value', 'The connection sets it.')
  const headers = headersOf(draft)
  const names = Object.keys(headers)
  if (names.some((other) => other.toLowerCase() === lower))
    return draft.drop(`header ${name}`, 'a value', 'There is one with this name already.')
  const bytes = Object.entries(headers).reduce(
    (sum, [key, one]) => sum + key.length + sizeOf(one),
    0,
  )
  if (names.length >= MAX_HEADERS || bytes + name.length + value.length > MAX_BYTES)
    return draft.refuse(`Its headers are more than ${MAX_HEADERS}, or larger than 8 KiB.`)
  draft.set('requestHeaders', { ...headers, [name]: toKept(lower, value, kept) })
}

function toKept(name: string, value: string, withVariables: EnvText | undefined): HeaderText {
  // A variable cannot be empty.
  const isPlain = NEVER_SECRET.has(name) || value === ''
  return withVariables ?? (isPlain ? value : new SecretValue(value))
}

export function addBasicAuth(draft: ItemDraft, user: string, password: string): void {
  if (user === '' && password === '') return
  const encoded = Buffer.from(`${user}:${password}`).toString('base64')
  addHeader(draft, 'Authorization', `Basic ${encoded}`)
}

export function setBody(draft: ItemDraft, body: string, contentType?: string): void {
  if (body === '') return
  if (body.includes('\0')) return draft.refuse('Its request body has the character U+0000.')
  if ([...body].length > MAX_BODY)
    return draft.refuse(`Its request body is longer than ${MAX_BODY} characters.`)
  draft.set('requestBody', new SecretValue(body))
  const has = Object.keys(headersOf(draft)).some((name) => name.toLowerCase() === 'content-type')
  if (contentType !== undefined && !has) addHeader(draft, 'Content-Type', contentType)
}

export function setMethod(draft: ItemDraft, given: string): void {
  const method = given.toUpperCase()
  if (method === '') return
  if (!METHODS.has(method)) return draft.refuse(`Upvane sends no ${method.slice(0, 20)} requests.`)
  draft.set('method', method)
}

type HeaderText = string | SecretValue | EnvText
type Headers = Record<string, HeaderText>

function headersOf({ fields }: ItemDraft): Headers {
  const { requestHeaders } = fields
  // Safe because only this file and setHttpUrl set the field.
  return isRow(requestHeaders) ? (requestHeaders as Headers) : {}
}

function sizeOf(value: HeaderText): number {
  if (typeof value === 'string') return value.length
  return value instanceof EnvText ? value.text.length : value.reveal().length
}
