// Who is alerted when something is wrong, and how.
import { CONTACT_CHANNELS, SHARED_CHANNELS } from '../../domain/alerts/channels.ts'
import { ALERT_STATES } from '../../domain/alerts/model.ts'
import { DELIVERY_STATUSES } from '../../domain/events/delivery.ts'
import { closed, Deleted, input, nullable, oneOf, patch, time } from '../schema.ts'
import { Type } from '../type.ts'
import { displayName } from './display-name.ts'
import { privateOperation } from './operation.ts'

const ContactParams = Type.Object({
  contactId: Type.String({ description: 'Id of the contact.' }),
})
const PATH = '/alert-contacts'
const CONTACT_PATH = `${PATH}/{contactId}` as const

const MAX_AT_ONCE = 5_000

const ABOUT = {
  name: 'Name for people.',
  channel: 'How it is reached. It does not change.',
  enabled: 'Whether alerts are sent to it.',
  states: 'The states it is alerted about.',
  delayMinutes: 'Minutes an outage must last before the contact is alerted.',
  reminderMinutes: 'Minutes between reminders while an outage lasts. Null sends none.',
  quietHours: 'Daily hours in which alerts wait. Null for none.',
}

export const contactName = Type.String({ ...displayName, description: ABOUT.name })
export const contactSettings = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 10,
  additionalProperties: { type: 'string', maxLength: 8000 },
  description: 'Settings of the channel, such as `address` of EMAIL or `url` of WEBHOOK.',
})
const states = Type.Array(oneOf(ALERT_STATES), {
  minItems: 1,
  maxItems: ALERT_STATES.length,
  uniqueItems: true,
  description: ABOUT.states,
})
const wallClock = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description })
const quietHours = () =>
  closed({
    from: wallClock('Start, as local time `hh:mm`.'),
    to: wallClock('End, as local time `hh:mm`. Before `from`, it is on the next day.'),
    timezone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone.' }),
  })
export const QuietHours = quietHours()
export const QuietHoursInput = quietHours()

export const AlertContact = closed({
  id: Type.String({ description: 'Id of the contact.' }),
  name: Type.String({ description: ABOUT.name }),
  channel: oneOf(CONTACT_CHANNELS, { description: ABOUT.channel }),
  settings: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Settings of the channel. Secrets are masked.',
  }),
  enabled: Type.Boolean({ description: ABOUT.enabled }),
  states: Type.Array(oneOf(ALERT_STATES), { description: ABOUT.states }),
  delayMinutes: Type.Integer({ description: ABOUT.delayMinutes }),
  reminderMinutes: nullable(Type.Integer({ description: ABOUT.reminderMinutes })),
  quietHours: nullable({ ...QuietHours, description: ABOUT.quietHours }),
  monitors: Type.Integer({ description: 'How many monitors it is attached to.' }),
  lastSuccessAt: nullable(time({ description: 'When a message last arrived.' })),
  lastFailureAt: nullable(time({ description: 'When a message last failed to arrive.' })),
  failingSince: nullable(time({ description: 'Since when every message has failed.' })),
  givenUp: Type.Boolean({
    description: 'Failed for days: nothing is sent until it is changed or tested.',
  }),
  confirmed: Type.Boolean({
    description:
      'False while an email address waits for its owner to confirm it: nothing is sent to it.',
  }),
  confirmedAt: nullable(time({ description: 'When its owner confirmed the address.' })),
  confirmationSentAt: nullable(
    time({ description: 'When the last confirmation email was sent. Null if none was.' }),
  ),
  devices: nullable(
    Type.Integer({ description: 'How many browsers it reaches. Null unless WEB_PUSH.' }),
  ),
  createdAt: time({ description: 'When it was created.' }),
  updatedAt: time({ description: 'When it was last changed.' }),
})

const rules = {
  enabled: Type.Boolean({ default: true, description: ABOUT.enabled }),
  states: Type.Array(oneOf(ALERT_STATES), { ...states, default: [...ALERT_STATES] }),
  delayMinutes: Type.Integer({
    minimum: 0,
    maximum: 60,
    default: 0,
    description: ABOUT.delayMinutes,
  }),
  reminderMinutes: nullable(
    Type.Integer({
      minimum: 5,
      maximum: 1440,
      default: null,
      description: ABOUT.reminderMinutes,
    }),
  ),
  quietHours: nullable({ ...QuietHoursInput, default: null, description: ABOUT.quietHours }),
}

export const AlertContactInput = input({
  name: contactName,
  channel: oneOf(SHARED_CHANNELS, { description: ABOUT.channel }),
  settings: contactSettings,
  ...rules,
  allMonitors: Type.Boolean({
    default: true,
    description: 'Whether to attach it to every monitor that exists now.',
  }),
})
export const AlertContactWithSecret = closed({
  ...AlertContact.properties,
  secret: nullable(
    Type.String({
      description: 'The signing secret of a WEBHOOK contact, shown this once. Null for others.',
    }),
  ),
})
export const AlertContactDetail = closed({
  ...AlertContact.properties,
  monitorIds: Type.Array(Type.String(), { description: 'The monitors it is attached to.' }),
})
export const AlertContactPatch = patch({
  name: contactName,
  settings: contactSettings,
  ...rules,
})
export const AlertTest = closed({
  deliveryId: Type.String({ description: 'Id of the delivery of the test message.' }),
})

export const listAlertContacts = privateOperation({
  id: 'listAlertContacts',
  method: 'GET',
  path: PATH,
  who: 'READ_ONLY',
  reply: { status: 200, body: closed({ data: Type.Array(AlertContact) }) },
})

export const createAlertContact = privateOperation({
  id: 'createAlertContact',
  method: 'POST',
  path: PATH,
  who: 'ADMIN',
  body: { schema: AlertContactInput, required: true },
  reply: { status: 201, body: AlertContactWithSecret },
})

export const getAlertContact = privateOperation({
  id: 'getAlertContact',
  method: 'GET',
  path: CONTACT_PATH,
  who: 'READ_ONLY',
  params: ContactParams,
  reply: { status: 200, body: AlertContactDetail },
})

/** Settings that are left out stay unchanged. */
export const updateAlertContact = privateOperation({
  id: 'updateAlertContact',
  method: 'PATCH',
  path: CONTACT_PATH,
  who: 'ADMIN',
  params: ContactParams,
  body: { schema: AlertContactPatch, required: true },
  reply: { status: 200, body: AlertContact },
})

export const deleteAlertContact = privateOperation({
  id: 'deleteAlertContact',
  method: 'DELETE',
  path: CONTACT_PATH,
  who: 'ADMIN',
  params: ContactParams,
  reply: { status: 200, body: Deleted },
})

export const testAlertContact = privateOperation({
  id: 'testAlertContact',
  method: 'POST',
  path: `${CONTACT_PATH}/test`,
  who: 'ADMIN',
  params: ContactParams,
  reply: { status: 201, body: AlertTest },
})

/** Invalidates the link of the previous email. */
export const resendContactConfirmation = privateOperation({
  id: 'resendContactConfirmation',
  method: 'POST',
  path: `${CONTACT_PATH}/confirmation`,
  who: 'ADMIN',
  params: ContactParams,
  reply: { status: 200, body: AlertContact },
})

/**
 * From Opsgenie, which ends on 5 April 2027, to its successor. Name, rules and monitors stay; so does the key, unless
 * there is a new one.
 */
export const moveAlertContact = privateOperation({
  id: 'moveAlertContact',
  method: 'POST',
  path: `${CONTACT_PATH}/move`,
  who: 'ADMIN',
  params: ContactParams,
  body: {
    schema: input({ apiKey: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })) }),
    required: true,
  },
  reply: { status: 200, body: AlertContact },
})

/** Attaches it to, or detaches it from, many monitors at once. */
export const attachAlertContact = privateOperation({
  id: 'attachAlertContact',
  method: 'POST',
  path: `${CONTACT_PATH}/monitors`,
  who: 'ADMIN',
  params: ContactParams,
  body: {
    schema: input({
      do: oneOf(['ATTACH', 'DETACH'] as const),
      /** Null for all monitors. */
      monitorIds: nullable(Type.Array(Type.String(), { maxItems: MAX_AT_ONCE })),
    }),
    required: true,
  },
  reply: { status: 200, body: closed({ monitorIds: Type.Array(Type.String()) }) },
})

const AlertDelivery = closed({
  id: Type.String(),
  kind: Type.String(),
  title: Type.String(),
  status: oneOf(DELIVERY_STATUSES),
  attemptCount: Type.Integer(),
  lastResponseStatus: nullable(Type.Integer()),
  lastError: nullable(Type.String()),
  /** The provider's error message. */
  error: nullable(Type.String()),
  nextAttemptAt: nullable(time()),
  createdAt: time(),
  completedAt: nullable(time()),
})

export const listAlertDeliveries = privateOperation({
  id: 'listAlertDeliveries',
  method: 'GET',
  path: `${CONTACT_PATH}/deliveries`,
  who: 'READ_ONLY',
  params: ContactParams,
  reply: { status: 200, body: closed({ data: Type.Array(AlertDelivery) }) },
})

export const ALERT_CONTACT_OPERATIONS = [
  listAlertContacts,
  createAlertContact,
  getAlertContact,
  updateAlertContact,
  deleteAlertContact,
  testAlertContact,
  resendContactConfirmation,
  moveAlertContact,
  attachAlertContact,
  listAlertDeliveries,
] as const
