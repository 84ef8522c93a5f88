// Everything of an organization as a configuration file.
import { Document, isCollection, Scalar, visit } from 'yaml'
import { escapePlaceholders } from '../file/placeholders.ts'
import type { JsonObject } from '../model/json.ts'
import { addressOf, RESOURCE_KINDS, type ResourceKind } from '../model/kinds.ts'
import type { LiveResource, LiveResources } from '../model/live.ts'
import type { SourceBinding } from '../plan/plan.ts'
import { getDefinition } from '../schema/schema.ts'
import { type ExportContext, toFields } from './to-fields.ts'

type ExportInput = {
  source: string
  live: LiveResources
  /** What the source has already: keys stay. */
  bindings: readonly SourceBinding[]
  withSecrets: boolean
  now: number
}
export type ExportedEntry = {
  kind: ResourceKind
  key: string
  id: string
  fields: JsonObject
  comment: string | undefined
}
export type ExportedFile = {
  source: string
  entries: ExportedEntry[]
  /** Environment variables that the file needs. */
  variables: string[]
  /** What is not in the file, and why. */
  notes: string[]
}

const MAX_KEY = 50
const HEAD = ' yaml-language-server: $schema=./upvane.schema.json'
export const PRINT = { lineWidth: 0, doubleQuotedMinMultiLineLength: 1_000_000 } as const

export function toExport(input: ExportInput): ExportedFile {
  const { source, live, withSecrets, now } = input
  const notes = [
    ...countManaged(live, source),
    ...live.flatMap((each) => reasonToLeave(each, source, now)),
  ]
  const taken = live.filter(
    (each) => !isElsewhere(each, source) && reasonToLeave(each, source, now).length === 0,
  )
  const keys = chooseKeys(taken, input.bindings)
  const names = new Map(live.map(({ id, name }) => [id, name]))
  const variables = new Set<string>()
  const entries = RESOURCE_KINDS.flatMap((kind) => taken.filter((each) => each.kind === kind)).map(
    (each): ExportedEntry => {
      const key = keys.get(each.id) ?? each.id
      const context: ExportContext = {
        refer: (id) => keys.get(id) ?? id,
        nameOf: (id) => names.get(id),
        hasContacts: live.some(({ kind }) => kind === 'contacts'),
        hide: (path, value) =>
          withSecrets ? escapePlaceholders(value) : placeholder(variables, key, path),
      }
      return { kind: each.kind, key, id: each.id, ...toFields(each, context) }
    },
  )
  return { source, entries, variables: [...variables], notes }
}

function placeholder(variables: Set<string>, key: string, path: string): string {
  const plain = `${key}_${path}`.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()
  const start = `UPV_${plain}`.slice(0, MAX_KEY)
  let name = start
  for (let number = 2; variables.has(name); number++) name = `${start}_${number}`
  variables.add(name)
  return `\${env:${name}}`
}

function isElsewhere(live: LiveResource, source: string): boolean {
  return live.source !== null && live.source !== source
}

function countManaged(live: LiveResources, source: string): string[] {
  const counts = new Map<string, number>()
  for (const each of live)
    if (each.source !== null && isElsewhere(each, source))
      counts.set(each.source, (counts.get(each.source) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${count} managed by ${name}.`)
}

function reasonToLeave(live: LiveResource, source: string, now: number): string[] {
  if (isElsewhere(live, source)) return []
  const what = `${live.id} (${live.name})`
  const channels = getDefinition('Contact').properties?.['channel']?.enum ?? []
  if (live.kind === 'contacts' && !channels.includes(live.body['channel']))
    return [`${what} belongs to a person.`]
  return live.kind === 'maintenanceWindows' && isOver(live, now) ? [`${what} is over.`] : []
}

function isOver({ body }: LiveResource, now: number): boolean {
  const recurrence = body['recurrence'] as JsonObject | null
  if (recurrence === null) return Date.parse(String(body['endsAt'])) <= now
  const end = recurrence['endsAt']
  return typeof end === 'string' && Date.parse(end) <= now
}

/** Keys are made from names, each once, and stay what they are. */
function chooseKeys(
  live: readonly LiveResource[],
  bindings: readonly SourceBinding[],
): Map<string, string> {
  const keys = new Map<string, string>()
  const used = new Set(bindings.map(({ address }) => address))
  const bound = new Map(bindings.map(({ id, address }) => [id, address]))
  for (const each of live) {
    const { id, kind } = each
    const address = bound.get(id)
    const key = address?.slice(kind.length + 1) ?? freeKey(kind, keyTextOf(each), used)
    used.add(addressOf(kind, key))
    keys.set(id, key)
  }
  return keys
}

// The path of an endpoint's URL may be a secret. Its host is not.
function keyTextOf({ kind, name }: LiveResource): string {
  return kind === 'webhookEndpoints' ? (URL.parse(name)?.hostname ?? '') : name
}

function freeKey(kind: ResourceKind, name: string, used: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const start =
    plain.replace(/^-|-$/g, '').slice(0, MAX_KEY).replace(/-$/, '') ||
    kind.slice(0, -1).toLowerCase()
  let key = start
  for (let number = 2; used.has(addressOf(kind, key)); number++) key = `${start}-${number}`
  return key
}

export function printExport({ source, entries }: ExportedFile): string {
  const document = new Document({ version: 1, source }, { aliasDuplicateObjects: false })
  document.commentBefore = HEAD
  addEntries(document, entries)
  return document.toString(PRINT)
}

/** Entries without their section, each line that many blanks to the right. */
export function printEntries(entries: readonly ExportedEntry[], indent: number): string {
  const document = new Document({}, { aliasDuplicateObjects: false })
  addEntries(document, entries)
  const lines = document.toString(PRINT).split('\n')
  // The first line of the section is its name, and the others are two blanks to the right of it.
  return lines
    .filter((line) => line.startsWith('  '))
    .map((line) => `${' '.repeat(indent)}${line.slice(2)}\n`)
    .join('')
}

export function addEntries(document: Document, entries: readonly ExportedEntry[]): void {
  for (const { kind, key, fields, comment } of entries) {
    const node = document.createNode(fields, { aliasDuplicateObjects: false })
    visit(node, { Scalar: (_key, scalar) => void quote(scalar) })
    if (comment !== undefined && isCollection(node)) node.commentBefore = comment
    document.setIn([kind, key], node)
  }
}

const BLANKS = /^\s|[\t\n]|\s$/

// Blanks at the ends of a plain text are not part of it, and blocks have rules of their own for them.
function quote(scalar: Scalar): void {
  const { value } = scalar
  if (typeof value === 'string' && BLANKS.test(value)) scalar.type = Scalar.QUOTE_DOUBLE
}
