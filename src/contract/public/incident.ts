// An outage that the service detected itself, and the evidence for it.
import type { Static } from 'typebox'
import { CAUSE_CODES } from '../../domain/incidents/incident.ts'
import { MONITOR_TYPES } from '../../domain/monitors/monitor.ts'
import { closed, described, id, nullable, oneOf, orNull, storedTime, timestamp } from '../schema.ts'
import { Type } from '../type.ts'

export const RESOLUTIONS = ['RECOVERED', 'MONITOR_PAUSED', 'MONITOR_CHANGED'] as const
export const CHECK_OUTCOMES = ['OK', 'FAILED'] as const
export const ACTOR_TYPES = ['API_KEY', 'USER'] as const
export const TIMELINE_TYPES = [
  'OPENED',
  'STILL_FAILING',
  'CAUSE_CHANGED',
  'ACKNOWLEDGED',
  'ALERT_SENT',
  'ALERT_FAILED',
  'RESOLVED',
] as const

const causeCode = nullable(
  oneOf(CAUSE_CODES, { description: 'Kind of failure. Null when it was OK.' }),
)
const responseMs = nullable(Type.Integer({ description: 'Milliseconds until the response.' }))
const httpStatus = nullable(Type.Integer({ description: 'HTTP status of the response.' }))

export const CheckAttempt = closed({
  number: Type.Integer({ description: '1 is the first attempt, 2 the one that confirms it.' }),
  startedAt: storedTime('When the attempt began.'),
  outcome: oneOf(CHECK_OUTCOMES, { description: 'How the attempt ended.' }),
  causeCode,
  responseMs,
  httpStatus,
})

const phase = (what: string) => nullable(Type.Integer({ description: `Milliseconds for ${what}.` }))

export const CheckTimings = closed({
  dnsMs: phase('the name lookup'),
  connectMs: phase('the TCP connection'),
  tlsMs: phase('the TLS handshake'),
  firstByteMs: phase('the wait for the first byte'),
})

export const CheckEvidence = closed({
  checkId: id('Id of the check.'),
  checkedAt: storedTime('End of the check.'),
  location: Type.String({ description: 'Region the check ran from.' }),
  outcome: oneOf(CHECK_OUTCOMES, { description: 'Result of the check.' }),
  causeCode,
  cause: nullable(Type.String({ description: 'What failed, for people.' })),
  responseMs,
  httpStatus,
  resolvedIp: nullable(Type.String({ description: 'IP address the name resolved to.' })),
  timings: orNull(CheckTimings, 'Where the time went.'),
  certExpiresAt: nullable(storedTime('End of validity of the certificate that was seen.')),
  dnsAnswers: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Records of the DNS answer.',
  }),
  bodyExcerpt: nullable(Type.String({ description: 'First kilobyte of the response, as text.' })),
  attempts: Type.Array(CheckAttempt, { description: 'Every attempt of the check, in order.' }),
})
export type CheckEvidence = Static<typeof CheckEvidence>

export const IncidentMonitor = closed({
  id: id('Id of the monitor.'),
  name: Type.String({ description: 'Its current name.' }),
  type: oneOf(MONITOR_TYPES, { description: 'Its current type.' }),
})

const listFields = {
  id: id('Id of the incident.'),
  monitor: described(IncidentMonitor, 'The monitor that failed.'),
  startedAt: timestamp('Start of the first failed attempt.'),
  resolvedAt: nullable(timestamp('When it ended. Null while it is ongoing.')),
  durationSec: nullable(
    Type.Integer({ description: 'Whole seconds it lasted. Null while it is ongoing.' }),
  ),
  cause: nullable(Type.String({ description: 'What failed first, for people.' })),
  acknowledged: Type.Boolean({ description: 'Whether it was acknowledged.' }),
}

/** An item of the list: exactly these seven fields. */
export const IncidentBody = closed(listFields)
export type IncidentBody = Static<typeof IncidentBody>

export const Actor = closed({
  type: oneOf(ACTOR_TYPES, { description: 'An API key or a person.' }),
  id: id('Id of the key or the person.'),
  name: Type.String({ description: 'Name of the key or the person.' }),
})

export const IncidentTimelineEntry = closed({
  id: id('Id of the entry.'),
  type: oneOf(TIMELINE_TYPES, { description: 'What happened.' }),
  at: timestamp('When it happened.'),
  message: Type.String({ description: 'What happened, for people.' }),
})

export const IncidentDetailBody = closed({
  ...listFields,
  causeCode: oneOf(CAUSE_CODES, { description: 'Kind of the first failure.' }),
  resolution: nullable(
    oneOf(RESOLUTIONS, { description: 'Why it ended. Null while it is ongoing.' }),
  ),
  acknowledgedAt: nullable(timestamp('When it was acknowledged.')),
  acknowledgedBy: orNull(Actor, 'Who acknowledged it.'),
  acknowledgeNote: nullable(Type.String({ description: 'Note left with the acknowledgement.' })),
  openedBy: described(CheckEvidence, 'The check that opened it.'),
  lastFailure: described(CheckEvidence, 'The latest check that failed.'),
  resolvedBy: orNull(CheckEvidence, 'The check that found it up again.'),
  timeline: Type.Array(IncidentTimelineEntry, { description: 'What happened, oldest first.' }),
  statusIncidentIds: Type.Array(Type.String(), {
    description: 'Published incidents linked to this one.',
  }),
})
export type IncidentDetailBody = Static<typeof IncidentDetailBody>
