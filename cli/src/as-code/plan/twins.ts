// Resources that are probably what a new address of the file means, made by hand or by an earlier file.
import type { FileResource } from '../file/configuration.ts'
import { asInstant, type JsonObject, type JsonValue } from '../model/json.ts'
import type { ResourceKind } from '../model/kinds.ts'
import type { LiveResource, LiveResources } from '../model/live.ts'

type IsTwin = (fields: JsonObject, body: JsonObject) => boolean

const equal = (one: JsonValue | undefined, other: JsonValue | undefined) =>
  one !== undefined && one !== null && one === other
const lower = (value: JsonValue | undefined) =>
  String(value ?? '')
    .trim()
    .toLowerCase()

const IS_TWIN: Record<ResourceKind, IsTwin> = {
  contacts: (fields, body) =>
    equal(fields['name'], body['name']) && fields['channel'] === body['channel'],
  tags: (fields, body) => lower(fields['name']) === lower(body['name']),
  monitors: (fields, body) =>
    fields['type'] === body['type'] &&
    (equal(fields['name'], body['name']) || hasSameTarget(fields, body)),
  statusPages: (fields, body) =>
    equal(fields['slug'], body['slug']) || equal(fields['name'], body['name']),
  maintenanceWindows: (fields, body) =>
    equal(fields['name'], body['name']) && asInstant(fields['startsAt']) === body['startsAt'],
  webhookEndpoints: (fields, body) => equal(fields['url'], body['url']),
}

function hasSameTarget(fields: JsonObject, body: JsonObject): boolean {
  if (fields['type'] === 'PING' || fields['type'] === 'PORT')
    return equal(fields['host'], body['host']) && (fields['port'] ?? null) === body['port']
  return equal(fields['url'], body['url'])
}

/** Those that another file manages are not meant. */
export function findTwins({ kind, fields }: FileResource, live: LiveResources): LiveResource[] {
  return live.filter(
    (each) => each.kind === kind && each.source === null && IS_TWIN[kind](fields, each.body),
  )
}
