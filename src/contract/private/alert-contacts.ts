// Who is alerted when something is wrong, and how.
import Type from 'typebox'
import { CONTACT_CHANNELS, SHARED_CHANNELS } from '../../domain/alerts/channels.ts'
import { ALERT_STATES } from '../../domain/alerts/model.ts'
import { DELIVERY_STATUSES } from '../../domain/events/delivery.ts'
import { closed, Deleted, input, nullable, oneOf, patch } from '../schema.ts'
import { displayName } from './display-name.ts'
import {
  ORGANIZATION_PATH,
  ORGANIZATION_PROPERTIES,
  OrganizationParams,
  privateOperation,
} from './operation.ts'

const ContactParams = Type.Object({ ...ORGANIZATION_PROPERTIES, contactId: Type.String() })
const PATH = `${ORGANIZATION_PATH}/alert-contacts` as const
const CONTACT_PATH = `${PATH}/{contactId}` as const

const MAX_AT_ONCE = 5_000

export const contactName = displayName
export const contactSettings = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 10,
  additionalProperties: { type: 'string', maxLength: 2048 },
})
const states = Type.Array(oneOf(ALERT_STATES), {
  minItems: 1,
  maxItems: ALERT_STATES.length,
  uniqueItems: true,
})
const wallClock = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
const QuietHours = closed({
  from: wallClock,
  to: wallClock,
  timezone: Type.String({ minLength: 1, maxLength: 64 }),
})

const AlertContact = closed({
  id: Type.String(),
  name: Type.String(),
  channel: oneOf(CONTACT_CHANNELS),
  /** Secrets are masked. */
  settings: Type.Record(Type.String(), Type.String()),
  enabled: Type.Boolean(),
  states: Type.Array(oneOf(ALERT_STATES)),
  delayMinutes: Type.Integer(),
  reminderMinutes: nullable(Type.Integer()),
  quietHours: nullable(QuietHours),
  monitors: Type.Integer(),
  lastSuccessAt: nullable(Type.String()),
  lastFailureAt: nullable(Type.String()),
  failingSince: nullable(Type.String()),
  givenUp: Type.Boolean(),
  /** False while an email address waits for its owner's consent: nothing is sent to it. */
  confirmed: Type.Boolean(),
  confirmedAt: nullable(Type.String()),
  /** When the last confirmation email was sent; null if none was. */
  confirmationSentAt: nullable(Type.String()),
  /** How many browsers it reaches; null for channels other than WEB_PUSH. */
  devices: nullable(Type.Integer()),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

const rules = {
  enabled: Type.Boolean({ default: true }),
  states: Type.Array(oneOf(ALERT_STATES), { ...states, default: [...ALERT_STATES] }),
  delayMinutes: Type.Integer({ minimum: 0, maximum: 60, default: 0 }),
  reminderMinutes: nullable(Type.Integer({ minimum: 5, maximum: 1440, default: null })),
  quietHours: nullable({ ...QuietHours, default: null }),
}

export const listAlertContacts = privateOperation({
  id: 'listAlertContacts',
  method: 'GET',
  path: PATH,
  who: 'READ_ONLY',
  params: OrganizationParams,
  reply: { status: 200, body: closed({ data: Type.Array(AlertContact) }) },
})

export const createAlertContact = privateOperation({
  id: 'createAlertContact',
  method: 'POST',
  path: PATH,
  who: 'ADMIN',
  params: OrganizationParams,
  body: {
    schema: input({
      name: contactName,
      channel: oneOf(SHARED_CHANNELS),
      settings: contactSettings,
      ...rules,
      /** Whether to attach it to every existing monitor. */
      allMonitors: Type.Boolean({ default: true }),
    }),
    required: true,
  },
  reply: {
    status: 201,
    body: closed({
      ...AlertContact.properties,
      /** The signing secret of a WEBHOOK contact, shown this once; null for other channels. */
      secret: nullable(Type.String()),
    }),
  },
})

export const getAlertContact = privateOperation({
  id: 'getAlertContact',
  method: 'GET',
  path: CONTACT_PATH,
  who: 'READ_ONLY',
  params: ContactParams,
  reply: {
    status: 200,
    body: closed({ ...AlertContact.properties, monitorIds: Type.Array(Type.String()) }),
  },
})

/** Settings that are left out stay unchanged. */
export const updateAlertContact = privateOperation({
  id: 'updateAlertContact',
  method: 'PATCH',
  path: CONTACT_PATH,
  who: 'ADMIN',
  params: ContactParams,
  body: {
    schema: patch({ name: contactName, settings: contactSettings, ...rules }),
    required: true,
  },
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
  reply: { status: 201, body: closed({ deliveryId: Type.String() }) },
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

const linkToken = Type.String({ minLength: 1, maxLength: 200 })
const OpenConfirmation = closed({ organization: Type.String(), address: Type.String() })

/** A POST, because the token must not be part of the URL: URLs are logged along the way. */
export const readContactConfirmation = privateOperation({
  id: 'readContactConfirmation',
  method: 'POST',
  path: '/app/api/contact-confirmations/read',
  who: 'ANYONE',
  body: { schema: input({ token: linkToken }), required: true },
  reply: { status: 200, body: OpenConfirmation },
})

/** Needs a person who presses a button: email scanners follow links, but submit nothing. */
export const confirmContact = privateOperation({
  id: 'confirmContact',
  method: 'POST',
  path: '/app/api/contact-confirmations/confirm',
  who: 'ANYONE',
  body: { schema: input({ token: linkToken }), required: true },
  reply: { status: 200, body: OpenConfirmation },
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
  nextAttemptAt: nullable(Type.String()),
  createdAt: Type.String(),
  completedAt: nullable(Type.String()),
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
  readContactConfirmation,
  confirmContact,
  attachAlertContact,
  listAlertDeliveries,
] as const
