// What one organization can store: how many rows of each kind, and bytes of responses kept for replays. They are fixed by
// the plan, unless the operator set others in the same place as the limits of the plan.
import type { Plan } from './plan.ts'

export type StorageLimits = {
  /** Responses of requests with an Idempotency-Key, for 24 hours. */
  storedResponseBytes: number
  /** Published incidents on status pages, and the updates of all of them. */
  statusIncidents: number
  statusIncidentUpdates: number
  /** Also those that are over. */
  maintenanceWindows: number
  /** Entries of all configuration files. */
  bindings: number
  /** Of one status page, confirmed or not. */
  subscribersOfPage: number
  /** Entries of the audit log: the oldest go first. */
  auditEntries: number
  /** Detected incidents that are resolved: the oldest go first. */
  incidents: number
  members: number
  openInvitations: number
  /** In a day: events of changes with their deliveries, and as much again for those of published incidents. */
  eventBytesOfDay: number
  /** In a day: bodies and run ids of pings. Further pings are recorded without them. */
  pingBytesOfDay: number
  /** In a day: what webhook receivers respond with. Further attempts are recorded without it. */
  responseBytesOfDay: number
}

const MIB = 1024 * 1024
const EVERYWHERE = { bindings: 10_000, members: 1_000, openInvitations: 200 }

export const STORAGE_LIMITS: Readonly<Record<Plan, StorageLimits>> = {
  FREE: {
    ...EVERYWHERE,
    storedResponseBytes: 50 * MIB,
    statusIncidents: 200,
    statusIncidentUpdates: 1_000,
    maintenanceWindows: 500,
    subscribersOfPage: 10_000,
    auditEntries: 100_000,
    incidents: 20_000,
    eventBytesOfDay: 100 * MIB,
    pingBytesOfDay: 50 * MIB,
    responseBytesOfDay: 25 * MIB,
  },
  STARTER: {
    ...EVERYWHERE,
    storedResponseBytes: 100 * MIB,
    statusIncidents: 1_000,
    statusIncidentUpdates: 5_000,
    maintenanceWindows: 2_000,
    subscribersOfPage: 20_000,
    auditEntries: 250_000,
    incidents: 50_000,
    eventBytesOfDay: 200 * MIB,
    pingBytesOfDay: 100 * MIB,
    responseBytesOfDay: 50 * MIB,
  },
  PRO: {
    ...EVERYWHERE,
    storedResponseBytes: 200 * MIB,
    statusIncidents: 5_000,
    statusIncidentUpdates: 25_000,
    maintenanceWindows: 10_000,
    subscribersOfPage: 50_000,
    auditEntries: 500_000,
    incidents: 200_000,
    eventBytesOfDay: 500 * MIB,
    pingBytesOfDay: 250 * MIB,
    responseBytesOfDay: 100 * MIB,
  },
  BUSINESS: {
    ...EVERYWHERE,
    storedResponseBytes: 500 * MIB,
    statusIncidents: 20_000,
    statusIncidentUpdates: 100_000,
    maintenanceWindows: 50_000,
    subscribersOfPage: 100_000,
    auditEntries: 1_000_000,
    incidents: 1_000_000,
    eventBytesOfDay: 2_048 * MIB,
    pingBytesOfDay: 1_024 * MIB,
    responseBytesOfDay: 500 * MIB,
  },
  UNLIMITED: {
    ...EVERYWHERE,
    bindings: 100_000,
    members: 10_000,
    storedResponseBytes: 2_048 * MIB,
    statusIncidents: 100_000,
    statusIncidentUpdates: 500_000,
    maintenanceWindows: 200_000,
    subscribersOfPage: 200_000,
    auditEntries: 5_000_000,
    incidents: 5_000_000,
    eventBytesOfDay: 10_240 * MIB,
    pingBytesOfDay: 5_120 * MIB,
    responseBytesOfDay: 2_048 * MIB,
  },
}

/** An override of null says nothing here: what is stored always has a bound. */
export function storageLimits(
  plan: Plan,
  overrides: Partial<Record<keyof StorageLimits, unknown>>,
): StorageLimits {
  const limits = { ...STORAGE_LIMITS[plan] }
  for (const name of Object.keys(limits) as (keyof StorageLimits)[]) {
    const own = overrides[name]
    if (typeof own === 'number') limits[name] = own
  }
  return limits
}

/** Why one more is refused; undefined if it fits. */
export function storageRefusal(what: string, limit: number, wanted: number): string | undefined {
  if (wanted <= limit) return undefined
  return `An organization of this plan can have ${limit.toLocaleString('en-US')} ${what}.`
}

// Larger responses are judged again when they are stored, together with the write that they belong to. So many writes of
// an organization run at a time that smaller ones cannot pass the quota by much.
const JUDGED_AGAIN_BYTES = 256 * 1024

export const isJudgedAgain = (bytes: number): boolean => bytes > JUDGED_AGAIN_BYTES

/** Bytes that must go before another response may be stored; 0 if there is room. */
export function bytesOverQuota(usedBytes: number, quotaBytes: number): number {
  return usedBytes < quotaBytes ? 0 : usedBytes - quotaBytes + 1
}

/** Whole seconds of `Retry-After`. */
export const retrySeconds = (seconds: number): number => Math.max(1, Math.ceil(seconds))
