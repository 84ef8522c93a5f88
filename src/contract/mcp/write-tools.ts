import { MONITOR_TYPES } from '../../domain/monitors/monitor.ts'
import { AFFECTED_STATES } from '../../domain/status-pages/page-state.ts'
import { IMPACTS, STATUS_INCIDENT_STATUSES } from '../../domain/status-pages/status-incident.ts'
import { oneOf } from '../schema.ts'
import { Type } from '../type.ts'
import { writeTool } from './tool.ts'

const id = (prefix: string) =>
  Type.String({ minLength: 1, maxLength: 100, description: `${prefix}_…` })
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const time = Type.String({ maxLength: 40, description: 'ISO 8601 with offset.' })

// Without a default: whether people are notified must be decided, not forgotten.
const notifySubscribers = Type.Boolean({
  description: 'Whether subscribers get an email. Ask if it was not said.',
})
const components = Type.Optional(
  Type.Array(
    Type.Object(
      {
        componentId: id('cmp'),
        state: oneOf(AFFECTED_STATES),
      },
      { additionalProperties: false },
    ),
    { maxItems: 50 },
  ),
)

export const checkMonitor = writeTool({
  name: 'check_monitor',
  title: 'Check a monitor now',
  description: 'Runs a check that counts like a scheduled one. Takes up to two minutes.',
  input: { monitorId: id('mon') },
})

export const createMonitor = writeTool({
  name: 'create_monitor',
  title: 'Create a monitor',
  description:
    'HTTP, SSL, DOMAIN and DNS need url; KEYWORD url and keyword; PING host; PORT host and port.',
  input: {
    name: text(120),
    type: oneOf(MONITOR_TYPES),
    url: Type.Optional(text(2048)),
    host: Type.Optional(text(255)),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    keyword: Type.Optional(text(500)),
    intervalSeconds: Type.Optional(Type.Integer({ minimum: 30, maximum: 86_400 })),
    expectedPeriodSec: Type.Optional(Type.Integer({ minimum: 60, maximum: 2_592_000 })),
    graceSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
    contactIds: Type.Optional(
      Type.Array(id('act'), {
        maxItems: 200,
        description: 'Who is alerted. Left out: everybody; empty: nobody.',
      }),
    ),
    tags: Type.Optional(Type.Array(text(40), { maxItems: 20 })),
    paused: Type.Optional(Type.Boolean()),
  },
})

export const pauseOrResumeMonitor = writeTool({
  name: 'pause_or_resume_monitor',
  title: 'Pause or resume a monitor',
  description: 'A paused monitor is not checked and sends no alerts.',
  needsCare: true,
  input: { monitorId: id('mon'), action: oneOf(['PAUSE', 'RESUME']) },
})

export const acknowledgeIncident = writeTool({
  name: 'acknowledge_incident',
  title: 'Acknowledge an incident',
  description: 'Records that you are working on it, and stops reminders.',
  input: { incidentId: id('inc'), note: Type.Optional(text(1000)) },
})

export const publishIncident = writeTool({
  name: 'publish_incident',
  title: 'Publish an incident',
  description: 'Publishes an incident on status pages, for everyone to read.',
  needsCare: true,
  input: {
    title: text(200),
    message: Type.String({ minLength: 1, maxLength: 10_000, description: 'Markdown.' }),
    status: oneOf(STATUS_INCIDENT_STATUSES),
    impact: oneOf(IMPACTS),
    statusPageIds: Type.Array(id('sp'), { minItems: 1, maxItems: 20 }),
    components,
    incidentId: Type.Optional(id('inc')),
    notifySubscribers,
  },
})

export const updatePublishedIncident = writeTool({
  name: 'update_published_incident',
  title: 'Update a published incident',
  description: 'Posts an update to a published incident, and may resolve it.',
  needsCare: true,
  input: {
    statusIncidentId: id('sin'),
    message: Type.String({ minLength: 1, maxLength: 10_000, description: 'Markdown.' }),
    status: Type.Optional(oneOf(STATUS_INCIDENT_STATUSES)),
    components,
    notifySubscribers,
  },
})

export const scheduleMaintenance = writeTool({
  name: 'schedule_maintenance',
  title: 'Schedule maintenance',
  description: 'A window in which the monitors send no alerts and count no downtime.',
  needsCare: true,
  input: {
    name: text(120),
    description: Type.Optional(text(2000)),
    startsAt: time,
    endsAt: time,
    monitorIds: Type.Array(id('mon'), { minItems: 1, maxItems: 100 }),
    showOnStatusPages: Type.Boolean(),
    notifySubscribers,
  },
})
