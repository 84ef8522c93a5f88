// What changes in an organization, told while it happens: server-sent events. Whoever follows applies what a message
// holds, or asks anew for what it names; every message has an id from which any process can go on.
import Type, { type Static } from 'typebox'
import { EVENT_TYPES } from '../../domain/events/event.ts'
import { LISTS } from '../../domain/events/row-change.ts'
import { MONITOR_STATES } from '../public/monitor.ts'
import { closed, nullable, oneOf } from '../schema.ts'
import { ORGANIZATION_PATH, OrganizationParams, privateOperation } from './operation.ts'

const instant = nullable(Type.String())
const optionalList = <S extends Parameters<typeof Type.Array>[0]>(item: S) =>
  Type.Optional(Type.Array(item))

const ChangesMessage = closed({
  /** As they are now: checked, or moved to another state. */
  monitors: optionalList(
    closed({
      id: Type.String(),
      state: oneOf(MONITOR_STATES),
      since: instant,
      lastCheckedAt: instant,
      responseMs: nullable(Type.Integer()),
    }),
  ),
  /** Those that are open, as they are now. That one has ended is an event. */
  incidents: optionalList(
    closed({
      id: Type.String(),
      monitorId: Type.String(),
      startedAt: Type.String(),
      acknowledgedAt: instant,
      causeCode: Type.String(),
    }),
  ),
  /** Webhook endpoints and alert contacts that fail, or do well again. */
  receivers: optionalList(
    closed({ id: Type.String(), enabled: Type.Boolean(), failingSince: instant }),
  ),
  events: optionalList(
    closed({
      id: Type.String(),
      type: oneOf(EVENT_TYPES),
      about: nullable(Type.String()),
      monitorId: nullable(Type.String()),
    }),
  ),
  /** What is to be asked for again. */
  lists: optionalList(oneOf(LISTS)),
})
export type ChangesMessage = Static<typeof ChangesMessage>
/** Ask for what is shown now: whatever changes from here on is told. */
const Ready = closed({ at: Type.String() })
/** What changed since the id that was given cannot be told any more: ask for everything again. */
const Reset = closed({ at: Type.String() })

export const streamChanges = privateOperation({
  id: 'streamChanges',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/stream`,
  who: 'READ_ONLY',
  params: OrganizationParams,
  stream: { ready: Ready, reset: Reset, changes: ChangesMessage },
  reply: { status: 200, body: Type.String() },
})
