// A webhook endpoint: its settings, and how the API shows it.
import {
  choice,
  type Fields,
  listOf,
  orNull,
  pickFields,
  required,
  text,
  type ValuesOf,
  withDefault,
  yesOrNo,
} from '../fields/field.ts'
import { toPublicId } from '../values/id.ts'
import { EVENT_TYPES } from './event.ts'
import { previousSecretExpiresAt } from './signature.ts'
import { EVERY_EVENT } from './webhook.ts'

export const DISABLED_REASONS = ['MANUAL', 'FAILING', 'GONE'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** Everything a user can set, named as in the API. */
export const ENDPOINT_SETTINGS = {
  url: required(text({ minLength: 1, maxLength: 2048 }), {
    about: 'Public HTTPS address that receives the events.',
    example: 'https://hooks.example.com/upvane',
  }),
  description: withDefault(orNull(text({ maxLength: 500 })), null, {
    about: 'What it is for.',
    example: 'Opens tickets',
  }),
  eventTypes: withDefault(
    listOf(choice<string>([...EVENT_TYPES, EVERY_EVENT]), {
      minItems: 1,
      maxItems: EVENT_TYPES.length,
    }),
    [EVERY_EVENT],
    {
      about: 'Event types it receives, or `*` alone for everything, also types added later.',
      example: ['incident.opened', 'incident.resolved'],
      shown: { type: 'array', items: { type: 'string' } },
    },
  ),
  enabled: withDefault(yesOrNo, true, {
    about: 'Whether events are sent to it.',
    example: true,
  }),
} as const satisfies Fields

export type EndpointSettings = {
  -readonly [F in keyof typeof ENDPOINT_SETTINGS]: ValuesOf<typeof ENDPOINT_SETTINGS>[F]
}

export type WebhookEndpoint = EndpointSettings & {
  uuid: string
  disabledReason: DisabledReason | null
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  createdAt: Date
  updatedAt: Date
  /** Without the secrets themselves: only their last characters and ages are ever shown. */
  secrets: readonly { hint: string; replacedAt: Date | null }[]
}

// Only live secrets are loaded, so they need no further check against the clock.
const LONG_AGO = new Date(0)

export function toApiEndpoint(endpoint: WebhookEndpoint) {
  const { uuid, secrets, disabledReason, lastSuccessAt, lastFailureAt, createdAt, updatedAt } =
    endpoint
  const current = secrets.find(({ replacedAt }) => replacedAt === null)
  const ages = secrets.map(({ replacedAt }) => ({ secret: '', rotatedAt: replacedAt }))
  return {
    id: toPublicId('whe', uuid),
    ...pickFields(ENDPOINT_SETTINGS, endpoint),
    disabledReason,
    secretHint: current?.hint ?? '',
    previousSecretExpiresAt: previousSecretExpiresAt(ages, LONG_AGO),
    lastSuccessAt,
    lastFailureAt,
    createdAt,
    updatedAt,
  }
}
