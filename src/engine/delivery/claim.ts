// Takes what is due: look at the lanes, hold those that may send, share out the room, begin the attempts.
import type { ChannelName } from '../../domain/events/delivery.ts'
import type { Tx } from '../../store/core/db.ts'
import * as queue from '../../store/deliveries/queue.ts'
import {
  findLanes,
  type Lane,
  type LaneKey,
  lockLanes,
  lockOrganizationsOf,
} from '../../store/deliveries/receiver-queues.ts'
import type { Standing } from '../../store/deliveries/settlement.ts'
import { MAX_PER_ORGANIZATION, mannerOf, shareOut, slotsOf } from './share.ts'

export const CLAIM_SECONDS = 25
export const FIRST_ENDPOINT = '00000000-0000-0000-0000-000000000000'
const MAX_LANES = 500
const MAX_ENDED = 1000

export type Taken = {
  claimed: queue.Claimed[]
  /** Receivers of which nothing more is due than they took. */
  sated: ReadonlySet<string>
}

export type Claim = Taken & {
  /** Receivers that may have more due than they could take. */
  hungry: string[]
  /** Where the next claim begins. */
  after: string
  /** There is more to be done at once. */
  isCramped: boolean
  /** Age of the oldest delivery that could be sent, while nothing of its receiver is under way; 0 for none. */
  starvedMs: number
}

type Scope = { horizon: queue.Horizon; room: number }
type ClaimFrom = Scope & {
  after: string
  /** Those this process can send by; the rest is left to others. */
  channels: ReadonlySet<ChannelName>
}

/** Looks at everybody in turn. */
export async function claimIn(tx: Tx, from: ClaimFrom): Promise<Claim> {
  const { horizon, after, channels } = from
  await queue.readByIndex(tx)
  const walk = await findLanes(tx, horizon, after, MAX_LANES)
  const next = walk.next ?? FIRST_ENDPOINT
  const served = walk.lanes.filter(({ channel }) => channel === null || channels.has(channel))
  const sendable = served.filter((lane) => mannerOf(lane, tx.now) !== 'WAIT')
  // What is full already is not locked: it would only keep others from it.
  const lanes = await holdLanes(
    tx,
    horizon,
    sendable.filter((lane) => isGivenUp(lane, tx.now) || slotsOf(lane) > 0),
  )

  const { claimed, sated, last } = await take(tx, from, lanes)
  const ended = await endGivenUp(tx, horizon, [...served.filter(isOrphan), ...lanes])
  const waiting = sendable.filter((lane) => !isGivenUp(lane, tx.now))
  return {
    claimed,
    sated,
    hungry: waiting.map(({ endpointId }) => endpointId).filter((id) => !sated.has(id)),
    after: last ?? next,
    isCramped: last !== undefined || next !== FIRST_ENDPOINT || ended >= MAX_ENDED,
    starvedMs: starvedMsOf(waiting, claimed, tx.now),
  }
}

/** Looks at these receivers only: they are held, attempts of theirs have just ended, and more was due. */
export async function refillIn(
  tx: Tx,
  scope: Scope,
  receivers: readonly Standing[],
): Promise<Taken> {
  await queue.readByIndex(tx)
  const lanes = receivers.map((standing) => ({
    ...standing,
    health: standing,
    dueAt: tx.now,
    isAskedFor: false,
  }))
  const open = lanes.filter((lane) => mannerOf(lane, tx.now) === 'ALL')
  return take(tx, scope, await lockOrganizationsOf(tx, scope.horizon, open))
}

async function holdLanes(tx: Tx, horizon: queue.Horizon, lanes: readonly LaneKey[]) {
  const wanted = lanes.filter(({ orgId }) => orgId !== null)
  if (wanted.length === 0) return []
  const held = await lockLanes(tx, horizon, wanted)
  return held.filter((lane) => mannerOf(lane, tx.now) !== 'WAIT')
}

async function take(
  tx: Tx,
  { horizon, room }: Scope,
  held: readonly Lane[],
): Promise<Taken & { last: string | undefined }> {
  const open = held.filter((lane) => !isGivenUp(lane, tx.now))
  const { shares, last } = shareOut(open, room, tx.now)
  const claimed = shares.length === 0 ? [] : await queue.takeDue(tx, horizon, shares, CLAIM_SECONDS)
  const taken = Map.groupBy(claimed, ({ endpointId }) => endpointId)
  const sated = shares.flatMap(({ endpointId, slots }) =>
    (taken.get(endpointId)?.length ?? 0) < slots ? endpointId : [],
  )
  return { claimed, sated: new Set(sated), last }
}

async function endGivenUp(tx: Tx, horizon: queue.Horizon, lanes: readonly Lane[]) {
  let ended = 0
  for (const lane of lanes) {
    if (!isGivenUp(lane, tx.now) || ended >= MAX_ENDED) continue
    const reason = isOrphan(lane) ? 'ENDPOINT_DELETED' : 'ENDPOINT_DISABLED'
    const { endpointId } = lane
    ended += await queue.endWaiting(tx, horizon, { endpointId, reason }, MAX_ENDED - ended)
  }
  return ended
}

const isOrphan = ({ orgId }: Lane) => orgId === null
const isGivenUp = (lane: Lane, now: Date) => mannerOf(lane, now) === 'GIVEN_UP'

/** Whoever has something under way is served; one that waits for its organization's limit is so by rule. */
function starvedMsOf(
  waiting: readonly Lane[],
  claimed: readonly queue.Claimed[],
  now: Date,
): number {
  const served = new Set(claimed.map(({ endpointId }) => endpointId))
  const starved = waiting.filter(
    ({ endpointId, endpointInFlight, orgInFlight }) =>
      endpointInFlight === 0 && orgInFlight < MAX_PER_ORGANIZATION && !served.has(endpointId),
  )
  return Math.max(0, ...starved.map(({ dueAt }) => now.getTime() - dueAt.getTime()))
}
