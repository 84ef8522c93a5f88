// Writes how attempts ended: close the attempts, judge deliveries and endpoints, write both.
import type { SendResult } from '../channels/webhook.ts'
import {
  afterFailure,
  type Failure,
  fateOf,
  HEALTHY,
  nextDelayMs,
  outcomeOf,
  parseRetryAfter,
} from '../domain/retry-schedule.ts'
import type { Database } from '../store/db.ts'
import { type Lost, readByIndex } from '../store/delivery-queue.ts'
import * as settlement from '../store/delivery-settlement.ts'

/** An attempt and how it ended. */
export type Ended = Lost & { url: string | null; result: SendResult }

/** What became of an endpoint that an operator may want to know. */
export type Notice = { endpointId: string; what: 'WARNED' | 'DISABLED' | 'GONE' }

export type SettleDeps = {
  database: Database
  scheduleSeconds: readonly number[]
  /** 0..1 */
  random(): number
}

export const LOST: SendResult = {
  outcome: 'FAILED',
  durationMs: 0,
  responseStatus: null,
  responseBody: null,
  retryAfter: undefined,
  errorCode: 'WORKER_LOST',
  error: 'The process that sent it ended before the answer was recorded',
  isOwnFault: true,
}

export function settle(deps: SettleDeps, ended: readonly Ended[]): Promise<Notice[]> {
  return deps.database.transaction(undefined, async (tx) => {
    await readByIndex(tx)
    const endpointIds = [...new Set(ended.map(({ endpointId }) => endpointId))]
    const standings = await settlement.lockStandings(tx, endpointIds)
    const known = await settlement.endAttempts(tx, ended.map(toEndedAttempt))
    const counted = ended.filter(({ deliveryId }) => known.has(deliveryId))
    if (counted.length === 0) return []

    const steps = counted.map((one) => stepOf(one, deps, tx.now))
    const changes = standings.map((standing) => {
      const own = counted.filter(({ endpointId }) => endpointId === standing.endpointId)
      return judge(standing, own, deps.scheduleSeconds, tx.now)
    })

    await settlement.stepDeliveries(tx, steps)
    await settlement.writeStandings(
      tx,
      changes.map(({ standing }) => standing),
    )
    return changes.flatMap(({ standing: { endpointId }, what }) =>
      what === undefined ? [] : { endpointId, what },
    )
  })
}

function toEndedAttempt({ deliveryId, number, result }: Ended): settlement.EndedAttempt {
  const { retryAfter: _, isOwnFault: __, ...shown } = result
  return { deliveryId, number, ...shown, durationMs: Math.round(result.durationMs) }
}

function stepOf(ended: Ended, deps: SettleDeps, now: Date): settlement.DeliveryStep {
  const { deliveryId, number, startedAt, url, result } = ended
  const { responseStatus, errorCode, outcome } = result
  const made = { deliveryId, number, startedAt, url, responseStatus, errorCode }
  const over = { nextAttemptAt: null, completedAt: now }
  if (outcome === 'SUCCEEDED') return { ...made, ...over, status: 'SUCCEEDED' }

  const isFinal = ended.manual || isGone(result)
  const delayMs = isFinal
    ? undefined
    : nextDelayMs(deps.scheduleSeconds, number, toFailure(result, now), deps.random())
  if (delayMs === undefined) return { ...made, ...over, status: 'FAILED' }
  const nextAttemptAt = new Date(now.getTime() + delayMs)
  return { ...made, status: 'PENDING', nextAttemptAt, completedAt: null }
}

function toFailure({ responseStatus, errorCode, retryAfter }: SendResult, now: Date): Failure {
  return {
    status: responseStatus,
    timedOut: errorCode === 'TIMEOUT',
    retryAfterSeconds: parseRetryAfter(retryAfter, now),
  }
}

const isGone = ({ responseStatus }: SendResult) =>
  responseStatus !== null && outcomeOf(responseStatus) === 'GONE'

type Judged = { standing: settlement.Standing; what: Notice['what'] | undefined }

/** Folds what happened into the endpoint, in the order it happened. A fault of ours is not held against it. */
function judge(
  before: settlement.Standing,
  ended: readonly Ended[],
  scheduleSeconds: readonly number[],
  now: Date,
): Judged {
  let standing = before
  for (const { result } of ended) {
    if (result.isOwnFault) continue
    standing =
      result.outcome === 'SUCCEEDED'
        ? { ...standing, ...HEALTHY, lastSuccessAt: now, warnedAt: null }
        : { ...standing, ...afterFailure(standing, now, scheduleSeconds), lastFailureAt: now }
  }
  // Only one that is enabled is warned of or disabled: a test may be sent to any.
  if (standing.disabledReason !== null) return { standing, what: undefined }
  if (ended.some(({ result }) => isGone(result)))
    return { standing: { ...standing, disabledReason: 'GONE' }, what: 'GONE' }
  const fate = fateOf(standing, now)
  if (fate === 'DISABLE')
    return { standing: { ...standing, disabledReason: 'FAILING' }, what: 'DISABLED' }
  if (fate === 'WARN' && standing.warnedAt === null)
    return { standing: { ...standing, warnedAt: now }, what: 'WARNED' }
  return { standing, what: undefined }
}
