// What an entry of the audit log says about a change: the name of its object, and which fields changed how. It never
// contains a secret.

/** A field as it is compared. `shown` replaces its value; of a secret, only the fact that it changed is recorded. */
export type AuditedField = { value: unknown; shown?: string; isSecret?: true }
export type AuditedFields = Readonly<Record<string, AuditedField>>

/** An object before and after a write. */
export type Change<T> = { before: T; after: T }

type AuditValue = string | number | boolean | null
/** Without values: a secret, or a change that its short values do not show. */
export type AuditChange = { field: string; from?: AuditValue; to?: AuditValue }

/** As stored with an entry. */
export type AuditDetail = {
  changes?: readonly AuditChange[]
  /** Of a change to many objects. */
  count?: number
  verb?: string
  /** An assistant did it through the Model Context Protocol. */
  via?: 'MCP'
}

const MAX_CHANGES = 60
const MAX_TEXT = 200
// Of all values together. At four bytes each, they fit into what the database accepts.
const MAX_CHARACTERS = 6000
const HIDDEN = '***'
const SECRET_PARAMETERS = ['auth', 'credential', 'key', 'pass', 'pwd', 'secret', 'sig', 'token']

export function changesBetween(before: AuditedFields, after: AuditedFields): AuditChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = fields.filter((field) => !isSame(before[field], after[field]))
  let room = MAX_CHARACTERS
  return changed.slice(0, MAX_CHANGES).map((field) => {
    const change = toChange(field, before[field], after[field])
    const size = String(change.from ?? '').length + String(change.to ?? '').length
    if (size > room) return { field }
    room -= size
    return change
  })
}

/** A name as it is stored with an entry. */
export function toAuditName(name: string): string {
  return shorten(withoutCredentials(name))
}

/** The value as it may be shown. */
export function toAuditValue(value: unknown): AuditValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'string') return shorten(withoutCredentials(value))
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value) && value.length === 0) return null
  if (Array.isArray(value)) return shorten(value.map(toListed).join(', '))
  return shorten(JSON.stringify(value))
}

function isSame(one: AuditedField | undefined, other: AuditedField | undefined): boolean {
  return JSON.stringify(one?.value ?? null) === JSON.stringify(other?.value ?? null)
}

function toChange(
  field: string,
  before: AuditedField | undefined,
  after: AuditedField | undefined,
): AuditChange {
  if (before?.isSecret || after?.isSecret) return { field }
  const [from, to] = [shownOf(before), shownOf(after)]
  return from === to ? { field } : { field, from, to }
}

function shownOf(field: AuditedField | undefined): AuditValue {
  return field?.shown === undefined ? toAuditValue(field?.value) : shorten(field.shown)
}

const toListed = (item: unknown): string =>
  typeof item === 'object' ? JSON.stringify(item) : withoutCredentials(String(item))

/** A URL without its user, its password, and the values of parameters that are named like a secret. */
function withoutCredentials(text: string): string {
  const url = text.includes('://') ? URL.parse(text.trim()) : null
  if (url === null) return text
  const secrets = [...url.searchParams.keys()].filter(isSecretParameter)
  if (url.username + url.password === '' && secrets.length === 0) return text
  if (url.username + url.password !== '') {
    url.username = HIDDEN
    url.password = ''
  }
  for (const name of secrets) url.searchParams.set(name, HIDDEN)
  return url.href
}

function isSecretParameter(name: string): boolean {
  const lower = name.toLowerCase()
  return SECRET_PARAMETERS.some((part) => lower.includes(part))
}

/** One line of whole characters: a control character or half a surrogate pair cannot be stored as JSON. */
function shorten(text: string): string {
  // Cut first, so that a long text costs no more than a short one.
  const characters = Array.from(text.slice(0, 2 * MAX_TEXT + 2).toWellFormed(), (character) =>
    character < ' ' ? ' ' : character,
  )
  if (characters.length <= MAX_TEXT) return characters.join('')
  return `${characters.slice(0, MAX_TEXT - 1).join('')}…`
}
