// Decides who may send how much now. Pure: receiver queues in, slots out.
import { breakerOf } from '../../domain/events/retry-schedule.ts'
import type { QueueShare } from '../../store/deliveries/queue.ts'
import type { ReceiverQueue } from '../../store/deliveries/receiver-queues.ts'

const MAX_PER_ENDPOINT = 4
export const MAX_PER_ORGANIZATION = 32
export const MAX_PER_PROCESS = 256
// After this many failures in a row, a receiver gets one slot, and only while half of the process is free: receivers
// that hang must not use up the slots of those that respond.
const SUSPECT_FAILURES = 4
const RESERVED_FOR_HEALTHY = MAX_PER_PROCESS / 2

/** GIVEN_UP: cancel what is queued. ASKED_FOR: send only what a person requested. WAIT: send nothing. */
export type SendMode = 'ALL' | 'ASKED_FOR' | 'WAIT' | 'GIVEN_UP'

type SendModeInput = Pick<
  ReceiverQueue,
  'orgId' | 'disabledReason' | 'health' | 'isAskedFor' | 'dueAt'
>

export function sendModeOf(receiver: SendModeInput, now: Date): SendMode {
  const { disabledReason, health, isAskedFor, dueAt } = receiver
  if (receiver.orgId === null) return 'GIVEN_UP'
  if (isAskedFor && (disabledReason !== null || breakerOf(health, now) === 'HOLD'))
    return 'ASKED_FOR'
  if (disabledReason === 'FAILING' || disabledReason === 'GONE') return 'GIVEN_UP'
  if (disabledReason !== null || breakerOf(health, now) === 'HOLD' || dueAt > now) return 'WAIT'
  return 'ALL'
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

export function halves<T>(batch: readonly T[]): (readonly T[])[] {
  const middle = Math.ceil(batch.length / 2)
  return [batch.slice(0, middle), batch.slice(middle)]
}
