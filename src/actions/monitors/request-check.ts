// Asks the owner of a monitor's shard to check it now, wherever that owner runs.
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '../../bus/bus.ts'
import type { EvidenceInput } from '../../domain/incidents/evidence.ts'
import { maxCheckMs } from '../../domain/monitors/confirmation.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import { shardOf } from '../../domain/monitors/schedule.ts'
import { assertOutsideTransaction } from '../../platform/transaction-scope.ts'

export type CheckRequest = { orgId: string; monitorUuid: string }

/**
 * UNDECIDED is a fault on our side. GONE and PAUSED happened while the request was in transit. TOO_SOON: the organization's
 * day is full, and the monitor may recover again after `waitMs`.
 */
export type CheckResponse =
  | { outcome: 'RECORDED' | 'UNDECIDED' | 'GONE' | 'PAUSED' }
  | { outcome: 'TOO_SOON'; waitMs: number }

export type RequestCheck = (request: CheckRequest, timeoutSeconds: number) => Promise<CheckResponse>

export const checkRequestName = (shard: number): string => `check.${shard}`

// A shard that just lost its owner gets a new one within the length of a lease.
const OWNER_WAIT_MS = 15_000
const OWNER_POLL_MS = 250
const MARGIN_MS = 10_000

export function createRequestCheck(bus: Bus): RequestCheck {
  return async (request, timeoutSeconds) => {
    const shard = shardOf(request.monitorUuid)
    // Time for a check that is already running and the one after it, or for one that asks some regions twice.
    const waitMs = 2 * maxCheckMs(timeoutSeconds) + MARGIN_MS
    const response = await requestOwner(bus, shard, request, waitMs)
    return (response as CheckResponse | undefined) ?? { outcome: 'UNDECIDED' }
  }
}

/** A draft of a monitor, checked once. With a region, only from there. */
export type TrialRequest = {
  orgId: string
  draft: MonitorSettings
  region?: string
  /** The draft is this monitor as it is stored: a pass proves the region. */
  monitorUuid?: string
}
export type TrialResponse = {
  result: 'OK' | 'FAILED' | 'INCONCLUSIVE'
  /** As stored in JSON: instants are text. */
  facts: JsonOf<EvidenceInput>
}
type JsonOf<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? JsonOf<Item>[]
    : T extends object
      ? { [K in keyof T]: JsonOf<T[K]> }
      : T

/** Undefined if no check was possible. */
export type RequestTrial = (request: TrialRequest) => Promise<TrialResponse | undefined>

/** A draft has no shard. Its organization's shard spreads the load and, like every shard, has an owner. */
export function createRequestTrial(bus: Bus): RequestTrial {
  return async (request) => {
    const waitMs = maxCheckMs(request.draft.timeoutSeconds) + MARGIN_MS
    const response = await requestOwner(bus, shardOf(request.orgId), request, waitMs)
    return response as TrialResponse | undefined
  }
}

/** Undefined if there was no response. */
async function requestOwner(
  bus: Bus,
  shard: number,
  request: CheckRequest | TrialRequest,
  waitMs: number,
): Promise<unknown> {
  assertOutsideTransaction('Waiting for a check')
  const name = checkRequestName(shard)
  for (let waitedMs = 0; waitedMs <= OWNER_WAIT_MS; waitedMs += OWNER_POLL_MS) {
    const outcome = await bus.request(name, request, waitMs)
    if (outcome.kind === 'answer') return outcome.body
    if (outcome.kind !== 'nobody') return undefined
    await delay(OWNER_POLL_MS)
  }
  return undefined
}
