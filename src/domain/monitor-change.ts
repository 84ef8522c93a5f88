// What a person's command does to a monitor. Pure: each function takes the monitor as it stands and
// returns the monitor as it will be, with everything the change brings about.
import type { Monitor, MonitorSettings, Standing } from './monitor.ts'
import { nextSlotAt } from './schedule.ts'

export type MonitorPatch = Partial<MonitorSettings>

export type MonitorChange = {
  monitor: Monitor
  changedFields: (keyof MonitorSettings)[]
  /** An ongoing incident ends with this change. */
  endsIncident: boolean
  /** Response times and the DNS baseline belong to what was checked before. */
  forgetsSamples: boolean
}

// A check that is under way while one of these changes saw something else: its result drives nothing.
const CHECKED_FIELDS: ReadonlySet<keyof MonitorSettings> = new Set([
  'type',
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
])
const TARGET_FIELDS = ['url', 'host', 'port', 'dnsRecordType'] as const
const SCHEDULE_FIELDS = ['intervalSeconds', 'expectedPeriodSec', 'graceSeconds'] as const

/** A new monitor is PENDING and due at once; a CRON monitor is due when its first ping would be late. */
export function firstStanding(settings: MonitorSettings, now: Date): Standing {
  return {
    state: 'PENDING',
    epoch: 0,
    nextDueAt: dueFrom(settings, now),
    lastCheckedAt: null,
    lastStatusChangedAt: null,
    lastResponseMs: null,
    certExpiresAt: null,
    clockStartedAt: now,
  }
}

export function pause(monitor: Monitor, now: Date): Monitor {
  return { ...enter(monitor, 'PAUSED', now), nextDueAt: null, updatedAt: now }
}

export function resume(monitor: Monitor, now: Date): Monitor {
  return {
    ...enter(monitor, 'PENDING', now),
    nextDueAt: dueFrom(monitor, now),
    clockStartedAt: now,
    updatedAt: now,
  }
}

export function change(monitor: Monitor, patch: MonitorPatch, now: Date): MonitorChange {
  const changedFields = fieldsThatDiffer(monitor, patch)
  const changed = (fields: readonly (keyof MonitorSettings)[]) =>
    fields.some((field) => changedFields.includes(field))
  const retyped = changed(['type'])
  const retargeted = retyped || changed(TARGET_FIELDS)

  let next: Monitor = { ...monitor, ...patch }
  if (changedFields.length > 0) next.updatedAt = now
  if (changedFields.some((field) => CHECKED_FIELDS.has(field))) next.epoch += 1
  if (retyped) next = retype(next, now)
  if (monitor.state !== 'PAUSED') {
    if (retargeted) next.nextDueAt = dueFrom(next, now)
    else if (changed(SCHEDULE_FIELDS)) next.nextDueAt = reschedule(next, now)
  }
  return { monitor: next, changedFields, endsIncident: retyped, forgetsSamples: retargeted }
}

function retype(monitor: Monitor, now: Date): Monitor {
  const cleared = { ...monitor, lastResponseMs: null, certExpiresAt: null, clockStartedAt: now }
  const settled = monitor.state === 'PAUSED' || monitor.state === 'PENDING'
  return settled ? cleared : { ...cleared, state: 'PENDING', lastStatusChangedAt: now }
}

function enter(monitor: Monitor, state: Monitor['state'], now: Date): Monitor {
  return { ...monitor, state, epoch: monitor.epoch + 1, lastStatusChangedAt: now }
}

type Timing = Pick<
  MonitorSettings,
  'type' | 'intervalSeconds' | 'expectedPeriodSec' | 'graceSeconds'
>

function dueFrom(settings: Timing, now: Date): Date {
  return settings.type === 'CRON' ? deadlineAt(settings, now) : now
}

/** A check that is already due stays due; a CRON deadline that was already missed stays judged. */
function reschedule(monitor: Monitor, now: Date): Date | null {
  if (monitor.type === 'CRON') {
    const deadline = deadlineAt(monitor, monitor.clockStartedAt ?? now)
    return monitor.nextDueAt === null && deadline <= now ? null : deadline
  }
  if (monitor.nextDueAt !== null && monitor.nextDueAt <= now) return monitor.nextDueAt
  return nextSlotAt({ uuid: monitor.uuid, intervalSeconds: monitor.intervalSeconds }, now)
}

function deadlineAt(
  { expectedPeriodSec, intervalSeconds, graceSeconds }: Timing,
  clock: Date,
): Date {
  const seconds = (expectedPeriodSec ?? intervalSeconds) + graceSeconds
  return new Date(clock.getTime() + seconds * 1000)
}

function fieldsThatDiffer(monitor: Monitor, patch: MonitorPatch): (keyof MonitorSettings)[] {
  const fields = Object.keys(patch) as (keyof MonitorSettings)[]
  return fields.filter((field) => JSON.stringify(monitor[field]) !== JSON.stringify(patch[field]))
}
