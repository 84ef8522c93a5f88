// Changes as people read them: named as in the file, with its keys instead of ids.
import { isObject, isSame, type JsonObject, type JsonValue } from '../model/json.ts'
import type { PlannedChange } from './diff-fields.ts'
import type { PlannedStep } from './plan.ts'

// In the API, and in the file.
const REFERENCES: Readonly<Record<string, string>> = {
  tagIds: 'tags',
  contactIds: 'contacts',
  monitorIds: 'monitors',
  statusPageIds: 'statusPages',
  monitorId: 'monitor',
}

/** The key of a resource of the file by its id, or by the mark that it has until it exists. */
export function keysOf(steps: readonly PlannedStep[]): ReadonlyMap<string, string> {
  return new Map(
    steps.map(({ address, id }) => [id ?? `@${address}`, address.slice(address.indexOf('.') + 1)]),
  )
}

export function showChange(
  change: PlannedChange,
  keys: ReadonlyMap<string, string>,
): PlannedChange {
  const names = change.path.split('.')
  const last = names.at(-1) ?? ''
  const path = [...names.slice(0, -1), REFERENCES[last] ?? last].join('.')
  const { isRemoved } = change
  if (change.hidden) return { path, hidden: true, ...(isRemoved && { isRemoved }) }
  const show = (value: JsonValue | undefined) =>
    value === undefined ? undefined : showValue(last, value, keys)
  return { path, from: show(change.from), to: show(change.to), hidden: false }
}

function showValue(name: string, value: JsonValue, keys: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) return value.map((each) => showValue(name, each, keys))
  if (isObject(value)) {
    const entries = Object.entries(value).map(([field, each]) => [
      REFERENCES[field] ?? field,
      showValue(field, each, keys),
    ])
    return Object.fromEntries(entries) as JsonObject
  }
  return typeof value === 'string' && name in REFERENCES ? (keys.get(value) ?? value) : value
}

const MAX_SHOWN = 60
const CONTEXT = 15
const MAX_ITEMS = 10

/** One line. Of a list only what is different, of a long text the part that is. */
export function renderChange({ path, from, to, hidden, isRemoved }: PlannedChange): string {
  if (hidden) return `${path} (hidden, ${isRemoved ? 'removed' : 'differs'})`
  const items = Array.isArray(from) && Array.isArray(to) ? renderItems(from, to) : undefined
  if (items !== undefined) return `${path} ${items}`
  const [before, after] = [toText(from), toText(to)]
  const start = Math.max(0, commonStart(before, after) - CONTEXT)
  const isLong = Math.max(before.length, after.length) > MAX_SHOWN
  const part = (text: string) => (isLong && start > 0 ? `…${cut(text.slice(start))}` : cut(text))
  return `${path} ${part(before)} -> ${part(after)}`
}

/** One line of something that is not there yet. */
export function renderNew({ path, to, hidden }: PlannedChange): string {
  return `${path} ${hidden ? '(hidden)' : cut(toText(to))}`
}

/** Undefined if only the order is different. */
function renderItems(from: JsonValue[], to: JsonValue[]): string | undefined {
  const missingIn = (list: JsonValue[]) => (item: JsonValue) =>
    !list.some((each) => isSame(each, item))
  const removed = from.filter(missingIn(to))
  const added = to.filter(missingIn(from))
  const parts = [
    ...(removed.length > 0 ? [`without ${renderList(removed)}`] : []),
    ...(added.length > 0 ? [`with ${renderList(added)}`] : []),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}

function renderList(items: readonly JsonValue[]): string {
  const shown = items.slice(0, MAX_ITEMS).map((item) => cut(toText(withoutNulls(item))))
  const more = items.length > MAX_ITEMS ? [`${items.length - MAX_ITEMS} more`] : []
  return [...shown, ...more].join(', ')
}

function withoutNulls(item: JsonValue): JsonValue {
  if (!isObject(item)) return item
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))
}

function toText(value: JsonValue | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value)
}

function commonStart(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : text
}
