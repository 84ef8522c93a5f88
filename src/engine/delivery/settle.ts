// Records finished attempts: close them, decide what happens to their deliveries and receivers, write both.
import type { SendResult } from '../../channels/channel.ts'
import { type ChannelName, isGivenUp } from '../../domain/events/delivery.ts'
import {
  afterFailure,
  type DeliveryFailure,
  fateOf,
  HEALTHY,
  nextDelayMs,
  parseRetryAfter,
} from '../../domain/events/retry-schedule.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import {
  type EndpointNotice,
  recordFailingEndpoints,
} from '../../store/deliveries/failing-endpoints.ts'
import type { LostAttempt } from '../../store/deliveries/queue.ts'
import * as settlement from '../../store/deliveries/settlement.ts'

/** An attempt and its outcome. */
export type Ended = LostAttempt & { result: SendResult }

/** A change in a receiver's health that people should know about. */
export type FailureNotice = EndpointNotice & { orgId: string; channel: ChannelName }

export type SettleDeps = {
  database: Database
  scheduleSeconds: readonly number[]
  /** 0..1 */
  random(): number
}

export const LOST: SendResult = {
  outcome: 'FAILED',
  durationMs: 0,
  url: null,
  responseStatus: null,
  responseBody: null,
  retryAfter: undefined,
  errorCode: 'WORKER_LOST',
  error: 'The process that sent it ended before the answer was recorded',
  isReceiverFault: false,
  next: 'RETRY',
}

export type SettleResult = {
  notices: FailureNotice[]
  /** The current health of receivers that still exist, locked until the commit. */
  receivers: settlement.ReceiverHealth[]
  /** Receivers locked by another process: their attempts are not recorded yet. */
  busy: ReadonlySet<string>
}

export function settle(deps: SettleDeps, ended: readonly Ended[]): Promise<SettleResult> {
  return deps.database.transaction(undefined, (tx) => settleIn(tx, deps, ended))
}

export async function settleIn(
  tx: Tx,
  deps: Omit<SettleDeps, 'database'>,
  all: readonly Ended[],
): Promise<SettleResult> {
  if (all.length === 0) return { notices: [], receivers: [], busy: new Set() }
  const endpointIds = [...new Set(all.map(({ endpointId }) => endpointId))]
  const { receivers, busy } = await settlement.lockReceivers(tx, endpointIds)
  const ended = all.filter(({ endpointId }) => !busy.has(endpointId))
  if (ended.length === 0) return { notices: [], receivers: [], busy }
  const attempts = ended.map((one) => toEndedAttempt(one, deps, tx.now))
  const known = await settlement.endAttempts(tx, attempts)

  const counted = ended.filter(({ deliveryId }) => known.has(deliveryId))
  const own = Map.groupBy(counted, ({ endpointId }) => endpointId)
  const judged = receivers.map((receiver) =>
    judge(receiver, own.get(receiver.endpointId) ?? [], deps.scheduleSeconds, tx.now),
  )

  const changed = judged.filter(({ receiver: { endpointId } }) => own.has(endpointId))
  await settlement.writeReceiverHealth(
    tx,
    changed.map(({ receiver }) => receiver),
  )
  const notices = changed.flatMap(({ receiver, what }) =>
    what === undefined ? [] : toNotice(receiver, what, own.get(receiver.endpointId) ?? [], tx.now),
  )
  // In the same transaction as the change it reports: never missing, never duplicated.
  await recordFailingEndpoints(
    tx,
    notices.filter(({ channel }) => channel === 'WEBHOOK'),
  )
  return { notices, receivers: judged.map(({ receiver }) => receiver), busy }
}

function toEndedAttempt(
  ended: Ended,
  deps: Omit<SettleDeps, 'database'>,
  now: Date,
): settlement.EndedAttempt {
  const { deliveryId, number, startedAt, result } = ended
  const { url, outcome, responseStatus, responseBody, errorCode, error } = result
  const durationMs = Math.round(result.durationMs)
  const response = { durationMs, url, outcome, responseStatus, responseBody, errorCode, error }
  const attempt = { deliveryId, number, startedAt, ...response }
  const over = { nextAttemptAt: null, completedAt: now }
  if (outcome === 'SUCCEEDED') return { ...attempt, ...over, status: 'SUCCEEDED' }

  const isFinal = ended.manual || result.next !== 'RETRY'
  const delayMs = isFinal
    ? undefined
    : nextDelayMs(deps.scheduleSeconds, number, toFailure(result, now), deps.random())
  if (delayMs === undefined) return { ...attempt, ...over, status: 'FAILED' }
  const nextAttemptAt = new Date(now.getTime() + delayMs)
  return { ...attempt, status: 'PENDING', nextAttemptAt, completedAt: null }
}

function toFailure(
  { responseStatus, errorCode, retryAfter }: SendResult,
  now: Date,
): DeliveryFailure {
  return {
    status: responseStatus,
    timedOut: errorCode === 'TIMEOUT',
    retryAfterSeconds: parseRetryAfter(retryAfter, now),
  }
}

function toNotice(
  { endpointId, orgId, channel, failingSince }: settlement.ReceiverHealth,
  what: FailureNotice['what'],
  ended: readonly Ended[],
  now: Date,
): FailureNotice {
  const error = ended.findLast(({ result }) => result.isReceiverFault)?.result.error ?? null
  return { endpointId, orgId, channel, what, since: failingSince ?? now, error }
}

type JudgedReceiver = {
  receiver: settlement.ReceiverHealth
  what: FailureNotice['what'] | undefined
}

/** Applies the outcomes to the receiver in the order they happened. */
function judge(
  before: settlement.ReceiverHealth,
  ended: readonly Ended[],
  scheduleSeconds: readonly number[],
  now: Date,
): JudgedReceiver {
  let receiver = before
  for (const { result } of ended) {
    if (result.outcome === 'SUCCEEDED')
      receiver = { ...receiver, ...HEALTHY, lastSuccessAt: now, warnedAt: null }
    else if (result.isReceiverFault) {
      const health = afterFailure(receiver, now, scheduleSeconds)
      receiver = { ...receiver, ...health, lastFailureAt: now }
    }
  }
  // Only enabled receivers are warned about or disabled: tests may be sent to any.
  if (receiver.disabledReason !== null || !isGivenUp(receiver.channel))
    return { receiver, what: undefined }
  if (ended.some(({ result }) => result.next === 'GONE'))
    return { receiver: { ...receiver, disabledReason: 'GONE' }, what: 'GONE' }
  const fate = fateOf(receiver, now)
  if (fate === 'DISABLE')
    return { receiver: { ...receiver, disabledReason: 'FAILING' }, what: 'DISABLED' }
  if (fate === 'WARN' && receiver.warnedAt === null)
    return { receiver: { ...receiver, warnedAt: now }, what: 'WARNED' }
  return { receiver, what: undefined }
}
