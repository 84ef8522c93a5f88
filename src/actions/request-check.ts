// Asks the owner of a monitor's shard to check it now, wherever that owner runs.
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '../bus/bus.ts'
import { maxCheckMs } from '../domain/confirmation.ts'
import { shardOf } from '../domain/schedule.ts'

export type CheckRequest = { orgId: string; monitorUuid: string }

/** UNDECIDED is a fault of ours; GONE and PAUSED happened while the request was on its way. */
export type CheckAnswer = { outcome: 'RECORDED' | 'UNDECIDED' | 'GONE' | 'PAUSED' }

export type RequestCheck = (request: CheckRequest, timeoutSeconds: number) => Promise<CheckAnswer>

export const checkRequestName = (shard: number): string => `check.${shard}`

// A shard that has just lost its owner has a new one within the length of a lease.
const OWNER_WAIT_MS = 15_000
const OWNER_POLL_MS = 250
const MARGIN_MS = 5000

export function createRequestCheck(bus: Bus): RequestCheck {
  return async (request, timeoutSeconds) => {
    const name = checkRequestName(shardOf(request.monitorUuid))
    // One that is running already, and the one that follows it.
    const waitMs = 2 * maxCheckMs(timeoutSeconds) + MARGIN_MS
    for (let waitedMs = 0; waitedMs <= OWNER_WAIT_MS; waitedMs += OWNER_POLL_MS) {
      const outcome = await bus.request(name, request, waitMs)
      if (outcome.kind === 'answer') return outcome.body as CheckAnswer
      if (outcome.kind !== 'nobody') return { outcome: 'UNDECIDED' }
      await delay(OWNER_POLL_MS)
    }
    return { outcome: 'UNDECIDED' }
  }
}
