// Field by field: what is different between the file and the organization.
import type { FileResource } from '../file/configuration.ts'
import { comparableSections } from '../model/align-sections.ts'
import { isObject, isSame, type JsonObject, type JsonValue } from '../model/json.ts'
import type { LiveResource } from '../model/live.ts'
import type { WantedState } from '../model/wanted.ts'

export type PlannedChange = {
  path: string
  /** Both are missing if the value is hidden. */
  from?: JsonValue | undefined
  to?: JsonValue | undefined
  hidden: boolean
  /** Of a hidden value that the file does not have. */
  isRemoved?: true
}

// They hold credentials, whether or not they come from the environment.
const ALWAYS_HIDDEN = ['requestHeaders', 'requestBody', 'password']
// Of these the file may name a part.
const PARTIAL = ['recurrence', 'settings']

export function diffFields(wanted: WantedState, live: LiveResource): PlannedChange[] {
  return Object.keys(wanted.body).flatMap((name) => {
    const [to, from] = comparable(name, wanted.body[name] ?? null, live)
    return changesOf(name, from, to).map((change) => conceal(change, wanted.hidden))
  })
}

/** What the file says of something new. Defaults that it leaves out are not worth a line. */
export function newFields({ fields }: FileResource, wanted: WantedState): PlannedChange[] {
  const written = new Set([...Object.keys(fields).map((name) => RENAMED[name] ?? name), 'sections'])
  const body = Object.entries(wanted.body).filter(
    ([name]) =>
      name !== 'name' && written.has(name) && (name !== 'sections' || hasSections(fields)),
  )
  const shown = body.flatMap(([name, to]) => leavesOf(name, to))
  const secret = Object.keys(wanted.writeOnly).map((path) => ({ path, hidden: true }))
  return [...shown.map((change) => conceal(change, wanted.hidden)), ...secret]
}

// In the file, and in the API.
const RENAMED: Readonly<Record<string, string>> = {
  tags: 'tagIds',
  contacts: 'contactIds',
  monitors: 'monitorIds',
  statusPages: 'statusPageIds',
}
const hasSections = ({ sections, monitors }: JsonObject) => (sections ?? monitors) !== undefined

function leavesOf(path: string, to: JsonValue): PlannedChange[] {
  if (!isObject(to)) return [{ path, to, hidden: false }]
  return Object.entries(to).flatMap(([name, each]) => leavesOf(`${path}.${name}`, each))
}

function comparable(
  name: string,
  to: JsonValue,
  live: LiveResource,
): [JsonValue, JsonValue | undefined] {
  const from = live.body[name]
  if (name === 'sections') return [comparableSections(to, from ?? [], live.sectionIds), from]
  if (!PARTIAL.includes(name) || !isObject(to) || !isObject(from)) return [to, from]
  const part = Object.keys(to).map((each) => [each, sameAddress(to[each], from[each])])
  return [to, Object.fromEntries(part) as JsonObject]
}

// The API writes the host of an email address in lower case.
function sameAddress(to: JsonValue | undefined, from: JsonValue | undefined): JsonValue {
  const isEqual =
    typeof to === 'string' &&
    typeof from === 'string' &&
    to.trim().toLowerCase() === from.toLowerCase()
  return isEqual && from.includes('@') ? (to ?? null) : (from ?? null)
}

function changesOf(
  path: string,
  from: JsonValue | undefined,
  to: JsonValue | undefined,
): PlannedChange[] {
  if (isSame(from, to)) return []
  if (isObject(from) && isObject(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    return names.flatMap((name) => changesOf(`${path}.${name}`, from[name], to[name]))
  }
  if (isParallel(from) && isParallel(to) && from.length === to.length)
    return to.flatMap((each, at) => changesOf(`${path}.${at}`, from[at], each))
  return [{ path, from, to, hidden: false }]
}

function isParallel(value: JsonValue | undefined): value is JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}

function conceal(change: PlannedChange, hidden: ReadonlySet<string>): PlannedChange {
  const { path } = change
  const isHidden = [...ALWAYS_HIDDEN, ...hidden].some(
    (each) => path === each || path.startsWith(`${each}.`) || each.startsWith(`${path}.`),
  )
  if (!isHidden) return change
  const isRemoved = change.from != null && change.to == null
  return { path, hidden: true, ...(isRemoved && { isRemoved }) }
}
