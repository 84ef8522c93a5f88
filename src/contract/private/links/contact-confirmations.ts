// The link in the email that asks an address to confirm alerts. Its reader may have no account.
import { closed, input } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'

const linkToken = Type.String({ minLength: 1, maxLength: 200 })
const OpenConfirmation = closed({ organization: Type.String(), address: Type.String() })

/** A POST, because the token must not be part of the URL: URLs are logged along the way. */
export const readContactConfirmation = privateOperation({
  id: 'readContactConfirmation',
  method: 'POST',
  path: '/contact-confirmations/read',
  who: 'ANYONE',
  body: { schema: input({ token: linkToken }), required: true },
  reply: { status: 200, body: OpenConfirmation },
})

/** Needs a person who presses a button: email scanners follow links, but submit nothing. */
export const confirmAlertContact = privateOperation({
  id: 'confirmAlertContact',
  method: 'POST',
  path: '/contact-confirmations/confirm',
  who: 'ANYONE',
  body: { schema: input({ token: linkToken }), required: true },
  reply: { status: 200, body: OpenConfirmation },
})

export const CONTACT_CONFIRMATION_OPERATIONS = [
  readContactConfirmation,
  confirmAlertContact,
] as const
