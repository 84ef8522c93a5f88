// Claims due deliveries: find the receiver queues, lock those that may send, allocate slots, start the attempts.
import type { ChannelName } from '../../domain/events/delivery.ts'
import type { ReceiverHealth } from '../../domain/events/delivery-outcome.ts'
import {
  allocateSlots,
  cancelReasonOf,
  drainedOf,
  type ReceiverKey,
  type ReceiverQueue,
  sendModeOf,
  slotsOf,
  starvedMsOf,
} from '../../domain/events/delivery-share.ts'
import type { Tx } from '../../store/core/db.ts'
import * as queue from '../../store/deliveries/queue.ts'
import {
  FIRST_ENDPOINT,
  findQueues,
  lockOrganizationsOf,
  lockQueues,
} from '../../store/deliveries/receiver-queues.ts'

export const CLAIM_SECONDS = 25
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
  const deleted = served.filter(({ orgId }) => orgId === null)
  const ended = await endGivenUp(tx, horizon, [...deleted, ...receivers])
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
  return { claimed, drained: drainedOf(shares, claimed), last }
}

async function endGivenUp(tx: Tx, horizon: queue.Horizon, receivers: readonly ReceiverQueue[]) {
  let ended = 0
  for (const receiver of receivers) {
    if (!isGivenUp(receiver, tx.now) || ended >= MAX_ENDED) continue
    const { endpointId } = receiver
    const reason = cancelReasonOf(receiver)
    ended += await queue.cancelPending(tx, horizon, { endpointId, reason }, MAX_ENDED - ended)
  }
  return ended
}

const isGivenUp = (receiver: ReceiverQueue, now: Date) => sendModeOf(receiver, now) === 'GIVEN_UP'
