// Claims due deliveries: find the receiver queues, lock those that may send, allocate slots, start the attempts.
import type { ChannelName } from '../../domain/events/delivery.ts'
import type { Tx } from '../../store/core/db.ts'
import * as queue from '../../store/deliveries/queue.ts'
import {
  findQueues,
  lockOrganizationsOf,
  lockQueues,
  type ReceiverKey,
  type ReceiverQueue,
} from '../../store/deliveries/receiver-queues.ts'
import type { ReceiverHealth } from '../../store/deliveries/settlement.ts'
import { allocateSlots, MAX_PER_ORGANIZATION, sendModeOf, slotsOf } from './share.ts'

export const CLAIM_SECONDS = 25
export const FIRST_ENDPOINT = '00000000-0000-0000-0000-000000000000'
const MAX_QUEUES = 500
const MAX_ENDED = 1000

export type RefillResult = {
  claimed: queue.ClaimedAttempt[]
  /** Receivers with no due deliveries left after this claim. */
  drained: ReadonlySet<string>
}

export type ClaimResult = RefillResult & {
  /** Receivers that may have more due deliveries than they had slots for. */
  backlogged: string[]
  /** The next claim starts after this endpoint. */
  after: string
  /** More work remains, so the next claim should start immediately. */
  hasMore: boolean
  /** Age of the oldest sendable delivery whose receiver has nothing in flight; 0 if there is none. */
  starvedMs: number
}

type Scope = { horizon: queue.Horizon; room: number }
type ClaimFrom = Scope & {
  after: string
  /** The channels this process can send through; others are left to other processes. */
  channels: ReadonlySet<ChannelName>
}

/** Walks all receivers in turn. */
export async function claimIn(tx: Tx, from: ClaimFrom): Promise<ClaimResult> {
  const { horizon, after, channels } = from
  await queue.readByIndex(tx)
  const walk = await findQueues(tx, horizon, after, MAX_QUEUES)
  const next = walk.next ?? FIRST_ENDPOINT
  const served = walk.queues.filter(({ channel }) => channel === null || channels.has(channel))
  const sendable = served.filter((receiver) => sendModeOf(receiver, tx.now) !== 'WAIT')
  // Receivers without a free slot are not locked: that would only block other processes.
  const receivers = await holdQueues(
    tx,
    horizon,
    sendable.filter((receiver) => isGivenUp(receiver, tx.now) || slotsOf(receiver) > 0),
  )

  const { claimed, drained, last } = await take(tx, from, receivers)
  const ended = await endGivenUp(tx, horizon, [...served.filter(isOrphan), ...receivers])
  const waiting = sendable.filter((receiver) => !isGivenUp(receiver, tx.now))
  return {
    claimed,
    drained,
    backlogged: waiting.map(({ endpointId }) => endpointId).filter((id) => !drained.has(id)),
    after: last ?? next,
    hasMore: last !== undefined || next !== FIRST_ENDPOINT || ended >= MAX_ENDED,
    starvedMs: starvedMsOf(waiting, claimed, tx.now),
  }
}

/** Only for receivers that are already locked, just finished attempts, and had more due. */
export async function refillIn(
  tx: Tx,
  scope: Scope,
  candidates: readonly ReceiverHealth[],
): Promise<RefillResult> {
  await queue.readByIndex(tx)
  const receivers = candidates.map((health) => ({
    ...health,
    health,
    dueAt: tx.now,
    isAskedFor: false,
  }))
  const open = receivers.filter((receiver) => sendModeOf(receiver, tx.now) === 'ALL')
  return take(tx, scope, await lockOrganizationsOf(tx, scope.horizon, open))
}

async function holdQueues(tx: Tx, horizon: queue.Horizon, receivers: readonly ReceiverKey[]) {
  const wanted = receivers.filter(({ orgId }) => orgId !== null)
  if (wanted.length === 0) return []
  const held = await lockQueues(tx, horizon, wanted)
  return held.filter((receiver) => sendModeOf(receiver, tx.now) !== 'WAIT')
}

async function take(
  tx: Tx,
  { horizon, room }: Scope,
  held: readonly ReceiverQueue[],
): Promise<RefillResult & { last: string | undefined }> {
  const open = held.filter((receiver) => !isGivenUp(receiver, tx.now))
  const { shares, last } = allocateSlots(open, room, tx.now)
  const claimed =
    shares.length === 0 ? [] : await queue.claimDue(tx, horizon, shares, CLAIM_SECONDS)
  const taken = Map.groupBy(claimed, ({ endpointId }) => endpointId)
  const drained = shares.flatMap(({ endpointId, slots }) =>
    (taken.get(endpointId)?.length ?? 0) < slots ? endpointId : [],
  )
  return { claimed, drained: new Set(drained), last }
}

async function endGivenUp(tx: Tx, horizon: queue.Horizon, receivers: readonly ReceiverQueue[]) {
  let ended = 0
  for (const receiver of receivers) {
    if (!isGivenUp(receiver, tx.now) || ended >= MAX_ENDED) continue
    const reason = isOrphan(receiver) ? 'ENDPOINT_DELETED' : 'ENDPOINT_DISABLED'
    const { endpointId } = receiver
    ended += await queue.cancelPending(tx, horizon, { endpointId, reason }, MAX_ENDED - ended)
  }
  return ended
}

const isOrphan = ({ orgId }: ReceiverQueue) => orgId === null
const isGivenUp = (receiver: ReceiverQueue, now: Date) => sendModeOf(receiver, now) === 'GIVEN_UP'

/** A receiver with anything in flight is not starved, and one at its organization's limit waits by design. */
function starvedMsOf(
  waiting: readonly ReceiverQueue[],
  claimed: readonly queue.ClaimedAttempt[],
  now: Date,
): number {
  const served = new Set(claimed.map(({ endpointId }) => endpointId))
  const starved = waiting.filter(
    ({ endpointId, endpointInFlight, orgInFlight }) =>
      endpointInFlight === 0 && orgInFlight < MAX_PER_ORGANIZATION && !served.has(endpointId),
  )
  return Math.max(0, ...starved.map(({ dueAt }) => now.getTime() - dueAt.getTime()))
}
