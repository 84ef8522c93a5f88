// The link in an alert that acknowledges its incident. Its reader may have no account.
import { closed, input, nullable, Timestamp, time } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'

const linkToken = Type.String({ minLength: 1, maxLength: 200 })

const LinkedIncident = closed({
  organization: Type.String(),
  /** Its name. */
  monitor: Type.String(),
  cause: Type.String(),
  startedAt: time(),
  /** The name of the alert contact that the link was sent to. */
  contact: Type.String(),
  /** Null while nobody has. */
  acknowledgedBy: nullable(Type.String()),
  acknowledgedAt: nullable(Timestamp),
  resolvedAt: nullable(Timestamp),
  /** False once it has expired or its incident is over: it only shows what became of the incident, for 30 days. */
  works: Type.Boolean(),
})

/** A POST, because the token must not be part of the URL: URLs are logged along the way. Changes nothing. */
export const readAcknowledgement = privateOperation({
  id: 'readAcknowledgement',
  method: 'POST',
  path: '/acknowledgements/read',
  who: 'ANYONE',
  body: { schema: input({ token: linkToken }), required: true },
  reply: { status: 200, body: LinkedIncident },
})

/** Needs a person who presses a button: scanners of emails and chats follow links, but submit nothing. */
export const acknowledgeIncidentByLink = privateOperation({
  id: 'acknowledgeIncidentByLink',
  method: 'POST',
  path: '/acknowledgements/acknowledge',
  who: 'ANYONE',
  body: { schema: input({ token: linkToken }), required: true },
  reply: { status: 200, body: LinkedIncident },
})

export const ACKNOWLEDGEMENT_OPERATIONS = [readAcknowledgement, acknowledgeIncidentByLink] as const
