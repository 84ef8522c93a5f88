// Writes how attempts ended: close the attempts, judge deliveries and receivers, write both.
import type { SendResult } from '../../channels/channel.ts'
import { type ChannelName, isGivenUp } from '../../domain/events/delivery.ts'
import {
  afterFailure,
  type Failure,
  fateOf,
  HEALTHY,
  nextDelayMs,
  parseRetryAfter,
} from '../../domain/events/retry-schedule.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import {
  type EndpointNotice,
  noteFailingEndpoints,
} from '../../store/deliveries/failing-endpoints.ts'
import type { Lost } from '../../store/deliveries/queue.ts'
import * as settlement from '../../store/deliveries/settlement.ts'

/** An attempt and how it ended. */
export type Ended = Lost & { result: SendResult }

/** What became of a receiver that somebody may want to know. */
export type Notice = EndpointNotice & { orgId: string; channel: ChannelName }

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

export type Settled = {
  notices: Notice[]
  /** Of the receivers that are still there, as they are now. They are held until the commit. */
  standings: settlement.Standing[]
  /** Receivers that somebody else held: their attempts are not recorded yet. */
  busy: ReadonlySet<string>
}

export function settle(deps: SettleDeps, ended: readonly Ended[]): Promise<Settled> {
  return deps.database.transaction(undefined, (tx) => settleIn(tx, deps, ended))
}

export async function settleIn(
  tx: Tx,
  deps: Omit<SettleDeps, 'database'>,
  all: readonly Ended[],
): Promise<Settled> {
  if (all.length === 0) return { notices: [], standings: [], busy: new Set() }
  const endpointIds = [...new Set(all.map(({ endpointId }) => endpointId))]
  const { standings, busy } = await settlement.lockStandings(tx, endpointIds)
  const ended = all.filter(({ endpointId }) => !busy.has(endpointId))
  if (ended.length === 0) return { notices: [], standings: [], busy }
  const steps = ended.map((one) => stepOf(one, deps, tx.now))
  const known = await settlement.endAttempts(tx, steps)

  const counted = ended.filter(({ deliveryId }) => known.has(deliveryId))
  const own = Map.groupBy(counted, ({ endpointId }) => endpointId)
  const judged = standings.map((standing) =>
    judge(standing, own.get(standing.endpointId) ?? [], deps.scheduleSeconds, tx.now),
  )

  const changed = judged.filter(({ standing: { endpointId } }) => own.has(endpointId))
  await settlement.writeStandings(
    tx,
    changed.map(({ standing }) => standing),
  )
  const notices = changed.flatMap(({ standing, what }) =>
    what === undefined ? [] : toNotice(standing, what, own.get(standing.endpointId) ?? [], tx.now),
  )
  // With what it tells of: never without, and never twice.
  await noteFailingEndpoints(
    tx,
    notices.filter(({ channel }) => channel === 'WEBHOOK'),
  )
  return { notices, standings: judged.map(({ standing }) => standing), busy }
}

function stepOf(
  ended: Ended,
  deps: Omit<SettleDeps, 'database'>,
  now: Date,
): settlement.EndedAttempt {
  const { deliveryId, number, startedAt, result } = ended
  const { url, outcome, responseStatus, responseBody, errorCode, error } = result
  const durationMs = Math.round(result.durationMs)
  const answer = { durationMs, url, outcome, responseStatus, responseBody, errorCode, error }
  const made = { deliveryId, number, startedAt, ...answer }
  const over = { nextAttemptAt: null, completedAt: now }
  if (outcome === 'SUCCEEDED') return { ...made, ...over, status: 'SUCCEEDED' }

  const isFinal = ended.manual || result.next !== 'RETRY'
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

function toNotice(
  { endpointId, orgId, channel, failingSince }: settlement.Standing,
  what: Notice['what'],
  ended: readonly Ended[],
  now: Date,
): Notice {
  const error = ended.findLast(({ result }) => result.isReceiverFault)?.result.error ?? null
  return { endpointId, orgId, channel, what, since: failingSince ?? now, error }
}

type Judged = { standing: settlement.Standing; what: Notice['what'] | undefined }

/** Folds what happened into the receiver, in the order it happened. */
function judge(
  before: settlement.Standing,
  ended: readonly Ended[],
  scheduleSeconds: readonly number[],
  now: Date,
): Judged {
  let standing = before
  for (const { result } of ended) {
    if (result.outcome === 'SUCCEEDED')
      standing = { ...standing, ...HEALTHY, lastSuccessAt: now, warnedAt: null }
    else if (result.isReceiverFault) {
      const health = afterFailure(standing, now, scheduleSeconds)
      standing = { ...standing, ...health, lastFailureAt: now }
    }
  }
  // Only one that is enabled is warned of or disabled: a test may be sent to any.
  if (standing.disabledReason !== null || !isGivenUp(standing.channel))
    return { standing, what: undefined }
  if (ended.some(({ result }) => result.next === 'GONE'))
    return { standing: { ...standing, disabledReason: 'GONE' }, what: 'GONE' }
  const fate = fateOf(standing, now)
  if (fate === 'DISABLE')
    return { standing: { ...standing, disabledReason: 'FAILING' }, what: 'DISABLED' }
  if (fate === 'WARN' && standing.warnedAt === null)
    return { standing: { ...standing, warnedAt: now }, what: 'WARNED' }
  return { standing, what: undefined }
}
