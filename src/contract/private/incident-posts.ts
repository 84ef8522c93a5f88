// What only the dashboard can write about a published incident: when the next update follows, and a post-mortem.
import {
  StatusIncidentBody,
  StatusIncidentCreate,
  StatusIncidentUpdateCreate,
} from '../public/status-incident.ts'
import { closed, Deleted, input, nullable, orNull, Timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'

const IncidentParams = Type.Object({ statusIncidentId: Type.String() })
const INCIDENT_PATH = '/status-incidents/{statusIncidentId}'
const NEXT_UPDATE = { nextUpdateBy: Type.Optional(Timestamp) }

const IncidentNotes = closed({
  nextUpdateBy: nullable(Timestamp),
  postMortem: orNull(
    closed({
      message: Type.String(),
      notifiedSubscribers: Type.Boolean(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    }),
    'Null until one is written.',
  ),
})

export const getIncidentNotes = privateOperation({
  id: 'getIncidentNotes',
  method: 'GET',
  path: '/overview/status-incidents/{statusIncidentId}',
  who: 'READ_ONLY',
  params: IncidentParams,
  reply: { status: 200, body: IncidentNotes },
})

/** Like the public operation, with a promise of the next update. */
export const publishStatusIncident = privateOperation({
  id: 'publishStatusIncident',
  method: 'POST',
  path: '/published-incidents',
  who: 'MEMBER',
  needsSubscription: true,
  body: { schema: input({ ...StatusIncidentCreate.properties, ...NEXT_UPDATE }), required: true },
  reply: { status: 201, body: StatusIncidentBody },
})

/** The same for an update. Without a time, an earlier promise ends. */
export const postStatusIncidentUpdate = privateOperation({
  id: 'postStatusIncidentUpdate',
  method: 'POST',
  path: `${INCIDENT_PATH}/posts`,
  who: 'MEMBER',
  needsSubscription: true,
  params: IncidentParams,
  body: {
    schema: input({ ...StatusIncidentUpdateCreate.properties, ...NEXT_UPDATE }),
    required: true,
  },
  reply: { status: 201, body: StatusIncidentBody },
})

export const savePostMortem = privateOperation({
  id: 'savePostMortem',
  method: 'POST',
  path: `${INCIDENT_PATH}/post-mortem`,
  who: 'MEMBER',
  needsSubscription: true,
  params: IncidentParams,
  body: {
    schema: input({
      message: Type.String({ minLength: 1, maxLength: 10_000 }),
      notifySubscribers: Type.Boolean({ default: false }),
    }),
    required: true,
  },
  reply: { status: 200, body: IncidentNotes },
})

export const deletePostMortem = privateOperation({
  id: 'deletePostMortem',
  missing: 'post-mortem',
  method: 'DELETE',
  path: `${INCIDENT_PATH}/post-mortem`,
  who: 'MEMBER',
  params: IncidentParams,
  reply: { status: 200, body: Deleted },
})

export const INCIDENT_POST_OPERATIONS = [
  getIncidentNotes,
  publishStatusIncident,
  postStatusIncidentUpdate,
  savePostMortem,
  deletePostMortem,
] as const
