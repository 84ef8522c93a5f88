// Decides who may send how much now: receiver queues in, slots out.
import type { ChannelName } from './delivery.ts'
import { breakerOf, type EndpointHealth } from './retry-schedule.ts'
import type { DisabledReason } from './webhook-endpoint.ts'

/** `orgId` is null if the receiver was deleted. */
export type ReceiverKey = { endpointId: string; orgId: string | null }

/** A receiver with pending deliveries. If it was deleted, everything about the receiver except its id is null. */
export type ReceiverQueue = ReceiverKey & {
  channel: ChannelName | null
  disabledReason: DisabledReason | null
  health: EndpointHealth
  warnedAt: Date | null
  /** When its oldest pending delivery was or will be due. */
  dueAt: Date
  /** A delivery that a person requested is due. */
  isAskedFor: boolean
  /** Its organization is deleted, and may come back: nothing is sent, and nothing is canceled. */
  isSuspended?: boolean
  endpointInFlight: number
  orgInFlight: number
  /** Its deliveries in flight. Known only for locked queues. */
  flying?: string[]
}

/** How many deliveries a receiver queue may claim now. `askedForOnly`: only those that a person requested. */
export type QueueShare = {
  endpointId: string
  channel: ChannelName
  slots: number
  askedForOnly: boolean
  flying: readonly string[]
}

const MAX_PER_ENDPOINT = 4
const MAX_PER_ORGANIZATION = 32
export const MAX_PER_PROCESS = 256
// After this many failures in a row, a receiver gets one slot, and only while half of the process is free: receivers
// that hang must not use up the slots of those that respond.
const SUSPECT_FAILURES = 4
const RESERVED_FOR_HEALTHY = MAX_PER_PROCESS / 2
// Receivers with a backlog are refilled between claims, but only this far, to leave room for others.
const MAX_REFILLED = (MAX_PER_PROCESS * 3) / 4

/** How many more attempts a process may start, with `inFlight` not yet recorded. */
export const roomToClaim = (inFlight: number) => MAX_PER_PROCESS - inFlight
export const roomToRefill = (inFlight: number) => Math.max(0, MAX_REFILLED - inFlight)

/** GIVEN_UP: cancel what is queued. ASKED_FOR: send only what a person requested. WAIT: send nothing. */
export type SendMode = 'ALL' | 'ASKED_FOR' | 'WAIT' | 'GIVEN_UP'

type SendModeInput = Pick<
  ReceiverQueue,
  'orgId' | 'disabledReason' | 'health' | 'isAskedFor' | 'isSuspended' | 'dueAt'
>

export function sendModeOf(receiver: SendModeInput, now: Date): SendMode {
  const { disabledReason, health, isAskedFor, dueAt } = receiver
  if (receiver.orgId === null) return 'GIVEN_UP'
  if (receiver.isSuspended) return 'WAIT'
  if (isAskedFor && (disabledReason !== null || breakerOf(health, now) === 'HOLD'))
    return 'ASKED_FOR'
  if (disabledReason === 'FAILING' || disabledReason === 'GONE') return 'GIVEN_UP'
  if (disabledReason !== null || breakerOf(health, now) === 'HOLD' || dueAt > now) return 'WAIT'
  return 'ALL'
}

/** Why the deliveries of a receiver that was given up are canceled. */
export function cancelReasonOf({ orgId }: ReceiverKey): 'ENDPOINT_DELETED' | 'ENDPOINT_DISABLED' {
  return orgId === null ? 'ENDPOINT_DELETED' : 'ENDPOINT_DISABLED'
}

/** How many more requests this receiver may have in flight, regardless of its organization's limit. */
export function slotsOf({ health, endpointInFlight }: ReceiverQueue): number {
  const most = isSuspect(health.failuresInARow) ? 1 : MAX_PER_ENDPOINT
  return Math.max(0, most - endpointInFlight)
}

const isSuspect = (failuresInARow: number) => failuresInARow >= SUSPECT_FAILURES

/** `last`: the receiver at which the room ran out before each had one slot; undefined if it did not. */
type SlotAllocation = { shares: QueueShare[]; last: string | undefined }

/** Gives each receiver one slot in turn, then a second one, up to four, so that none waits behind a long queue. */
export function allocateSlots(
  receivers: readonly ReceiverQueue[],
  room: number,
  now: Date,
): SlotAllocation {
  const slots = new Map<string, number>()
  const ofOrganization = new Map<string, number>()
  let left = room
  let last: string | undefined
  for (let round = 0; round < MAX_PER_ENDPOINT; round++)
    for (const receiver of receivers) {
      if (left === 0) break
      const orgId = receiver.orgId ?? ''
      const taken = ofOrganization.get(orgId) ?? receiver.orgInFlight
      const isKept = isSuspect(receiver.health.failuresInARow) && left <= RESERVED_FOR_HEALTHY
      if (round >= slotsOf(receiver) || taken >= MAX_PER_ORGANIZATION || isKept) continue
      ofOrganization.set(orgId, taken + 1)
      slots.set(receiver.endpointId, round + 1)
      left -= 1
      if (left === 0 && round === 0) last = receiver.endpointId
    }
  const shares = receivers.flatMap((receiver) => {
    const given = slots.get(receiver.endpointId)
    const { endpointId, channel, flying = [] } = receiver
    if (given === undefined || channel === null) return []
    const askedForOnly = sendModeOf(receiver, now) === 'ASKED_FOR'
    return { endpointId, channel, slots: given, askedForOnly, flying }
  })
  return { shares, last }
}

/** Receivers that took less than their share, so nothing of theirs is due anymore. */
export function drainedOf(
  shares: readonly QueueShare[],
  claimed: readonly { endpointId: string }[],
): Set<string> {
  const taken = Map.groupBy(claimed, ({ endpointId }) => endpointId)
  const drained = shares.filter(
    ({ endpointId, slots }) => (taken.get(endpointId)?.length ?? 0) < slots,
  )
  return new Set(drained.map(({ endpointId }) => endpointId))
}

/**
 * How long the oldest sendable delivery has waited for a receiver with nothing in flight; 0 if there is none. A receiver
 * at its organization's limit waits by design.
 */
export function starvedMsOf(
  waiting: readonly ReceiverQueue[],
  claimed: readonly { endpointId: string }[],
  now: Date,
): number {
  const served = new Set(claimed.map(({ endpointId }) => endpointId))
  const starved = waiting.filter(
    ({ endpointId, endpointInFlight, orgInFlight }) =>
      endpointInFlight === 0 && orgInFlight < MAX_PER_ORGANIZATION && !served.has(endpointId),
  )
  return Math.max(0, ...starved.map(({ dueAt }) => now.getTime() - dueAt.getTime()))
}
