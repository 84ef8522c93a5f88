// Who may send how much now. Pure: lanes as they stand in, slots out.
import { breakerOf } from '../../domain/events/retry-schedule.ts'
import type { QueueShare } from '../../store/deliveries/queue.ts'
import type { ReceiverQueue } from '../../store/deliveries/receiver-queues.ts'

const MAX_PER_ENDPOINT = 4
export const MAX_PER_ORGANIZATION = 32
export const MAX_PER_PROCESS = 256
// A receiver that failed as often in a row gets one slot, and only while half of the process is free:
// many receivers that hang must not take the slots of those that answer.
const SUSPECT_FAILURES = 4
const RESERVED_FOR_HEALTHY = MAX_PER_PROCESS / 2

/** GIVEN_UP: what waits for it is ended. ASKED_FOR: only what a person asked for. WAIT: nothing. */
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

/** How many more requests this receiver may have in flight, whatever its organization has. */
export function slotsOf({ health, endpointInFlight }: ReceiverQueue): number {
  const most = isSuspect(health.failuresInARow) ? 1 : MAX_PER_ENDPOINT
  return Math.max(0, most - endpointInFlight)
}

const isSuspect = (failuresInARow: number) => failuresInARow >= SUSPECT_FAILURES

/** `last`: the lane after which the room was used up before everybody had one slot. */
type SlotAllocation = { shares: QueueShare[]; last: string | undefined }

/** Hands out one slot to each lane in turn, then a second one, up to four: nobody waits for a long queue. */
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
