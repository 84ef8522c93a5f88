// Live changes of an organization as server-sent events. A client applies the contents of a message, or reloads the
// lists it names. Every message has an ID from which any process can resume.
import type { Static } from 'typebox'
import { MAX_START_TEXT } from '../../domain/events/change-position.ts'
import { EVENT_TYPES } from '../../domain/events/event.ts'
import { LISTS } from '../../domain/events/row-change.ts'
import { MONITOR_STATES } from '../../domain/monitors/monitor.ts'
import { closed, input, nullable, oneOf } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'

const instant = nullable(Type.String())
const optionalList = <S extends Parameters<typeof Type.Array>[0]>(item: S) =>
  Type.Optional(Type.Array(item))

const ChangesMessage = closed({
  /** Their current state: checked, or moved to another state. */
  monitors: optionalList(
    closed({
      id: Type.String(),
      state: oneOf(MONITOR_STATES),
      since: instant,
      lastCheckedAt: instant,
      responseMs: nullable(Type.Integer()),
    }),
  ),
  /** Open incidents, in their current state. The end of one is an event. */
  incidents: optionalList(
    closed({
      id: Type.String(),
      monitorId: Type.String(),
      startedAt: Type.String(),
      acknowledgedAt: instant,
      causeCode: Type.String(),
    }),
  ),
  /** Webhook endpoints and alert contacts that fail or have recovered. */
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
  /** Lists to reload. */
  lists: optionalList(oneOf(LISTS)),
})
export type ChangesMessage = Static<typeof ChangesMessage>
/** Load what is shown now: every change from here on is sent. */
const Ready = closed({ at: Type.String() })
/** The changes since the given ID are no longer available: reload everything. */
const Reset = closed({ at: Type.String() })

export const streamChanges = privateOperation({
  id: 'streamChanges',
  method: 'GET',
  path: '/stream',
  who: 'READ_ONLY',
  query: input({
    /** From a read's header. Ignored when the browser sends the last ID it received. */
    from: Type.Optional(Type.String({ maxLength: MAX_START_TEXT })),
  }),
  stream: { ready: Ready, reset: Reset, changes: ChangesMessage },
  reply: { status: 200, body: Type.String() },
})
