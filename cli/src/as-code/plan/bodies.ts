// The bodies of requests: what a resource asks for becomes what the API takes.
import { alignSections } from '../model/align-sections.ts'
import { toSteps } from '../model/escalation.ts'
import { isObject, type JsonObject, type JsonValue } from '../model/json.ts'
import type { ResourceKind } from '../model/kinds.ts'
import type { LiveResource } from '../model/live.ts'
import { toRegionsBody } from '../model/regions.ts'
import type { WantedState } from '../model/wanted.ts'
import type { PlannedChange } from './diff-fields.ts'

// Relations and actions have requests of their own; passwordProtected is what the API makes of a password.
const OTHER_REQUESTS = [
  'paused',
  'tagIds',
  'contactIds',
  'escalation',
  'regions',
  'passwordProtected',
]
const REFERENCES = ['monitorIds', 'statusPageIds', 'tagIds', 'contactIds']

/** Without what is attached to it. */
export function toCreateBody(kind: ResourceKind, wanted: WantedState): JsonObject {
  const body = without(withSecrets(wanted), OTHER_REQUESTS)
  // Monitors say which contacts they alert.
  return kind === 'contacts' ? { ...body, allMonitors: false } : body
}

/** With what is attached to it, for the request that takes all of it at once. */
export function toWholeBody(kind: ResourceKind, wanted: WantedState): JsonObject {
  const { tagIds: tags, contactIds, paused } = wanted.body
  const regions = toRegionsBody(wanted.body['regions'])
  return {
    ...toCreateBody(kind, wanted),
    ...(contactIds !== undefined && { contactIds }),
    ...(tags !== undefined && { tags }),
    ...(paused !== undefined && { paused }),
    ...(regions !== undefined && { regions }),
  }
}

/** Only what differs. Undefined if no request is needed. */
export function toPatchBody(
  wanted: WantedState,
  live: LiveResource,
  changes: readonly PlannedChange[],
): JsonObject | undefined {
  const names = new Set(changes.map(({ path }) => path.split('.')[0] ?? ''))
  if (names.has('passwordProtected')) names.add('password')
  const body = withSecrets(wanted, live)
  const changed = Object.entries(without(body, OTHER_REQUESTS)).filter(([name]) => names.has(name))
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

function withSecrets({ body, writeOnly }: WantedState, live?: LiveResource): JsonObject {
  const all: JsonObject = { ...body }
  if (isObject(body['settings'])) {
    const secret = Object.entries(writeOnly).map(([path, value]) => [
      path.slice('settings.'.length),
      value,
    ])
    all['settings'] = { ...body['settings'], ...Object.fromEntries(secret) }
  }
  if (body['passwordProtected'] !== undefined) all['password'] = writeOnly['password'] ?? null
  if (body['sections'] !== undefined)
    all['sections'] = alignSections(
      withStates(body['sections'], writeOnly),
      live?.body['sections'] ?? [],
      live?.sectionIds ?? [],
    )
  return all
}

function withStates(sections: JsonValue, writeOnly: JsonObject): JsonValue {
  if (!Array.isArray(sections)) return sections
  return sections.filter(isObject).map((section, at) => ({
    ...section,
    components: asObjects(section['components']).map((component, nth) => {
      const manualState = writeOnly[`sections.${at}.components.${nth}.manualState`]
      return { ...component, ...(manualState !== undefined && { manualState }) }
    }),
  }))
}

/** Replaces marks by the ids of what was created meanwhile. Undefined if something is still missing. */
export function settleReferences(
  wanted: WantedState,
  ids: ReadonlyMap<string, string>,
): { wanted: WantedState } | { missing: string } {
  const missing: string[] = []
  const settle = (value: JsonValue): JsonValue => {
    if (typeof value !== 'string' || !value.startsWith('@')) return value
    const id = ids.get(value.slice(1))
    if (id === undefined) missing.push(value.slice(1))
    return id ?? value
  }
  const body: JsonObject = { ...wanted.body }
  for (const name of REFERENCES) {
    const list = body[name]
    if (Array.isArray(list)) body[name] = list.map(settle).toSorted()
  }
  if (Array.isArray(body['escalation']))
    body['escalation'] = toSteps(
      asObjects(body['escalation']).map((step) => ({
        ...step,
        contactIds: asList(step['contactIds']).map(settle),
      })),
    )
  if (Array.isArray(body['sections']))
    body['sections'] = asObjects(body['sections']).map((section) => ({
      ...section,
      components: asObjects(section['components']).map((component) => ({
        ...component,
        monitorId: settle(component['monitorId'] ?? null),
      })),
    }))
  const [first] = missing
  return first === undefined ? { wanted: { ...wanted, body } } : { missing: first }
}

function without(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

function asObjects(value: JsonValue | undefined): JsonObject[] {
  return asList(value).filter(isObject)
}

function asList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}
