// Records finished attempts: close them, decide what happens to their deliveries and receivers, write both.
import { toEndpointSubject } from '../../domain/alerts/owners/failing-endpoint.ts'
import {
  type EndedAttempt,
  type FailureNotice,
  judgeReceiver,
  type ReceiverHealth,
  settleAttempt,
} from '../../domain/events/delivery-outcome.ts'
import { responseBytes } from '../../domain/values/day-quota.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import {
  findEndpointNames,
  recordFailingEndpoints,
} from '../../store/deliveries/failing-endpoints.ts'
import {
  endAttempts,
  lockReceivers,
  writeReceiverHealth,
} from '../../store/deliveries/settlement.ts'
import { findWithinDay } from '../within-day.ts'

export type SettleDeps = {
  database: Database
  scheduleSeconds: readonly number[]
  /** 0..1 */
  random(): number
}

export type SettleResult = {
  notices: FailureNotice[]
  /** The current health of receivers that still exist, locked until the commit. */
  receivers: ReceiverHealth[]
  /** Receivers locked by another process: their attempts are not recorded yet. */
  busy: ReadonlySet<string>
}

export async function settle(
  deps: SettleDeps,
  ended: readonly EndedAttempt[],
): Promise<SettleResult> {
  const kept = await withKeptResponses(deps.database, ended)
  return deps.database.transaction(undefined, (tx) => settleIn(tx, deps, kept))
}

// What was decided about an attempt: one whose receiver is busy comes again, and counts once.
const judged = new WeakMap<EndedAttempt, EndedAttempt>()

/** Without responses that the day of an organization has no room for. Status and error are recorded all the same. */
export async function withKeptResponses(
  database: Database,
  ended: readonly EndedAttempt[],
): Promise<EndedAttempt[]> {
  const sized = ended
    .filter((attempt) => !judged.has(attempt))
    .map((attempt) => {
      const { orgId, result } = attempt
      return { orgId, attempt, bytes: responseBytes(result.responseBody) }
    })
  const kept = await findWithinDay(database, 'RESPONSES', sized)
  for (const one of sized) {
    const { attempt } = one
    const blank = { ...attempt, result: { ...attempt.result, responseBody: null } }
    judged.set(attempt, kept.has(one) ? attempt : blank)
  }
  return ended.map((attempt) => judged.get(attempt) ?? attempt)
}

export async function settleIn(
  tx: Tx,
  { scheduleSeconds, random }: Omit<SettleDeps, 'database'>,
  all: readonly EndedAttempt[],
): Promise<SettleResult> {
  if (all.length === 0) return { notices: [], receivers: [], busy: new Set() }
  const endpointIds = [...new Set(all.map(({ endpointId }) => endpointId))]
  const { receivers, busy } = await lockReceivers(tx, endpointIds)
  const ended = all.filter(({ endpointId }) => !busy.has(endpointId))
  if (ended.length === 0) return { notices: [], receivers: [], busy }
  const known = await endAttempts(
    tx,
    ended.map((one) => settleAttempt(one, { scheduleSeconds, random: random(), now: tx.now })),
  )

  const counted = ended.filter(({ deliveryId }) => known.has(deliveryId))
  const own = Map.groupBy(counted, ({ endpointId }) => endpointId)
  const judged = receivers.map((receiver) =>
    judgeReceiver(receiver, own.get(receiver.endpointId) ?? [], scheduleSeconds, tx.now),
  )

  const changed = judged.filter(({ receiver: { endpointId } }) => own.has(endpointId))
  await writeReceiverHealth(
    tx,
    changed.map(({ receiver }) => receiver),
  )
  const notices = changed.flatMap(({ notice }) => notice ?? [])
  await alertAboutEndpoints(tx, notices)
  return { notices, receivers: judged.map(({ receiver }) => receiver), busy }
}

/** In the same transaction as the change it reports: never missing, never duplicated. */
async function alertAboutEndpoints(tx: Tx, notices: readonly FailureNotice[]): Promise<void> {
  const failing = notices.filter(({ channel }) => channel === 'WEBHOOK')
  if (failing.length === 0) return
  const endpoints = await findEndpointNames(
    tx,
    failing.map(({ endpointId }) => endpointId),
  )
  const conditions = failing.flatMap(({ endpointId, what, since, error }) => {
    const endpoint = endpoints.get(endpointId)
    if (endpoint === undefined) return []
    return { ...endpoint, since, about: toEndpointSubject({ ...endpoint, what, error }) }
  })
  await recordFailingEndpoints(tx, conditions)
}
