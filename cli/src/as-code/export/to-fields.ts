// From a resource of the organization to its entry in a file: the shortest that means the same.
import { escapePlaceholders } from '../file/placeholders.ts'
import { fileSteps } from '../model/escalation.ts'
import { isObject, isSame, type JsonObject, type JsonValue } from '../model/json.ts'
import { KINDS, type ResourceKind } from '../model/kinds.ts'
import type { LiveResource } from '../model/live.ts'
import { toRegionsBody } from '../model/regions.ts'
import { secretSettings } from '../model/wanted.ts'
import { type FileSchema, getDefinition } from '../schema/schema.ts'

export type ExportContext = {
  /** The key of an exported resource, or the id itself. */
  refer(id: string): string
  /** Name of a monitor. */
  nameOf(id: string): string | undefined
  /** A placeholder for a secret of the resource, or the value itself. */
  hide(path: string, value: string): string
  hasContacts: boolean
}
/** `comment` says what is not in the fields. */
type ExportedFields = { fields: JsonObject; comment: string | undefined }

export function toFields(live: LiveResource, context: ExportContext): ExportedFields {
  const { properties = {} } = getDefinition(KINDS[live.kind].definition)
  const own = Object.keys(properties).filter(
    (name) => !OWN_FORM.includes(name) && name in live.body,
  )
  const plain = compact(
    properties,
    Object.fromEntries(own.map((name) => [name, live.body[name] ?? null])),
  )
  const special = SPECIAL[live.kind]?.(live, context) ?? {}
  return { fields: { ...escapeAll(plain), ...special }, comment: commentOf(live) }
}

const MANY = 3
// In the file they differ from what the API shows.
const OWN_FORM = ['paused', 'escalation', 'regions']

type ToSpecial = (live: LiveResource, context: ExportContext) => JsonObject

const SPECIAL: Partial<Record<ResourceKind, ToSpecial>> = {
  contacts: ({ body }) => ({ settings: escapeAll(plainSettings(body)) }),
  tags: ({ body }, context) => ({ ...escalationOf(body, context), ...regionsOf(body) }),
  monitors: monitorFields,
  statusPages: ({ body }, context) => ({
    sections: list(body['sections']).map((section) => toSection(section as JsonObject, context)),
  }),
  maintenanceWindows: ({ body }, context) => ({
    ...(isObject(body['recurrence']) && { recurrence: toRecurrence(body['recurrence']) }),
    ...references('monitors', body['monitorIds'], context),
    ...references('statusPages', body['statusPageIds'], context),
  }),
}

function monitorFields({ body }: LiveResource, context: ExportContext): JsonObject {
  const { requestHeaders, requestBody, expectedStatus } = body
  const headers = isObject(requestHeaders)
    ? Object.entries(requestHeaders).map(([name, value]) => [
        name,
        context.hide(`requestHeaders.${name}`, String(value)),
      ])
    : []
  const { properties = {} } = getDefinition('Monitor')
  const usual = properties['expectedStatus']?.default as JsonValue
  const isUsual = isSame(expectedStatus ?? usual, usual)
  return {
    ...(isObject(requestHeaders) && { requestHeaders: Object.fromEntries(headers) as JsonObject }),
    ...(typeof requestBody === 'string' && {
      requestBody: context.hide('requestBody', requestBody),
    }),
    ...(!isUsual && { expectedStatus: toRanges(list(expectedStatus).map(Number)) }),
    ...(body['paused'] === true && { paused: true }),
    ...references('tags', body['tagIds'], context),
    ...(context.hasContacts && {
      contacts: list(body['contactIds']).map((id) => context.refer(String(id))),
    }),
    ...escalationOf(body, context),
    ...regionsOf(body),
  }
}

function regionsOf({ regions = [] }: JsonObject): JsonObject {
  return toRegionsBody(regions) === undefined ? {} : escapeAll({ regions })
}

function escalationOf({ escalation = [] }: JsonObject, { refer }: ExportContext): JsonObject {
  const steps = fileSteps(escalation, refer)
  return steps.length === 0 ? {} : { escalation: steps }
}

/** Three or more codes in a row become a range. */
export function toRanges(codes: readonly number[]): JsonValue[] {
  const runs: number[][] = []
  for (const code of codes) {
    const last = runs.at(-1)
    if (last !== undefined && last.at(-1) === code - 1) last.push(code)
    else runs.push([code])
  }
  return runs.flatMap((run): JsonValue[] => (run.length < MANY ? run : [`${run[0]}-${run.at(-1)}`]))
}

function plainSettings(body: JsonObject): JsonObject {
  const secret = secretSettings(String(body['channel']))
  const settings = isObject(body['settings']) ? body['settings'] : {}
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !secret.has(name)))
}

function toSection(section: JsonObject, context: ExportContext): JsonObject {
  const { name = null, collapsed, components } = section
  return {
    ...(name !== null && { name: escapeAll(name) }),
    ...(collapsed === true && { collapsed }),
    components: list(components).map((each) => {
      const { name: own = null, description = null, monitorId = null } = each as JsonObject
      const isNamed = monitorId === null || context.nameOf(String(monitorId)) !== own
      return {
        ...(monitorId !== null && { monitor: context.refer(String(monitorId)) }),
        ...(isNamed && { name: escapeAll(own) }),
        ...(description !== null && { description: escapeAll(description) }),
      }
    }),
  }
}

function toRecurrence(recurrence: JsonObject): JsonObject {
  return compact(getDefinition('Recurrence').properties ?? {}, recurrence)
}

function references(name: string, ids: JsonValue | undefined, context: ExportContext): JsonObject {
  const found = list(ids).map((id) => context.refer(String(id)))
  return found.length === 0 ? {} : { [name]: found }
}

/** Without what the file means anyway. */
function compact(properties: Record<string, FileSchema>, fields: JsonObject): JsonObject {
  const needed = Object.entries(fields).filter(
    ([name, value]) => !isSame(value, (properties[name]?.default ?? null) as JsonValue),
  )
  return Object.fromEntries(needed)
}

function escapeAll<Value extends JsonValue>(value: Value): Value
function escapeAll(value: JsonValue): JsonValue {
  if (typeof value === 'string') return escapePlaceholders(value)
  if (Array.isArray(value)) return value.map((each) => escapeAll(each))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escapeAll(each)]))
}

function commentOf({ kind, body }: LiveResource): string | undefined {
  if (kind === 'statusPages' && body['passwordProtected'] === true)
    return ' Its password is not exported, and stays as it is.'
  if (kind !== 'contacts') return undefined
  const settings = isObject(body['settings']) ? Object.keys(body['settings']) : []
  const secret = secretSettings(String(body['channel']))
  const names = settings.filter((name) => secret.has(name)).map((name) => `settings.${name}`)
  return names.length === 0 ? undefined : ` Not exported, and stays as it is: ${names.join(', ')}`
}

function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}
