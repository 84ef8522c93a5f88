import type { Static } from 'typebox'
import * as own from '../private/alert-contacts.ts'
import { closed, id, input, PAGE_QUERY, page } from '../schema.ts'
import { Type } from '../type.ts'
import { extOperation, forKeys } from './operation.ts'

const tag = 'Alert contacts'
const PATH = '/api/ext/v1/alert-contacts'
const CONTACT_PATH = `${PATH}/{contactId}` as const

export const AlertContactList = page(own.AlertContact)
export const ContactAttachment = closed({
  contactId: id('Id of the contact.'),
  monitorId: id('Id of the monitor.'),
  attached: Type.Boolean({ description: 'Whether the contact is alerted about the monitor.' }),
})

const CONTACT_ID = 'act_01m7e43y1ne6a8002504v5j15s'
const MONITOR_ID = 'mon_01m7e3dhx0e008000mxrf1bnxa'
const CONTACT: Static<typeof own.AlertContact> = {
  id: CONTACT_ID,
  name: 'On-call channel',
  channel: 'SLACK',
  settings: { url: 'hooks.slack.com/••••Xy3k' },
  enabled: true,
  states: ['DOWN'],
  delayMinutes: 0,
  reminderMinutes: 60,
  quietHours: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' },
  monitors: 12,
  lastSuccessAt: '2026-11-14T22:39:01.901Z',
  lastFailureAt: null,
  failingSince: null,
  givenUp: false,
  confirmed: true,
  confirmedAt: null,
  confirmationSentAt: null,
  devices: null,
  createdAt: '2026-09-01T08:30:00.000Z',
  updatedAt: '2026-09-01T08:30:00.000Z',
}

export const listAlertContacts = extOperation({
  id: 'listAlertContacts',
  method: 'GET',
  path: PATH,
  tag,
  summary: 'List alert contacts',
  description: 'The people and channels that are alerted, newest first.',
  query: input(PAGE_QUERY),
  reply: {
    status: 200,
    description: 'One page of contacts.',
    body: AlertContactList,
    example: { data: [CONTACT], pagination: { limit: 25, offset: 0, total: 1 } },
  },
})

const AttachmentParams = Type.Object({
  contactId: id('Id of the contact.'),
  monitorId: id('Id of the monitor.'),
})

export const attachAlertContact = extOperation({
  id: 'attachAlertContact',
  method: 'PUT',
  path: `${CONTACT_PATH}/monitors/{monitorId}`,
  tag,
  summary: 'Attach an alert contact to a monitor',
  description: 'The contact is alerted about the monitor from now on. Takes no body.',
  params: AttachmentParams,
  reply: {
    status: 200,
    description: 'The contact is attached.',
    body: ContactAttachment,
    example: { contactId: CONTACT_ID, monitorId: MONITOR_ID, attached: true },
  },
})

export const detachAlertContact = extOperation({
  id: 'detachAlertContact',
  method: 'DELETE',
  path: `${CONTACT_PATH}/monitors/{monitorId}`,
  tag,
  summary: 'Detach an alert contact from a monitor',
  description: 'The contact is no longer alerted about the monitor.',
  params: AttachmentParams,
  reply: {
    status: 200,
    description: 'The contact is not attached.',
    body: ContactAttachment,
    example: { contactId: CONTACT_ID, monitorId: MONITOR_ID, attached: false },
  },
})

export const ALERT_CONTACT_OPERATIONS = [
  listAlertContacts,
  forKeys(own.createAlertContact, {
    tag,
    summary: 'Create an alert contact',
    description:
      'Attached to every monitor that exists, unless `allMonitors` is false. An email address gets a confirmation email first. Secrets in `settings` are write-only: responses mask them.',
    example: {
      name: 'On-call channel',
      channel: 'SLACK',
      settings: { url: 'https://hooks.slack.com/services/T000/B000/XXXX' },
      states: ['DOWN'],
    },
    reply: {
      description: 'The new contact, with its signing secret if it is a WEBHOOK.',
      example: { ...CONTACT, secret: null },
    },
  }),
  forKeys(own.getAlertContact, {
    tag,
    summary: 'Get an alert contact',
    description: 'The contact with the monitors it is attached to. Secrets are masked.',
    reply: { description: 'The contact.', example: { ...CONTACT, monitorIds: [MONITOR_ID] } },
  }),
  forKeys(own.updateAlertContact, {
    tag,
    summary: 'Update an alert contact',
    description:
      'Fields and settings that you leave out stay as they are. If the address leads to another server, or to another path on the same one, its secrets must be given again.',
    example: { reminderMinutes: 60 },
    reply: { description: 'The contact.', example: CONTACT },
  }),
  forKeys(own.deleteAlertContact, {
    tag,
    summary: 'Delete an alert contact',
    reply: { description: 'The contact is deleted.', example: { data: { id: CONTACT_ID } } },
  }),
  forKeys(own.testAlertContact, {
    tag,
    summary: 'Test an alert contact',
    description: 'Sends a test message. The number of tests in 15 minutes is limited.',
    reply: {
      description: 'The message is queued.',
      example: { deliveryId: 'whd_01m7e4f440e1n80038aztfqn39' },
    },
  }),
  attachAlertContact,
  detachAlertContact,
] as const
