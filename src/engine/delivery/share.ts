// Who may send how much now. Pure: lanes as they stand in, slots out.
import { breakerOf } from '../../domain/events/retry-schedule.ts'
import type { Share } from '../../store/deliveries/queue.ts'
import type { Lane } from '../../store/deliveries/receiver-queues.ts'

const MAX_PER_ENDPOINT = 4
export const MAX_PER_ORGANIZATION = 32
export const MAX_PER_PROCESS = 256
// A receiver that failed as often in a row gets one slot, and only while half of the process is free:
// many receivers that hang must not take the slots of those that answer.
const WARY_FAILURES = 4
const KEPT_FOR_HEALTHY = MAX_PER_PROCESS / 2

/** GIVEN_UP: what waits for it is ended. ASKED_FOR: only what a person asked for. WAIT: nothing. */
export type Manner = 'ALL' | 'ASKED_FOR' | 'WAIT' | 'GIVEN_UP'

type Judged = Pick<Lane, 'orgId' | 'disabledReason' | 'health' | 'isAskedFor' | 'dueAt'>

export function mannerOf(lane: Judged, now: Date): Manner {
  const { disabledReason, health, isAskedFor, dueAt } = lane
  if (lane.orgId === null) return 'GIVEN_UP'
  if (isAskedFor && (disabledReason !== null || breakerOf(health, now) === 'HOLD'))
    return 'ASKED_FOR'
  if (disabledReason === 'FAILING' || disabledReason === 'GONE') return 'GIVEN_UP'
  if (disabledReason !== null || breakerOf(health, now) === 'HOLD' || dueAt > now) return 'WAIT'
  return 'ALL'
}

/** How many more requests this receiver may have in flight, whatever its organization has. */
export function slotsOf({ health, endpointInFlight }: Lane): number {
  const most = isWary(health.failuresInARow) ? 1 : MAX_PER_ENDPOINT
  return Math.max(0, most - endpointInFlight)
}

const isWary = (failuresInARow: number) => failuresInARow >= WARY_FAILURES

/** `last`: the lane after which the room was used up before everybody had one slot. */
type Sharing = { shares: Share[]; last: string | undefined }

/** Hands out one slot to each lane in turn, then a second one, up to four: nobody waits for a long queue. */
export function shareOut(lanes: readonly Lane[], room: number, now: Date): Sharing {
  const slots = new Map<string, number>()
  const ofOrganization = new Map<string, number>()
  let left = room
  let last: string | undefined
  for (let turn = 0; turn < MAX_PER_ENDPOINT; turn++)
    for (const lane of lanes) {
      if (left === 0) break
      const orgId = lane.orgId ?? ''
      const taken = ofOrganization.get(orgId) ?? lane.orgInFlight
      const isKept = isWary(lane.health.failuresInARow) && left <= KEPT_FOR_HEALTHY
      if (turn >= slotsOf(lane) || taken >= MAX_PER_ORGANIZATION || isKept) continue
      ofOrganization.set(orgId, taken + 1)
      slots.set(lane.endpointId, turn + 1)
      left -= 1
      if (left === 0 && turn === 0) last = lane.endpointId
    }
  const shares = lanes.flatMap((lane) => {
    const given = slots.get(lane.endpointId)
    const { endpointId, channel, flying = [] } = lane
    if (given === undefined || channel === null) return []
    const askedForOnly = mannerOf(lane, now) === 'ASKED_FOR'
    return { endpointId, channel, slots: given, askedForOnly, flying }
  })
  return { shares, last }
}

export function halves<T>(batch: readonly T[]): (readonly T[])[] {
  const middle = Math.ceil(batch.length / 2)
  return [batch.slice(0, middle), batch.slice(middle)]
}
