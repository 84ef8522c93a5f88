// How attempts end: the attempt, its delivery and its endpoint, written in batches in one transaction.
import type { AttemptErrorCode, DeliveryStatus } from '../domain/delivery.ts'
import type { EndpointHealth } from '../domain/retry-schedule.ts'
import type { DisabledReason } from '../domain/webhook.ts'
import { type Db, sql } from './db.ts'

export type Standing = EndpointHealth & {
  endpointId: string
  disabledReason: DisabledReason | null
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  warnedAt: Date | null
}

const LOCK = sql`
  select id as "endpointId", disabled_reason as "disabledReason", last_success_at as "lastSuccessAt",
         last_failure_at as "lastFailureAt", warned_at as "warnedAt",
         failures_in_a_row as "failuresInARow", failing_since as "failingSince",
         next_probe_at as "nextProbeAt", probe_seconds as "probeSeconds"
    from webhook_endpoints where id = any ($1::uuid[]) order by id for no key update`

/** Those that still exist, held until the transaction ends. */
export async function lockStandings(tx: Db, endpointIds: readonly string[]): Promise<Standing[]> {
  return tx.query<Standing>(LOCK, [endpointIds])
}

export type EndedAttempt = {
  deliveryId: string
  number: number
  durationMs: number
  outcome: 'SUCCEEDED' | 'FAILED'
  responseStatus: number | null
  responseBody: string | null
  errorCode: AttemptErrorCode | null
  error: string | null
}

// The first and the last id of the batch, so that only their partitions are opened.
const inBatch = sql`between $1 and $2`
// Not "outcome is null": each row is to be found by its key, and not among all that are in flight.
const END_ATTEMPTS = sql`
  update attempts a
     set outcome = u.outcome, duration_ms = u.duration_ms, response_status = u.response_status,
         response_body = u.response_body, error_code = u.error_code, error = u.error
    from unnest($3::uuid[], $4::smallint[], $5::text[], $6::integer[], $7::smallint[], $8::text[],
                $9::text[], $10::text[])
      as u (delivery_id, number, outcome, duration_ms, response_status, response_body, error_code, error)
   where a.delivery_id = u.delivery_id and a.number = u.number and coalesce(a.outcome, '') = ''
     and a.delivery_id ${inBatch}
  returning a.delivery_id as "deliveryId"`

/** Returns the deliveries whose attempt this was; one that was given up for lost has ended before. */
export async function endAttempts(tx: Db, ended: readonly EndedAttempt[]): Promise<Set<string>> {
  const rows = await tx.query<{ deliveryId: string }>(END_ATTEMPTS, [
    ...rangeOf(ended),
    ended.map(({ deliveryId }) => deliveryId),
    ended.map(({ number }) => number),
    ended.map(({ outcome }) => outcome),
    ended.map(({ durationMs }) => durationMs),
    ended.map(({ responseStatus }) => responseStatus),
    ended.map(({ responseBody }) => responseBody),
    ended.map(({ errorCode }) => errorCode),
    ended.map(({ error }) => error),
  ])
  return new Set(rows.map(({ deliveryId }) => deliveryId))
}

export type DeliveryStep = {
  deliveryId: string
  number: number
  startedAt: Date
  /** Where it was sent; null when that is not known any more. */
  url: string | null
  responseStatus: number | null
  errorCode: string | null
  status: DeliveryStatus
  nextAttemptAt: Date | null
  completedAt: Date | null
}

// One that was cancelled while its attempt ran stays cancelled, and shows the attempt all the same.
const STEP_DELIVERIES = sql`
  update deliveries d
     set attempt_count = u.number, last_attempt_at = u.started_at, url = coalesce(u.url, d.url),
         last_response_status = u.response_status,
         last_error = case d.status when 'PENDING' then u.error_code else d.last_error end,
         next_attempt_at = case d.status when 'PENDING' then u.next_attempt_at end,
         completed_at = case d.status when 'PENDING' then u.completed_at else d.completed_at end,
         status = case d.status when 'PENDING' then u.status else d.status end
    from unnest($3::uuid[], $4::smallint[], $5::timestamptz[], $6::text[], $7::smallint[], $8::text[],
                $9::text[], $10::timestamptz[], $11::timestamptz[])
      as u (id, number, started_at, url, response_status, error_code, status, next_attempt_at, completed_at)
   where d.id = u.id and d.id ${inBatch}`

export async function stepDeliveries(tx: Db, steps: readonly DeliveryStep[]): Promise<void> {
  await tx.query(STEP_DELIVERIES, [
    ...rangeOf(steps),
    steps.map(({ deliveryId }) => deliveryId),
    steps.map(({ number }) => number),
    steps.map(({ startedAt }) => startedAt),
    steps.map(({ url }) => url),
    steps.map(({ responseStatus }) => responseStatus),
    steps.map(({ errorCode }) => errorCode),
    steps.map(({ status }) => status),
    steps.map(({ nextAttemptAt }) => nextAttemptAt),
    steps.map(({ completedAt }) => completedAt),
  ])
}

const WRITE_STANDINGS = sql`
  update webhook_endpoints e
     set last_success_at = u.last_success_at, last_failure_at = u.last_failure_at,
         failures_in_a_row = u.failures, failing_since = u.failing_since, next_probe_at = u.next_probe_at,
         probe_seconds = u.probe_seconds, warned_at = u.warned_at,
         enabled = u.disabled_reason is null, disabled_reason = u.disabled_reason,
         updated_at = case when e.disabled_reason is distinct from u.disabled_reason
                           then now() else e.updated_at end
    from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::integer[], $5::timestamptz[],
                $6::timestamptz[], $7::double precision[], $8::timestamptz[], $9::text[])
      as u (id, last_success_at, last_failure_at, failures, failing_since, next_probe_at, probe_seconds,
            warned_at, disabled_reason)
   where e.id = u.id`

/** Called under their locks. */
export async function writeStandings(tx: Db, standings: readonly Standing[]): Promise<void> {
  if (standings.length === 0) return
  await tx.query(WRITE_STANDINGS, [
    standings.map(({ endpointId }) => endpointId),
    standings.map(({ lastSuccessAt }) => lastSuccessAt),
    standings.map(({ lastFailureAt }) => lastFailureAt),
    standings.map(({ failuresInARow }) => failuresInARow),
    standings.map(({ failingSince }) => failingSince),
    standings.map(({ nextProbeAt }) => nextProbeAt),
    standings.map(({ probeSeconds }) => probeSeconds),
    standings.map(({ warnedAt }) => warnedAt),
    standings.map(({ disabledReason }) => disabledReason),
  ])
}

function rangeOf(
  batch: readonly { deliveryId: string }[],
): [string | undefined, string | undefined] {
  const ids = batch.map(({ deliveryId }) => deliveryId).toSorted()
  return [ids[0], ids.at(-1)]
}
