// A cycle of the dispatcher: one transaction that records finished attempts and claims what is due next.
import type { ChannelName } from '../../domain/events/delivery.ts'
import type { EndedAttempt } from '../../domain/events/delivery-outcome.ts'
import { roomToClaim, roomToRefill } from '../../domain/events/delivery-share.ts'
import type { Horizon } from '../../store/deliveries/queue.ts'
import { type ClaimResult, claimIn, type RefillResult, refillIn } from './claim.ts'
import { type SettleDeps, type SettleResult, settleIn, withKeptResponses } from './settle.ts'

type CycleInput = {
  ended: readonly EndedAttempt[]
  /** This process's attempts that are not recorded yet, including the ended ones. */
  inFlight: number
  horizon: Horizon
  /** Undefined if it is not time for a claim. */
  claim: { after: string; channels: ReadonlySet<ChannelName> } | undefined
  /** Between claims, the locked receivers among these are refilled. */
  backlogged: ReadonlySet<string>
}

export type Cycle = Pick<SettleResult, 'notices' | 'busy'> & {
  claim?: ClaimResult
  refill?: RefillResult
}

export async function settleAndClaim(deps: SettleDeps, input: CycleInput): Promise<Cycle> {
  const { horizon, claim, backlogged } = input
  const ended = await withKeptResponses(deps.database, input.ended)
  return deps.database.transaction(undefined, async (tx) => {
    const { receivers, ...settled } = await settleIn(tx, deps, ended)
    const recorded = ended.filter(({ endpointId }) => !settled.busy.has(endpointId))
    const inFlight = input.inFlight - recorded.length
    if (claim !== undefined) {
      const from = { ...claim, horizon, room: roomToClaim(inFlight) }
      return { ...settled, claim: await claimIn(tx, from) }
    }
    const room = roomToRefill(inFlight)
    const waiting = receivers.filter(({ endpointId }) => backlogged.has(endpointId))
    if (room === 0 || waiting.length === 0) return settled
    return { ...settled, refill: await refillIn(tx, { horizon, room }, waiting) }
  })
}
