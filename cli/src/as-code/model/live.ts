// Resources of the organization in the shape that a file's are compared with.
import { getDefinition } from '../schema/schema.ts'
import { toSteps } from './escalation.ts'
import { asInstant, asSet, isObject, type JsonObject, type JsonValue } from './json.ts'
import { KINDS, type ResourceKind } from './kinds.ts'
import { toRegions } from './regions.ts'

export type LiveResource = {
  kind: ResourceKind
  id: string
  name: string
  /** Null for what has no times of its own. */
  createdAt: string | null
  updatedAt: string | null
  /** Named as in the API, with lists in a fixed order where their order means nothing. */
  body: JsonObject
  /** Of sections and components, in the same places as in the body. */
  sectionIds: readonly SectionIds[]
  /** The configuration source that manages it, if the API says so. */
  source: string | null
  /** Its place in that source, if that is known. */
  address: string | null
}
export type SectionIds = { id: string; components: readonly string[] }

/** Everything of the organization that a file can hold. */
export type LiveResources = readonly LiveResource[]

export function toLive(kind: ResourceKind, raw: JsonObject): LiveResource {
  const text = (name: string) => (typeof raw[name] === 'string' ? raw[name] : null)
  return {
    kind,
    id: String(raw['id']),
    name: text('name') ?? text('url') ?? '',
    createdAt: text('createdAt'),
    updatedAt: text('updatedAt'),
    body: BODIES[kind](fieldsOf(kind, raw), raw),
    sectionIds: kind === 'statusPages' ? idsOf(raw['sections']) : [],
    source: isObject(raw['managedBy']) ? String(raw['managedBy']['source']) : null,
    address: isObject(raw['managedBy']) ? String(raw['managedBy']['address']) : null,
  }
}

/** The fields of the file that the API shows under the same name. */
function fieldsOf(kind: ResourceKind, raw: JsonObject): JsonObject {
  const { properties = {} } = getDefinition(KINDS[kind].definition)
  const shown = Object.keys(properties).filter((name) => raw[name] !== undefined)
  return Object.fromEntries(shown.map((name) => [name, raw[name] ?? null]))
}

type ToBody = (fields: JsonObject, raw: JsonObject) => JsonObject

const BODIES: Record<ResourceKind, ToBody> = {
  contacts: (fields) => ({ ...fields, states: asSet(fields['states']) }),
  tags: (fields, raw) => ({
    ...fields,
    escalation: toSteps(raw['escalation']),
    regions: toRegions(raw['regions']),
  }),
  monitors: ({ tags: _tags, contacts: _contacts, ...fields }, raw) => ({
    ...fields,
    paused: raw['state'] === 'PAUSED',
    tagIds: asSet(idList(raw['tags'])),
    contactIds: asSet(idList(raw['alertContactIds'])),
    escalation: toSteps(raw['escalation']),
    regions: toRegions(raw['regions']),
  }),
  statusPages: ({ monitors: _monitors, ...fields }, raw) => ({
    ...fields,
    passwordProtected: raw['passwordProtected'] === true,
    sections: list(raw['sections']).map(toSection),
  }),
  maintenanceWindows: ({ monitors: _monitors, statusPages: _pages, ...fields }, raw) => ({
    ...fields,
    startsAt: asInstant(raw['startsAt']),
    endsAt: asInstant(raw['endsAt']),
    recurrence: isObject(raw['recurrence']) ? toRecurrence(raw['recurrence']) : null,
    monitorIds: asSet(raw['monitorIds']),
    statusPageIds: asSet(raw['statusPageIds']),
  }),
  webhookEndpoints: (fields) => ({ ...fields, eventTypes: asSet(fields['eventTypes']) }),
}

function toSection(section: JsonValue): JsonObject {
  const { name = null, collapsed = false, components } = section as JsonObject
  return { name, collapsed, components: list(components).map(toComponent) }
}

function toComponent(component: JsonValue): JsonObject {
  const { name = null, description = null, monitorId = null } = component as JsonObject
  return { name, description, monitorId }
}

function toRecurrence(raw: JsonObject): JsonObject {
  return { ...raw, endsAt: asInstant(raw['endsAt']), daysOfWeek: asSet(raw['daysOfWeek']) }
}

function idsOf(sections: JsonValue | undefined): SectionIds[] {
  return list(sections).map((section) => {
    const { id, components } = section as JsonObject
    return { id: String(id), components: list(components).map(idOf) }
  })
}

function idList(value: JsonValue | undefined): string[] {
  return list(value).map(idOf)
}

function idOf(value: JsonValue): string {
  return isObject(value) ? String(value['id']) : String(value)
}

function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}
