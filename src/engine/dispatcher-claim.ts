// Takes what is due: look at the lanes, hold those that may send, share out the room, begin the attempts.
import type { Database, Tx } from '../store/db.ts'
import * as queue from '../store/delivery-queue.ts'
import { mannerOf, shareOut, slotsOf } from './dispatcher-share.ts'

export const CLAIM_SECONDS = 25
export const FIRST_ENDPOINT = '00000000-0000-0000-0000-000000000000'
const MAX_LANES = 500
const MAX_ENDED = 1000

export type Claim = {
  claimed: queue.Claimed[]
  /** Where the next claim begins. */
  after: string
  /** There is more to be done at once. */
  isCramped: boolean
  /** Of a delivery that may be sent; undefined when there is none. */
  oldestDueAt: Date | undefined
  now: Date
}

export type ClaimFrom = { horizon: queue.Horizon; after: string; room: number }

export function claimDue(database: Database, from: ClaimFrom): Promise<Claim> {
  const { horizon, after, room } = from
  return database.transaction(undefined, async (tx) => {
    await queue.readByIndex(tx)
    const walk = await queue.findLanes(tx, horizon, after, MAX_LANES)
    const next = walk.next ?? FIRST_ENDPOINT
    const sendable = walk.lanes.filter((lane) => mannerOf(lane, tx.now) !== 'WAIT')
    const lanes = await holdLanes(tx, horizon, sendable)

    const open = lanes.filter((lane) => !isGivenUp(lane, tx.now))
    const { shares, last } = shareOut(open, room, tx.now)
    const claimed =
      shares.length === 0 ? [] : await queue.takeDue(tx, horizon, shares, CLAIM_SECONDS)
    const ended = await endGivenUp(tx, horizon, [...walk.lanes.filter(isOrphan), ...lanes])
    return {
      claimed,
      after: last ?? next,
      isCramped: last !== undefined || next !== FIRST_ENDPOINT || ended >= MAX_ENDED,
      oldestDueAt: oldestOf(sendable.filter((lane) => !isGivenUp(lane, tx.now))),
      now: tx.now,
    }
  })
}

// What is full already is not locked: it would only keep others from it.
async function holdLanes(tx: Tx, horizon: queue.Horizon, lanes: readonly queue.Lane[]) {
  const wanted = lanes.filter(
    (lane) => !isOrphan(lane) && (isGivenUp(lane, tx.now) || slotsOf(lane) > 0),
  )
  if (wanted.length === 0) return []
  const held = await queue.lockLanes(tx, horizon, wanted)
  return held.filter((lane) => mannerOf(lane, tx.now) !== 'WAIT')
}

async function endGivenUp(tx: Tx, horizon: queue.Horizon, lanes: readonly queue.Lane[]) {
  let ended = 0
  for (const lane of lanes) {
    if (!isGivenUp(lane, tx.now) || ended >= MAX_ENDED) continue
    const reason = isOrphan(lane) ? 'ENDPOINT_DELETED' : 'ENDPOINT_DISABLED'
    const { endpointId } = lane
    ended += await queue.endWaiting(tx, horizon, { endpointId, reason }, MAX_ENDED - ended)
  }
  return ended
}

const isOrphan = ({ orgId }: queue.Lane) => orgId === null
const isGivenUp = (lane: queue.Lane, now: Date) => mannerOf(lane, now) === 'GIVEN_UP'

function oldestOf(lanes: readonly queue.Lane[]): Date | undefined {
  return lanes.map(({ dueAt }) => dueAt).toSorted((a, b) => a.getTime() - b.getTime())[0]
}
