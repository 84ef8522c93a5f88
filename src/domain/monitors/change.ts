// What a user's command does to a monitor. Pure: each function takes the current monitor and returns the new one, with
// every consequence of the change.
import { heartbeatDueAt, startClock } from './heartbeat.ts'
import { type HeartbeatClock } from './heartbeat-clock.ts'
import type { Monitor, MonitorSettings, MonitorStatus } from './monitor.ts'
import * as machine from './monitor-state.ts'
import { nextSlotAt } from './schedule.ts'

export type MonitorPatch = Partial<MonitorSettings>

export type MonitorChange = {
  monitor: Monitor
  changedFields: (keyof MonitorSettings)[]
  /** How an open incident ends with the change; null if it stays open. */
  resolution: 'MONITOR_CHANGED' | null
  /** Response times, the DNS baseline and the issuer belong to the previous target. */
  forgetsSamples: boolean
  /** What regions know of the previous target says nothing about the new one. */
  forgetsProofs: boolean
}

// A check in flight while one of these changes saw the old settings: its result is ignored.
const CHECKED_FIELDS = [
  'url',
  'host',
  'port',
  'method',
  'expectedStatus',
  'requestHeaders',
  'requestBody',
  'followRedirects',
  'verifySsl',
  'keyword',
  'keywordMatch',
  'dnsRecordType',
  'dnsExpected',
] as const
const TARGET_FIELDS = ['url', 'host', 'port', 'dnsRecordType'] as const
const PROOF_FIELDS = [...TARGET_FIELDS, 'dnsExpected'] as const
const SCHEDULE_FIELDS = ['intervalSeconds', 'expectedPeriodSec', 'graceSeconds'] as const

/**
 * A new monitor is PENDING and due immediately. A CRON monitor is due when its first ping would be late. One that is
 * created paused is not due until it is resumed.
 */
export function initialStatus(
  settings: MonitorSettings,
  now: Date,
  isPaused = false,
): MonitorStatus {
  return {
    ...dueFrom(settings, now),
    ...(isPaused && { nextDueAt: null }),
    state: isPaused ? 'PAUSED' : 'PENDING',
    epoch: 0,
    lastCheckedAt: null,
    lastStatusChangedAt: null,
    lastResponseMs: null,
    certExpiresAt: null,
  }
}

export function pause(
  monitor: Monitor,
  now: Date,
): { monitor: Monitor; resolution: 'MONITOR_PAUSED' | null } {
  const position = machine.pause(monitor)
  const paused = { ...moved(monitor, position, now), nextDueAt: null, updatedAt: now }
  return { monitor: paused, resolution: position.resolution }
}

export function resume(monitor: Monitor, now: Date): Monitor {
  const position = machine.resume(monitor)
  return { ...moved(monitor, position, now), ...dueFrom(monitor, now), updatedAt: now }
}

export function change(monitor: Monitor, patch: MonitorPatch, now: Date): MonitorChange {
  const changedFields = fieldsThatDiffer(monitor, patch)
  const changed = (fields: readonly (keyof MonitorSettings)[]) =>
    fields.some((field) => changedFields.includes(field))
  const retyped = changed(['type'])
  const retargeted = retyped || changed(TARGET_FIELDS)

  const { resolution, ...position } = positionAfter(monitor, retyped, changed(CHECKED_FIELDS))
  let next: Monitor = moved({ ...monitor, ...patch }, position, now)
  if (changedFields.length > 0) next.updatedAt = now
  if (retyped) next = { ...next, ...retype(next, now) }
  else if (retargeted) next = { ...next, ...retarget(next, now) }
  else if (changed(SCHEDULE_FIELDS)) next = { ...next, ...reschedule(next, now) }
  if (next.state === 'PAUSED') next.nextDueAt = null
  const forgetsProofs = retargeted || changed(PROOF_FIELDS)
  return { monitor: next, changedFields, resolution, forgetsSamples: retargeted, forgetsProofs }
}

function positionAfter(
  { state, epoch }: Position,
  isRetyped: boolean,
  isCheckedOtherwise: boolean,
): machine.PositionChange<MonitorChange['resolution']> {
  if (isRetyped) return machine.changeType({ state, epoch })
  return isCheckedOtherwise
    ? machine.retarget({ state, epoch })
    : { state, epoch, resolution: null }
}

function retype(monitor: Monitor, now: Date): Partial<MonitorStatus> {
  return { lastResponseMs: null, certExpiresAt: null, ...dueFrom(monitor, now) }
}

type Position = Pick<Monitor, 'state' | 'epoch'>

/** The state machine decides state and epoch. This records when the state changed. */
function moved(monitor: Monitor, { state, epoch }: Position, now: Date): Monitor {
  const lastStatusChangedAt = state === monitor.state ? monitor.lastStatusChangedAt : now
  return { ...monitor, state, epoch, lastStatusChangedAt }
}

type Due = Pick<MonitorStatus, 'nextDueAt' | 'heartbeat'>

/** When a monitor is due after a fresh start: immediately, or for CRON when the first ping would be late. */
function dueFrom(settings: MonitorSettings, now: Date): Due {
  if (settings.type !== 'CRON') return { nextDueAt: now, heartbeat: null }
  const heartbeat = startClock(now)
  return { nextDueAt: heartbeatDueAt(settings, heartbeat), heartbeat }
}

// A CRON monitor has no target, so values in these fields do not move its deadline.
function retarget(monitor: Monitor, now: Date): Due {
  return monitor.type === 'CRON' ? reschedule(monitor, now) : { nextDueAt: now, heartbeat: null }
}

function reschedule(monitor: Monitor, now: Date): Due {
  const { heartbeat, nextDueAt, uuid, intervalSeconds } = monitor
  if (heartbeat !== null) return newDeadline(monitor, heartbeat, now)
  // A check that is already due stays due.
  const due = nextDueAt !== null && nextDueAt <= now
  return { nextDueAt: due ? nextDueAt : nextSlotAt({ uuid, intervalSeconds }, now), heartbeat }
}

/** A missed deadline stays missed unless the new one lies ahead. */
function newDeadline(monitor: Monitor, clock: HeartbeatClock, now: Date): Due {
  const running = { ...clock, missedAt: null }
  const nextDueAt = heartbeatDueAt(monitor, running)
  const ahead = nextDueAt !== null && nextDueAt > now
  return clock.missedAt === null || ahead
    ? { nextDueAt, heartbeat: running }
    : { nextDueAt: null, heartbeat: clock }
}

function fieldsThatDiffer(monitor: Monitor, patch: MonitorPatch): (keyof MonitorSettings)[] {
  const fields = Object.keys(patch) as (keyof MonitorSettings)[]
  return fields.filter((field) => JSON.stringify(monitor[field]) !== JSON.stringify(patch[field]))
}
