// Decides when an alert condition ends, and why.
import type { DisabledReason } from '../events/webhook-endpoint.ts'
import type { Resolution } from '../incidents/incident.ts'
import type { MonitorState } from '../monitors/monitor.ts'

type EndpointState = 'HEALTHY' | 'UNHEALTHY' | DisabledReason

/** The kind of a condition, and the state of its incident, monitor or endpoint. */
export type Situation =
  | `DOWN ${'OPEN' | 'RESOLVED' | 'DELETED'}`
  | `DEGRADED ${MonitorState | 'DELETED'}`
  | `WEBHOOK_FAILING ${EndpointState | 'DELETED'}`
  | 'EXPIRING'
  | 'DNS_CHANGED'

// UNTIL_NEWER: it goes on until a newer condition of the same kind is noticed about the same monitor or endpoint.
// biome-ignore format: a table is read by its columns
const STATUS: Record<Situation, 'ONGOING' | 'UNTIL_NEWER' | 'ENDED'> = {
  'DOWN OPEN':                 'ONGOING',
  'DOWN RESOLVED':             'ENDED',
  'DOWN DELETED':              'ENDED',

  // A degradation goes on while the monitor is down.
  'DEGRADED DEGRADED':         'UNTIL_NEWER',
  'DEGRADED DOWN':             'UNTIL_NEWER',
  'DEGRADED UP':               'ENDED',
  'DEGRADED PENDING':          'ENDED',
  'DEGRADED PAUSED':           'ENDED',
  'DEGRADED DELETED':          'ENDED',

  // A warning is followed by a newer condition when the endpoint is disabled. Only a person disables it as MANUAL.
  'WEBHOOK_FAILING UNHEALTHY': 'UNTIL_NEWER',
  'WEBHOOK_FAILING FAILING':   'UNTIL_NEWER',
  'WEBHOOK_FAILING GONE':      'UNTIL_NEWER',
  'WEBHOOK_FAILING HEALTHY':   'ENDED',
  'WEBHOOK_FAILING MANUAL':    'ENDED',
  'WEBHOOK_FAILING DELETED':   'ENDED',

  // Reported once: nothing follows.
  'EXPIRING':                  'ONGOING',
  'DNS_CHANGED':               'ONGOING',
}

// Safe because the keys of `STATUS` are situations.
const SITUATIONS = Object.keys(STATUS) as Situation[]

/** For finding conditions that ended: situations that are an end, and those that are one if there is a newer condition. */
export const ENDED = SITUATIONS.filter((situation) => STATUS[situation] === 'ENDED')
export const ENDED_BY_NEWER = SITUATIONS.filter((situation) => STATUS[situation] === 'UNTIL_NEWER')

/** A condition that may have ended, with what is true of its subject now. */
export type ConditionFacts = {
  situation: Situation
  /** Set once the planner has seen the end. */
  storedEndAt: Date | null
  /** Of its incident; null if there is none. */
  resolvedAt: Date | null
  incidentResolution: Resolution | null
  /** Null if the monitor was deleted, or if the condition is about an endpoint. */
  monitorState: MonitorState | null
  stateChangedAt: Date | null
  /** When a newer condition of the same kind and subject was noticed; null if there is none. */
  newerAt: Date | null
}

export type ConditionEnd = {
  endedAt: Date | null
  /** Null if it did not end, or if the reason is unknown. */
  resolution: Resolution | 'MONITOR_DELETED' | null
}

export function endOf(facts: ConditionFacts, now: Date): ConditionEnd {
  const endedAt = facts.storedEndAt ?? currentEndOf(facts, now)
  return { endedAt, resolution: endedAt && resolutionOf(facts) }
}

function currentEndOf(facts: ConditionFacts, now: Date): Date | null {
  const { situation, newerAt, stateChangedAt } = facts
  const isDegradation = situation.startsWith('DEGRADED')
  switch (STATUS[situation]) {
    case 'ONGOING':
      return null
    case 'UNTIL_NEWER':
      return newerAt && (isDegradation ? newerAt : now)
    case 'ENDED':
      return facts.resolvedAt ?? (isDegradation ? stateChangedAt : null) ?? now
  }
}

function resolutionOf(facts: ConditionFacts): ConditionEnd['resolution'] {
  const { situation, storedEndAt, incidentResolution, monitorState } = facts
  if (situation === 'DOWN RESOLVED') return incidentResolution
  // Decided when the end was seen: what happens to a monitor after its recovery does not change the reason.
  if (storedEndAt !== null || situation.startsWith('WEBHOOK_FAILING')) return null
  if (monitorState === null) return 'MONITOR_DELETED'
  if (monitorState === 'PAUSED') return 'MONITOR_PAUSED'
  return monitorState === 'PENDING' ? 'MONITOR_CHANGED' : null
}
