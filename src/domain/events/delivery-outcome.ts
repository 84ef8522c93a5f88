// Decides what the outcome of an attempt means for its delivery and for its receiver.
import {
  type AttemptErrorCode,
  type ChannelName,
  type DeliveryStatus,
  isGivenUp,
} from './delivery.ts'
import {
  afterFailure,
  type DeliveryFailure,
  type EndpointHealth,
  fateOf,
  HEALTHY,
  nextDelayMs,
  parseRetryAfter,
} from './retry-schedule.ts'
import type { DisabledReason } from './webhook-endpoint.ts'

export type SendResult = {
  outcome: 'SUCCEEDED' | 'FAILED'
  durationMs: number
  /** The target URL, if it may be shown. */
  url: string | null
  /** The receiver's HTTP or SMTP status. */
  responseStatus: number | null
  responseBody: string | null
  /** As sent by the receiver. */
  retryAfter: string | undefined
  errorCode: AttemptErrorCode | null
  error: string | null
  /** Counts toward the receiver's circuit breaker. False for faults of our own or of one recipient among many. */
  isReceiverFault: boolean
  /** What to do after a failure. OVER: it would only fail again. GONE: the receiver wants nothing anymore. */
  next: 'RETRY' | 'OVER' | 'GONE'
}

/** A failure without a response, for a channel to complete. */
export const NO_RESPONSE: SendResult = {
  outcome: 'FAILED',
  durationMs: 0,
  url: null,
  responseStatus: null,
  responseBody: null,
  retryAfter: undefined,
  errorCode: null,
  error: null,
  isReceiverFault: false,
  next: 'RETRY',
}

/** The result of an attempt whose process died. */
export const LOST: SendResult = {
  ...NO_RESPONSE,
  errorCode: 'WORKER_LOST',
  error: 'The process that sent it ended before the answer was recorded',
}

export type StartedAttempt = {
  deliveryId: string
  number: number
  orgId: string
  endpointId: string
  channel: ChannelName
  /** Requested by a person, and so not repeated. */
  manual: boolean
  startedAt: Date
}
export type EndedAttempt = StartedAttempt & { result: SendResult }

/** An ended attempt and what happens to its delivery. */
export type SettledAttempt = Pick<StartedAttempt, 'deliveryId' | 'number' | 'startedAt'> &
  Pick<
    SendResult,
    'durationMs' | 'url' | 'outcome' | 'responseStatus' | 'responseBody' | 'errorCode' | 'error'
  > & { status: DeliveryStatus; nextAttemptAt: Date | null; completedAt: Date | null }

/** `random` is 0..1. */
type RetryTiming = { scheduleSeconds: readonly number[]; random: number; now: Date }

export function settleAttempt(ended: EndedAttempt, timing: RetryTiming): SettledAttempt {
  const { deliveryId, number, startedAt, result } = ended
  const { url, outcome, responseStatus, responseBody, errorCode, error } = result
  const durationMs = Math.round(result.durationMs)
  const response = { durationMs, url, outcome, responseStatus, responseBody, errorCode, error }
  const attempt = { deliveryId, number, startedAt, ...response }
  const { scheduleSeconds, random, now } = timing
  const over = { nextAttemptAt: null, completedAt: now }
  if (outcome === 'SUCCEEDED') return { ...attempt, ...over, status: 'SUCCEEDED' }

  const isFinal = ended.manual || result.next !== 'RETRY'
  const delayMs = isFinal
    ? undefined
    : nextDelayMs(scheduleSeconds, number, toFailure(result, now), random)
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

export type ReceiverHealth = EndpointHealth & {
  endpointId: string
  orgId: string
  channel: ChannelName
  disabledReason: DisabledReason | null
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  warnedAt: Date | null
}

export type EndpointFate = 'WARNED' | 'DISABLED' | 'GONE'

/** A change in a receiver's health that people should know about. */
export type FailureNotice = {
  endpointId: string
  orgId: string
  channel: ChannelName
  what: EndpointFate
  since: Date
  error: string | null
}

type JudgedReceiver = { receiver: ReceiverHealth; notice: FailureNotice | undefined }

/** Applies the outcomes to the receiver in the order they happened. */
export function judgeReceiver(
  before: ReceiverHealth,
  ended: readonly EndedAttempt[],
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
  const what = newFateOf(receiver, ended, now)
  if (what === undefined) return { receiver, notice: undefined }
  return { receiver: withFate(receiver, what, now), notice: toNotice(receiver, what, ended, now) }
}

function newFateOf(
  receiver: ReceiverHealth,
  ended: readonly EndedAttempt[],
  now: Date,
): EndpointFate | undefined {
  // Only enabled receivers are warned about or disabled: tests may be sent to any.
  if (receiver.disabledReason !== null || !isGivenUp(receiver.channel)) return undefined
  if (ended.some(({ result }) => result.next === 'GONE')) return 'GONE'
  const fate = fateOf(receiver, now)
  if (fate === 'DISABLE') return 'DISABLED'
  return fate === 'WARN' && receiver.warnedAt === null ? 'WARNED' : undefined
}

function withFate(receiver: ReceiverHealth, what: EndpointFate, now: Date): ReceiverHealth {
  if (what === 'WARNED') return { ...receiver, warnedAt: now }
  return { ...receiver, disabledReason: what === 'GONE' ? 'GONE' : 'FAILING' }
}

function toNotice(
  { endpointId, orgId, channel, failingSince }: ReceiverHealth,
  what: EndpointFate,
  ended: readonly EndedAttempt[],
  now: Date,
): FailureNotice {
  const error = ended.findLast(({ result }) => result.isReceiverFault)?.result.error ?? null
  return { endpointId, orgId, channel, what, since: failingSince ?? now, error }
}
