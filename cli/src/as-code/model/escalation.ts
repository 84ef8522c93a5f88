// Who is alerted if nobody acknowledges: part of the entry of a monitor or tag in the file, a resource of its own in the API.
import { asSet, isObject, type JsonObject, type JsonValue } from './json.ts'
import type { ResourceKind } from './kinds.ts'

/** What can have an escalation. */
export function canEscalate(kind: ResourceKind): boolean {
  return kind === 'monitors' || kind === 'tags'
}

/** Steps as the API has them. The order of the contacts of a step means nothing. */
export function toSteps(steps: JsonValue | undefined): JsonObject[] {
  return objects(steps).map(({ afterMinutes = null, contactIds = [] }) => ({
    afterMinutes,
    contactIds: asSet(contactIds),
  }))
}

/** Steps of the file as steps of the API. */
export function wantSteps(steps: JsonValue, resolve: (ref: string) => string): JsonObject[] {
  return toSteps(
    objects(steps).map(({ afterMinutes = null, contacts = [] }) => ({
      afterMinutes,
      contactIds: Array.isArray(contacts) ? contacts.map((ref) => resolve(String(ref))) : [],
    })),
  )
}

/** Steps of the API as steps of the file. */
export function fileSteps(steps: JsonValue, refer: (id: string) => string): JsonObject[] {
  return objects(steps).map(({ afterMinutes = null, contactIds = [] }) => ({
    afterMinutes,
    contacts: Array.isArray(contactIds) ? contactIds.map((id) => refer(String(id))) : [],
  }))
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
