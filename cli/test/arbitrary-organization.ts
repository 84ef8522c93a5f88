// Generates what an organization may hold, every writable field over its whole domain, for property tests.
import fc from 'fast-check'
import { type Schema as ApiSchema, readOpenapi } from '../../sdk/make/schema.ts'
import type { JsonObject, JsonValue } from '../src/as-code/model/json.ts'
import { contact } from './arbitrary-contact.ts'
import { LONGEST_TEXT, text, timezone, visible } from './arbitrary-text.ts'

/** Bodies of creates. Monitors, pages and tags are referred to by their places in the lists. */
export type GeneratedOrganization = {
  contacts: JsonObject[]
  tags: JsonObject[]
  monitors: { body: JsonObject; paused: boolean; tags: number[]; contacts: number[] }[]
  statusPages: { body: JsonObject; sections: GeneratedSection[] }[]
  maintenanceWindows: { body: JsonObject; monitors: number[]; statusPages: number[] }[]
  webhookEndpoints: JsonObject[]
  /** At most one for each monitor or tag. */
  escalations: { of: 'tags' | 'monitors'; at: number; steps: GeneratedStep[] }[]
}
type GeneratedStep = { afterMinutes: number; contacts: number[] }
export type GeneratedSection = {
  name: string | null
  collapsed: boolean
  components: {
    name: string | null
    description: string | null
    monitor: number | null
    manualState?: string
  }[]
}

type Bounds = ApiSchema & {
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

const HOUR_MS = 3_600_000
const openapi = readOpenapi()

const host = fc.constantFrom('example.com', 'a.example.org', '192.0.2.7', '2001:db8::1')
const url = fc
  .tuple(
    host.filter((name) => name.endsWith('com') || name.endsWith('org')),
    fc.webPath(),
    fc.boolean(),
  )
  .map(([name, path, isSafe]) => `${isSafe ? 'https' : 'http'}://${name}${path}`)

function ofSchema(given: ApiSchema): fc.Arbitrary<JsonValue> {
  const schema = given as Bounds
  const { $ref, allOf, items, type = [] } = schema
  if ($ref !== undefined)
    return ofSchema(openapi.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  if (allOf?.[0] !== undefined) return ofSchema(allOf[0])
  const types = [type].flat()
  const one = ofType(schema, types.find((each) => each !== 'null') ?? 'null', items)
  return types.includes('null') ? fc.option(one) : one
}

function ofType(
  schema: Bounds,
  type: string,
  items: ApiSchema | undefined,
): fc.Arbitrary<JsonValue> {
  const { minLength = 0, maxLength = LONGEST_TEXT, minimum = 0, maximum = 1_000_000 } = schema
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum })
  if (type === 'array' && items)
    return fc.array(ofSchema(items), {
      minLength: schema.minItems ?? 0,
      maxLength: schema.maxItems ?? 30,
    })
  return text(minLength, maxLength)
}

function fieldsOf(
  name: string,
  special: Record<string, fc.Arbitrary<JsonValue>>,
): fc.Arbitrary<JsonObject> {
  const { properties = {} } = openapi.components.schemas[name] ?? {}
  const all = Object.entries(properties).map(([field, schema]) => [
    field,
    special[field] ?? ofSchema(schema),
  ])
  return fc.record(Object.fromEntries(all) as Record<string, fc.Arbitrary<JsonValue>>)
}

const headers = fc.option(
  fc.dictionary(
    fc.stringMatching(/^X-[A-Za-z0-9-]{1,20}$/),
    fc.stringMatching(/^[!-~][ -~]{0,40}[!-~]$/),
    {
      maxKeys: 5,
    },
  ),
)

/** What a type needs is there, whatever else is. */
const monitorBody = fc
  .tuple(
    fieldsOf('MonitorInput', {
      url: fc.option(url),
      host: fc.option(host),
      requestHeaders: headers,
    }),
    url,
    host,
    text(1, 50),
  )
  .map(([fields, anyUrl, anyHost, keyword]) => ({
    ...fields,
    url: fields['url'] ?? anyUrl,
    host: fields['host'] ?? anyHost,
    port: fields['port'] ?? 443,
    keyword: fields['keyword'] || keyword,
  }))

const monitor = fc.record({
  body: monitorBody,
  paused: fc.boolean(),
  tags: fc.uniqueArray(fc.nat(2), { maxLength: 3 }),
  contacts: fc.uniqueArray(fc.nat(2), { maxLength: 3 }),
})

const webUrl = fc.option(url)
const section: fc.Arbitrary<GeneratedSection> = fc.record({
  name: fc.option(text(1, 120)),
  collapsed: fc.boolean(),
  components: fc.array(
    fc
      .record({
        name: fc.option(text(1, 120)),
        description: fc.option(text(0, 500)),
        monitor: fc.option(fc.nat(5)),
        manualState: ofSchema({ $ref: '#/components/schemas/ComponentState' }),
      })
      .map(({ manualState, ...each }) =>
        each.monitor === null
          ? { ...each, name: each.name ?? 'Manual', manualState: String(manualState) }
          : each,
      ),
    { maxLength: 5 },
  ),
})

const page = fc.record({
  body: fieldsOf('StatusPageInput', {
    slug: fc.uuid().map((id) => `p-${id}`),
    customDomain: fc.option(fc.uuid().map((id) => `S-${id}.example.com`)),
    password: fc.option(text(8, 128)),
    accentColor: fc.option(fc.stringMatching(/^#[0-9a-fA-F]{6}$/)),
    logoUrl: webUrl,
    faviconUrl: webUrl,
    homepageUrl: webUrl,
    supportUrl: webUrl,
    timezone,
    sections: fc.constant([]),
    monitorIds: fc.constant([]),
  }).map(({ sections: _sections, monitorIds: _ids, ...body }) => body),
  sections: fc.array(section, { maxLength: 4 }),
})

const weekdays = openapi.components.schemas['Weekday']?.enum ?? []
const repeats = {
  interval: fc.integer({ min: 1, max: 52 }),
  endsAt: fc.option(fc.constantFrom('2037-01-01T00:00:00.000Z', '2038-06-01T12:30:00+05:30')),
}
const recurrence = fc.oneof(
  fc.constant(null),
  fc.record({ frequency: fc.constant('DAILY'), ...repeats }),
  fc.record({
    frequency: fc.constant('WEEKLY'),
    daysOfWeek: fc.option(fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 })),
    ...repeats,
  }),
  fc.record({
    frequency: fc.constant('MONTHLY'),
    dayOfMonth: fc.option(fc.constantFrom(-1, ...Array.from({ length: 31 }, (_, at) => at + 1))),
    ...repeats,
  }),
)

const window = fc.record({
  body: fc
    .record({
      fields: fieldsOf('MaintenanceWindowInput', {
        timezone,
        recurrence: recurrence as fc.Arbitrary<JsonValue>,
      }),
      inHours: fc.integer({ min: 1, max: 1_000 }),
      minutes: fc.integer({ min: 1, max: 600 }),
    })
    .map(({ fields, inHours, minutes }) => {
      const { monitorIds: _monitors, statusPageIds: _pages, ...body } = fields
      const startsAt = Math.floor(Date.now() / 1000) * 1000 + inHours * HOUR_MS
      return {
        ...body,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(startsAt + minutes * 60_000).toISOString(),
      }
    }),
  monitors: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 }),
  statusPages: fc.uniqueArray(fc.nat(1), { maxLength: 2 }),
})

const eventTypes = (openapi.components.schemas['WebhookEventType']?.enum ?? []).map(String)
const endpoint = fieldsOf('WebhookEndpointInput', {
  url: fc.uuid().map((id) => `https://hooks.example.com/${id}`),
  eventTypes: fc.oneof(
    fc.constant<string[]>(['*']),
    fc.shuffledSubarray(eventTypes, { minLength: 1 }),
  ),
})

const escalation = fc
  .record({
    of: fc.constantFrom('tags' as const, 'monitors' as const),
    at: fc.nat(2),
    contacts: fc.shuffledSubarray([0, 1, 2], { minLength: 1 }),
    minutes: fc.uniqueArray(fc.integer({ min: 1, max: 1440 }), { minLength: 3, maxLength: 3 }),
  })
  .map(({ contacts, minutes, ...target }) => {
    const times = minutes.toSorted((one, other) => one - other)
    const steps = contacts.map((each, nth) => ({
      afterMinutes: times[nth] ?? 0,
      contacts: [each],
    }))
    return { ...target, steps }
  })

/** Three contacts and tags, six monitors and two pages: what the places in the others refer to. */
export const generatedOrganization: fc.Arbitrary<GeneratedOrganization> = fc.record({
  contacts: fc.array(contact, { minLength: 3, maxLength: 3 }),
  // No two differ only in case.
  tags: fc
    .array(visible(39), { minLength: 3, maxLength: 3 })
    .map((names) => names.map((name, at) => ({ name: `${at}${name}` }))),
  monitors: fc.array(monitor, { minLength: 6, maxLength: 6 }),
  statusPages: fc.array(page, { minLength: 2, maxLength: 2 }),
  maintenanceWindows: fc.array(window, { maxLength: 2 }),
  webhookEndpoints: fc.array(endpoint, { maxLength: 2 }),
  escalations: fc.uniqueArray(escalation, { maxLength: 3, selector: ({ of, at }) => `${of}${at}` }),
})
