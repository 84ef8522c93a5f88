// Writes the JSON Schema of upvane.yaml from the contract: node cli/make-schema.ts
// With --check it only fails if the committed file differs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Openapi, readOpenapi } from '../sdk/make/schema.ts'
import { EscalationStepInput } from '../src/contract/private/alerts/escalation.ts'
import { tagName } from '../src/contract/private/tags.ts'
import { MAX_ESCALATION_STEPS, MAX_STEP_CONTACTS } from '../src/domain/alerts/escalation.ts'
import { REQUIRED_FIELDS } from '../src/domain/monitors/monitor.ts'
import { MAX_CHOSEN_REGIONS, MAX_REGION_NAME } from '../src/domain/regions/chosen-regions.ts'
import { contactParts } from './make/contacts.ts'
import { object, type Properties, type SchemaNode, toFileProperty, whenever } from './make/nodes.ts'

const FILE = new URL('./src/as-code/schema/upvane.schema.json', import.meta.url)
const REF = { type: 'string', minLength: 1, maxLength: 200 }
const KEY = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'
const SOURCE = '^[A-Za-z0-9][A-Za-z0-9._/@:-]{0,99}$'
const ADDRESS = '^[A-Za-z]{1,30}\\.[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'
const MAX_RESOURCES = 10_000
const MAX_OF_MONITOR = 100
const COMPONENT_MONITOR = {
  ...REF,
  description: 'Monitor whose state the component shows: a key of this file, or an id.',
}

if (import.meta.main) {
  const text = makeSchema(readOpenapi())
  const isStale = !existsSync(FILE) || readFileSync(FILE, 'utf8') !== text
  if (!process.argv.includes('--check')) writeFileSync(FILE, text)
  else if (isStale) {
    process.stderr.write(
      'Differs from the contract: upvane.schema.json. Run "npm run make:openapi".\n',
    )
    process.exitCode = 1
  }
}

/** The text of upvane.schema.json. */
export function makeSchema(openapi: Openapi): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'upvane.yaml',
    type: 'object',
    required: ['version', 'source'],
    additionalProperties: false,
    properties: topLevel(),
    $defs: { ...enumsOf(openapi), ...resourcesOf(openapi), ...contactParts() },
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

function topLevel(): Properties {
  return {
    version: { const: 1, description: 'Version of this format.' },
    source: {
      type: 'string',
      pattern: SOURCE,
      description: 'Name of this file’s claim. Two files with two names never touch each other.',
    },
    defaults: {
      type: 'object',
      additionalProperties: false,
      properties: { monitor: { $ref: '#/$defs/MonitorDefaults' } },
      description: 'For what the monitors of this file leave out.',
    },
    contacts: mapOf('Contact', 'Alert contacts.'),
    tags: mapOf('Tag', 'Tags of monitors.'),
    monitors: mapOf('Monitor', 'Monitors.'),
    statusPages: mapOf('StatusPage', 'Status pages.'),
    maintenanceWindows: mapOf('MaintenanceWindow', 'Maintenance windows.'),
    webhookEndpoints: mapOf('WebhookEndpoint', 'Webhook endpoints.'),
    moved: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        required: ['from', 'to'],
        additionalProperties: false,
        properties: {
          from: { type: 'string', pattern: ADDRESS },
          to: { type: 'string', pattern: ADDRESS },
        },
      },
      description: 'Keys that were renamed: the resource stays, under its new key.',
    },
  }
}

function mapOf(definition: string, description: string): SchemaNode {
  return {
    type: 'object',
    maxProperties: MAX_RESOURCES,
    propertyNames: { type: 'string', pattern: KEY },
    additionalProperties: { $ref: `#/$defs/${definition}` },
    description,
  }
}

function enumsOf(openapi: Openapi): Properties {
  const all = openapi.components.schemas as unknown as Properties
  const enums = Object.entries(all).filter(([, schema]) => schema['enum'] !== undefined)
  const used = [
    'ComponentState',
    'DegradedThresholdMode',
    'DnsRecordType',
    'HttpMethod',
    'KeywordMatch',
    'MonitorType',
    'RecurrenceFrequency',
    'StatusPageLocale',
    'StatusPageTheme',
    'WebhookEventFilter',
    'Weekday',
  ]
  return Object.fromEntries(enums.filter(([name]) => used.includes(name)))
}

function resourcesOf(openapi: Openapi): Properties {
  const of = (name: string) => toFileObject(openapi, name)
  const monitor = monitorProperties(of('MonitorInput'))
  const { monitorIds: _m, statusPageIds: _p, ...window } = of('MaintenanceWindowInput')
  return {
    Monitor: { ...object(monitor, ['name', 'type']), allOf: requiredByType() },
    MonitorDefaults: object(monitor, []),
    ...pageParts(of),
    MaintenanceWindow: object(
      {
        ...window,
        recurrence: {
          ...window['recurrence'],
          anyOf: [{ $ref: '#/$defs/Recurrence' }, { type: 'null' }],
        },
        monitors: refs('Monitors it covers: keys of this file, or ids.', 500),
        statusPages: refs(
          'Status pages that show it. None: every page with a covered monitor.',
          500,
        ),
      },
      ['name', 'startsAt', 'endsAt'],
    ),
    Recurrence: object(of('RecurrenceInput'), ['frequency']),
    WebhookEndpoint: object(of('WebhookEndpointInput'), ['url']),
    Tag: object(
      {
        name: toFileProperty(tagName as unknown as SchemaNode),
        escalation: escalation('tag'),
        regions: regions('tag', 'the organization or the rules say'),
      },
      ['name'],
    ),
    EscalationStep: escalationStep(),
  }
}

function pageParts(of: (name: string) => Properties): Properties {
  const { monitorIds: _short, ...page } = of('StatusPageInput')
  const { id: _section, ...section } = of('StatusPageSectionInput')
  const { id: _component, monitorId: _monitor, ...component } = of('StatusPageComponentInput')
  return {
    StatusPage: object(
      {
        ...page,
        password: { ...page['password'], writeOnly: true },
        sections: { ...page['sections'], items: { $ref: '#/$defs/Section' } },
        monitors: refs(
          'Short form: one unnamed section with these monitors. Not with `sections`.',
          200,
        ),
      },
      ['name'],
    ),
    Section: object(
      {
        ...section,
        collapsed: { ...section['collapsed'], default: false },
        components: { ...section['components'], items: { $ref: '#/$defs/Component' } },
      },
      [],
    ),
    Component: object(
      {
        ...component,
        monitor: COMPONENT_MONITOR,
        manualState: { ...component['manualState'], writeOnly: true },
      },
      [],
    ),
  }
}

function monitorProperties(fields: Properties): Properties {
  const { items, ...expectedStatus } = fields['expectedStatus'] ?? {}
  const range = { type: 'string', pattern: '^[1-5][0-9]{2}-[1-5][0-9]{2}$' }
  return {
    ...fields,
    // Ranges are a convenience of the file.
    expectedStatus: { ...expectedStatus, items: { anyOf: [items, range] } },
    paused: { type: 'boolean', description: 'Whether it is paused. Left out: it stays as it is.' },
    tags: refs(
      'Its tags: keys of this file, or ids. Left out: they stay as they are.',
      MAX_OF_MONITOR,
    ),
    contacts: refs(
      'Contacts it alerts: keys of this file, or ids. Left out: they stay as they are.',
      MAX_OF_MONITOR,
    ),
    escalation: escalation('monitor'),
    regions: regions('monitor', 'its tags, the organization or the rules say'),
  }
}

function escalation(what: string): SchemaNode {
  return {
    type: 'array',
    items: { $ref: '#/$defs/EscalationStep' },
    maxItems: MAX_ESCALATION_STEPS,
    description: `Contacts that are alerted while nobody acknowledges an outage. An empty list: the ${what} has no escalation of its own. Left out: it stays as it is.`,
  }
}

function regions(what: string, otherwise: string): SchemaNode {
  const names: SchemaNode = {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: MAX_REGION_NAME },
    maxItems: MAX_CHOSEN_REGIONS,
    uniqueItems: true,
  }
  const each = { ...names, minItems: 1, description: 'Regions in which every check runs at once.' }
  const downWhen = {
    type: 'integer',
    minimum: 1,
    maximum: MAX_CHOSEN_REGIONS,
    description: 'How many of them have to fail. Left out: the majority.',
  }
  return {
    anyOf: [names, object({ each, downWhen }, ['each'])],
    description: `Regions that checks run from: of a list, the first one with a live probe, and the next confirms; with each, all of them. An empty list: the ${what} has none of its own, and checks run where ${otherwise}. Left out: they stay as they are.`,
  }
}

function escalationStep(): SchemaNode {
  const { afterMinutes } = EscalationStepInput.properties
  const contacts = {
    ...refs('Contacts of this step: keys of this file, or ids.', MAX_STEP_CONTACTS),
    minItems: 1,
  }
  return object({ afterMinutes: toFileProperty(afterMinutes as unknown as SchemaNode), contacts }, [
    'afterMinutes',
    'contacts',
  ])
}

function requiredByType(): SchemaNode[] {
  return Object.entries(REQUIRED_FIELDS)
    .filter(([, fields]) => fields.length > 0)
    .map(([type, fields]) => whenever('type', type, { required: [...fields] }))
}

function refs(description: string, maxItems: number): SchemaNode {
  return { type: 'array', items: REF, maxItems, uniqueItems: true, description }
}

function toFileObject(openapi: Openapi, name: string): Properties {
  const schema = openapi.components.schemas[name]
  if (schema?.properties === undefined) throw new Error(`openapi.json has no object "${name}".`)
  const entries = Object.entries(schema.properties as unknown as Properties)
  return Object.fromEntries(entries.map(([field, each]) => [field, toFileProperty(each)]))
}
