// Many monitors at once, and checks that change nothing.
import type { Static } from 'typebox'
import { MAX_TAG_CHARACTERS, MAX_TAGS_OF_MONITOR } from '../../domain/monitors/tag.ts'
import { displayName } from '../private/display-name.ts'
import { ChosenRegions, RegionSettingInput } from '../private/monitors/region-settings.ts'
import { MonitorTag } from '../private/tags.ts'
import { CheckEvidence } from '../public/incident.ts'
import { EVIDENCE_EXAMPLE } from '../public/incident-examples.ts'
import { MONITOR_EXAMPLE, MonitorBody, MonitorCreate } from '../public/monitor.ts'
import { closed, described, id, input, nullable, oneOf, orNull } from '../schema.ts'
import { Type } from '../type.ts'
import { extOperation } from './operation.ts'

const MAX_MONITORS = 1000
const MAX_CONTACTS = 200

/** Which file manages a resource. */
export const Management = closed({
  source: Type.String({ description: 'Name of the source that manages it.' }),
  address: Type.String({ description: 'Its place in the source, such as `monitors.checkout`.' }),
})

export const MonitorDetail = closed({
  ...MonitorBody.properties,
  tags: Type.Array(MonitorTag, { description: 'Its tags, by name.' }),
  alertContactIds: Type.Array(Type.String(), {
    description: 'Contacts that are alerted about it.',
  }),
  managedBy: orNull(Management, 'The configuration file that manages it.'),
  regions: orNull(
    ChosenRegions,
    'The regions that were chosen for this monitor. Null if it follows a tag, the organization or the rules.',
  ),
})
export type MonitorDetail = Static<typeof MonitorDetail>

export const MonitorDetailList = closed({
  data: Type.Array(MonitorDetail, { description: 'Newest first.' }),
  next: nullable(Type.String({ description: '`cursor` of the next page. Null on the last.' })),
})

const DETAIL: MonitorDetail = {
  ...MONITOR_EXAMPLE,
  tags: [{ id: 'tag_01m7e43y1ne6a8002504v5j15s', name: 'Production' }],
  alertContactIds: ['act_01m7e43y1ne6a8002504v5j15s'],
  managedBy: { source: 'shop/upvane.yaml', address: 'monitors.checkout' },
  regions: { regions: ['eu-west', 'us-east'], mode: 'FIRST', downWhen: null },
}

export const listMonitorDetails = extOperation({
  id: 'listMonitorDetails',
  method: 'GET',
  path: '/api/ext/v1/monitors',
  tag: 'Monitors in bulk',
  summary: 'List monitors with everything attached',
  description:
    'Up to 1000 monitors in one response, newest first: the fields of the public API, and tags, alert contacts and the source that manages each. Pass `next` of a page as `cursor` to get the one after it. Each monitor comes once, also while others appear and vanish.',
  query: input({
    limit: Type.Integer({
      minimum: 1,
      maximum: MAX_MONITORS,
      default: 100,
      description: 'Page size.',
    }),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: '`next` of the previous page.' }),
    ),
    tag: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: MAX_TAGS_OF_MONITOR,
        description: 'Only monitors that have all of these tags, by id or name.',
      }),
    ),
  }),
  reply: {
    status: 200,
    description: 'One page of monitors.',
    body: MonitorDetailList,
    example: { data: [DETAIL], next: null },
  },
})

export const MonitorDetailInput = input({
  ...MonitorCreate.properties,
  contactIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: MAX_CONTACTS,
      description:
        'Contacts that are alerted about it. Left out: all contacts of the organization. Empty: none.',
    }),
  ),
  tags: Type.Array(Type.String({ ...displayName, maxLength: MAX_TAG_CHARACTERS }), {
    maxItems: MAX_TAGS_OF_MONITOR,
    default: [],
    description: 'Its tags, by id or by name. A name that is not a tag yet becomes one.',
  }),
  paused: Type.Boolean({
    default: false,
    description: 'Whether it starts as PAUSED: it is not checked until it is resumed.',
  }),
  regions: nullable({
    ...RegionSettingInput,
    default: null,
    description: 'Where it is checked. Null: where its tags, the organization or the rules say.',
  }),
})
export type MonitorDetailInput = Static<typeof MonitorDetailInput>

export const createMonitorDetail = extOperation({
  id: 'createMonitorDetail',
  method: 'POST',
  path: '/api/ext/v1/monitors',
  tag: 'Monitors in bulk',
  summary: 'Create a monitor with everything attached',
  description:
    'The fields of the public API, and contacts, tags and whether it starts paused, in one step: no check runs and nobody is alerted before all of it is there. If anything is refused, nothing is created.',
  shownAt: '/api/v1/monitors',
  body: {
    schema: MonitorDetailInput,
    required: true,
    example: {
      name: 'Checkout',
      type: 'HTTP',
      url: 'https://shop.example.com/checkout/health',
      intervalSeconds: 60,
      contactIds: ['act_01m7e43y1ne6a8002504v5j15s'],
      tags: ['Production'],
    },
  },
  reply: {
    status: 201,
    description: 'The new monitor.',
    body: MonitorDetail,
    example: {
      ...DETAIL,
      state: 'PENDING',
      lastCheckedAt: null,
      lastStatusChangedAt: null,
      lastResponseMs: null,
      certExpiresAt: null,
      managedBy: null,
    },
  },
})

const region = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Region to check from. Left out, the home region of the organization.',
  }),
)
const { name: _, ...checked } = MonitorCreate.properties

export const CheckInput = input({ ...checked, region })
export const MonitorCheckInput = input({ region })

export const CheckResult = closed({
  result: oneOf(['OK', 'FAILED', 'INCONCLUSIVE'] as const, {
    description: 'INCONCLUSIVE: the check could not run.',
  }),
  region: Type.String({ description: 'Region of the last attempt. `none` if there was none.' }),
  check: described(CheckEvidence, 'What the check saw.'),
})

const RESULT: Static<typeof CheckResult> = {
  result: 'FAILED',
  region: 'eu-1',
  check: EVIDENCE_EXAMPLE,
}

export const runCheck = extOperation({
  id: 'runCheck',
  method: 'POST',
  waits: true,
  path: '/api/ext/v1/checks',
  tag: 'Checks',
  summary: 'Check something without saving it',
  description:
    'One check with the settings of a monitor that does not exist. Nothing is kept but a line in the audit log. CRON has nothing to check. At most 10 in a minute for each organization, together with runMonitorCheck. It may take up to 71 seconds.',
  body: {
    schema: CheckInput,
    required: true,
    example: { type: 'HTTP', url: 'https://shop.example.com/checkout/health', region: 'eu-1' },
  },
  reply: {
    status: 200,
    description: 'What the check saw.',
    body: CheckResult,
    example: RESULT,
  },
})

export const runMonitorCheck = extOperation({
  id: 'runMonitorCheck',
  method: 'POST',
  waits: true,
  path: '/api/ext/v1/monitors/{monitorId}/checks',
  tag: 'Checks',
  summary: 'Check a monitor from a region, without recording it',
  description:
    'One check with the settings of the monitor. Its state, incidents and history stay as they are: to record a check, use checkMonitor of the public API. CRON has nothing to check. At most 10 in a minute for each organization, together with runCheck.',
  params: Type.Object({ monitorId: id('Id of the monitor.') }),
  body: { schema: MonitorCheckInput, required: true, example: { region: 'eu-1' } },
  reply: {
    status: 200,
    description: 'What the check saw.',
    body: CheckResult,
    example: RESULT,
  },
})

export const CHECK_OPERATIONS = [runCheck, runMonitorCheck] as const
