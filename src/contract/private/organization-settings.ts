// What owners and admins decide for everyone in their organization, and how it is deleted.
import { closed, input, nullable, time } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'

const MAX_NAME = 1000
const MAX_TIMEZONE = 64

export const changeTimezone = privateOperation({
  id: 'changeTimezone',
  method: 'PATCH',
  path: '/timezone',
  who: 'ADMIN',
  body: {
    /** Null: the time zone of each person's browser. */
    schema: input({ timezone: nullable(Type.String({ minLength: 1, maxLength: MAX_TIMEZONE })) }),
    required: true,
  },
  reply: { status: 200, body: closed({ timezone: nullable(Type.String()) }) },
})

/** Members without a second factor can then only set one up, or leave. API keys are not affected. */
export const requireSecondFactor = privateOperation({
  id: 'requireSecondFactor',
  method: 'PATCH',
  path: '/second-factor',
  who: 'OWNER',
  body: { schema: input({ required: Type.Boolean() }), required: true },
  reply: { status: 200, body: closed({ required: Type.Boolean() }) },
})

/** `name` is what the owner typed to confirm. Nothing of the organization works from then on. */
export const deleteOrganization = privateOperation({
  id: 'deleteOrganization',
  method: 'POST',
  path: '/deletion',
  who: 'OWNER',
  body: { schema: input({ name: Type.String({ maxLength: MAX_NAME }) }), required: true },
  reply: { status: 200, body: closed({ id: Type.String(), eraseAt: time() }) },
})

export const restoreOrganization = privateOperation({
  id: 'restoreOrganization',
  method: 'DELETE',
  path: '/deletion',
  who: 'OWNER',
  passes: ['DELETION'],
  reply: { status: 200, body: closed({ id: Type.String() }) },
})

export const ORGANIZATION_SETTINGS_OPERATIONS = [
  changeTimezone,
  requireSecondFactor,
  deleteOrganization,
  restoreOrganization,
] as const
