// What one organization may store in a day (UTC) of that which goes by age. Where a request can be refused, it is. What a job
// or a receiver sends is recorded in any case, but without its text.
import type { StorageLimits } from './storage-limits.ts'

/** NEWS: published incidents and their notices, so that a script that changes monitors does not use up their quota. */
export type DayKind = 'EVENTS' | 'NEWS' | 'PINGS' | 'RESPONSES'

const LIMITS: Readonly<Record<DayKind, keyof StorageLimits>> = {
  EVENTS: 'eventBytesOfDay',
  NEWS: 'eventBytesOfDay',
  PINGS: 'pingBytesOfDay',
  RESPONSES: 'responseBytesOfDay',
}

export const dayLimit = (kind: DayKind, limits: StorageLimits): number => limits[LIMITS[kind]]

/** `usedBytes`: of the day, before what is judged now. */
export type DayUsage = { usedBytes: number; limitBytes: number }

const EVENT_BYTES = 300
// The row with the longest URL, and ten attempts without their responses.
const DELIVERY_BYTES = 9_000
/** An attempt that a person asked for. */
export const ATTEMPT_BYTES = 1_000

/** What events take, with their rows, indexes and deliveries. */
export function eventBytes(bodies: readonly string[], deliveries: number): number {
  const own = bodies.reduce((sum, body) => sum + EVENT_BYTES + Buffer.byteLength(body), 0)
  return own + deliveries * DELIVERY_BYTES
}

// With the ids of 200 components.
const NOTICE_BYTES = 4_000

/** What notices to the subscribers of pages take. */
export const noticeBytes = (bodies: readonly string[]): number =>
  bodies.reduce((sum, body) => sum + NOTICE_BYTES + Buffer.byteLength(body), 0)

// Shorter ones count as a part of their row.
const COUNTED_RESPONSE_BYTES = 256

/** How much of a receiver's response counts. */
export function responseBytes(body: string | null): number {
  const bytes = body === null ? 0 : Buffer.byteLength(body)
  return bytes > COUNTED_RESPONSE_BYTES ? bytes : 0
}

/** How much of a ping counts. Its row is small, and recorded in any case. */
export const pingBytes = ({ rid, body }: { rid: string | null; body: string | null }): number =>
  Buffer.byteLength(rid ?? '') + Buffer.byteLength(body ?? '')

/** For each text of so many bytes whether it is kept. One that does not fit leaves room for a smaller one. */
export function fitsInDay(
  sizes: readonly number[],
  { usedBytes, limitBytes }: DayUsage,
): boolean[] {
  let used = usedBytes
  return sizes.map((bytes) => {
    const fits = bytes === 0 || used + bytes <= limitBytes
    if (fits) used += bytes
    return fits
  })
}

/**
 * What checks and pings change is counted in the first half of the day's events, so that they leave requests the other half.
 * After that, recoveries wait: `recoveryWaitMs`.
 */
export const hasRoomForTransitions = ({ usedBytes, limitBytes }: DayUsage): boolean =>
  usedBytes < limitBytes / 2

const DAY_MS = 86_400_000

/** Until the next day begins. */
export const secondsLeftOfDay = (now: Date): number =>
  Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000)

/** Why a request is refused; undefined if the day has room. The one that reaches the limit is the last. */
export function dayRefusal(kind: 'EVENTS' | 'NEWS', usage: DayUsage): string | undefined {
  if (usage.usedBytes < usage.limitBytes) return undefined
  const mib = Math.round(usage.limitBytes / 1024 / 1024)
  const what = kind === 'NEWS' ? 'published incidents' : 'changes and their events'
  return `The ${mib} MiB a day for ${what} are used up.`
}
