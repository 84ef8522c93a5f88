// What a resource of the file asks the API for, with defaults filled in and references resolved.
import { expandStatus, type FileResource } from '../file/configuration.ts'
import { type FileSchema, follow, getDefinition } from '../schema/schema.ts'
import { wantSteps } from './escalation.ts'
import { asInstant, asSet, isObject, type JsonObject, type JsonValue } from './json.ts'
import { KINDS, type ResourceKind } from './kinds.ts'

export type WantedState = {
  /** As the API shows it: what it is compared with. Fields that are not in it stay as they are. */
  body: JsonObject
  /** What can be written and never read, by path. Compared by its digest. */
  writeOnly: JsonObject
  hidden: ReadonlySet<string>
}

/** The id of a reference, or a mark for what does not exist yet. */
export type Resolve = (kind: ResourceKind, ref: string) => string

export function toWanted(resource: FileResource, resolve: Resolve): WantedState {
  const { kind, fields, hidden } = resource
  const filled = fillDefaults(getDefinition(KINDS[kind].definition), fields)
  return { ...WANTED[kind](filled, resolve), hidden }
}

type ToWanted = (fields: JsonObject, resolve: Resolve) => Omit<WantedState, 'hidden'>

const WANTED: Record<ResourceKind, ToWanted> = {
  contacts: wantContact,
  tags: wantTag,
  monitors: wantMonitor,
  statusPages: wantPage,
  maintenanceWindows: wantWindow,
  webhookEndpoints: (fields) => ({
    body: { ...fields, eventTypes: asSet(fields['eventTypes']) },
    writeOnly: {},
  }),
}

/** Left out: its default, or null if it may be null. What has neither stays left out. */
function fillDefaults({ properties = {} }: FileSchema, fields: JsonObject): JsonObject {
  const filled: JsonObject = {}
  for (const [name, schema] of Object.entries(properties)) {
    const given = fields[name]
    if (given !== undefined) filled[name] = given
    else if (schema.writeOnly) continue
    else if (schema.default !== undefined) filled[name] = schema.default as JsonValue
    else if (isNullable(schema)) filled[name] = null
  }
  return filled
}

function isNullable({ type = [], anyOf = [] }: FileSchema): boolean {
  return [type].flat().includes('null') || anyOf.some((each) => each.type === 'null')
}

function wantMonitor(fields: JsonObject, resolve: Resolve): Omit<WantedState, 'hidden'> {
  const { tags, contacts, escalation, expectedStatus, ...rest } = fields
  const body: JsonObject = { ...rest, expectedStatus: expandStatus(asArray(expectedStatus)) }
  if (tags !== undefined) body['tagIds'] = resolveAll('tags', tags, resolve)
  if (contacts !== undefined) body['contactIds'] = resolveAll('contacts', contacts, resolve)
  if (escalation !== undefined) body['escalation'] = wantEscalation(escalation, resolve)
  return { body, writeOnly: {} }
}

function wantTag(fields: JsonObject, resolve: Resolve): Omit<WantedState, 'hidden'> {
  const { name, escalation, regions } = fields
  const body: JsonObject = { name: String(name).normalize('NFC').trim() }
  if (escalation !== undefined) body['escalation'] = wantEscalation(escalation, resolve)
  if (regions !== undefined) body['regions'] = regions
  return { body, writeOnly: {} }
}

function wantEscalation(steps: JsonValue, resolve: Resolve): JsonValue {
  return wantSteps(steps, (ref) => resolve('contacts', ref))
}

function wantContact(fields: JsonObject): Omit<WantedState, 'hidden'> {
  const given = isObject(fields['settings']) ? fields['settings'] : {}
  const secret = secretSettings(String(fields['channel']))
  const split = Object.entries(given)
  const settings = Object.fromEntries(split.filter(([name]) => !secret.has(name)))
  const hidden = split.filter(([name]) => secret.has(name))
  return {
    body: { ...fields, settings, states: asSet(fields['states']) },
    writeOnly: Object.fromEntries(hidden.map(([name, value]) => [`settings.${name}`, value])),
  }
}

/** Names of the settings of a channel that the API never shows. */
export function secretSettings(channel: string): ReadonlySet<string> {
  const { properties = {} } = getDefinition(`Settings_${channel}`)
  const secret = Object.entries(properties).filter(([, { writeOnly }]) => writeOnly === true)
  return new Set(secret.map(([name]) => name))
}

function wantPage(fields: JsonObject, resolve: Resolve): Omit<WantedState, 'hidden'> {
  const { password, monitors, sections, customDomain, ...rest } = fields
  const body: JsonObject = { ...rest, customDomain: lower(customDomain) }
  const writeOnly: JsonObject = {}
  if (password !== undefined) body['passwordProtected'] = password !== null
  if (typeof password === 'string') writeOnly['password'] = password
  const short = monitors && [{ components: asArray(monitors).map((monitor) => ({ monitor })) }]
  const given = sections ?? short
  if (given === undefined) return { body, writeOnly }
  body['sections'] = asArray(given).map((each, at) => {
    const { components, ...section } = fillDefaults(getDefinition('Section'), each as JsonObject)
    return {
      ...section,
      components: asArray(components).map((component, nth) => {
        const { manualState } = component as JsonObject
        const path = `sections.${at}.components.${nth}.manualState`
        if (manualState !== undefined) writeOnly[path] = manualState
        return wantComponent(component as JsonObject, resolve)
      }),
    }
  })
  return { body, writeOnly }
}

/** Without a name it has the name of its monitor, also when that changes. */
function wantComponent(component: JsonObject, resolve: Resolve): JsonObject {
  const { monitor, name, description = null } = component
  const monitorId = typeof monitor === 'string' ? resolve('monitors', monitor) : null
  const isNamed = name !== undefined && name !== null
  return { ...(isNamed && { name }), description, monitorId }
}

function wantWindow(fields: JsonObject, resolve: Resolve): Omit<WantedState, 'hidden'> {
  const { monitors = [], statusPages = [], recurrence, ...rest } = fields
  const body: JsonObject = {
    ...rest,
    startsAt: asInstant(rest['startsAt']),
    endsAt: asInstant(rest['endsAt']),
    recurrence: isObject(recurrence) ? wantRecurrence(recurrence) : null,
    monitorIds: resolveAll('monitors', monitors, resolve),
    statusPageIds: resolveAll('statusPages', statusPages, resolve),
  }
  return { body, writeOnly: {} }
}

/** Days that are left out are those of the start, which the API fills in. */
function wantRecurrence(given: JsonObject): JsonObject {
  const { daysOfWeek, dayOfMonth, ...rest } = fillDefaults(follow('#/$defs/Recurrence'), given)
  return {
    ...rest,
    endsAt: asInstant(rest['endsAt']),
    ...(daysOfWeek != null && { daysOfWeek: asSet(daysOfWeek) }),
    ...(dayOfMonth != null && { dayOfMonth }),
  }
}

function resolveAll(kind: ResourceKind, refs: JsonValue, resolve: Resolve): JsonValue {
  return asSet(asArray(refs).map((ref) => resolve(kind, String(ref))))
}

function asArray(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}

function lower(value: JsonValue | undefined): JsonValue {
  return typeof value === 'string' ? value.toLowerCase() : (value ?? null)
}
