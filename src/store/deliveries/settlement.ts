// Settles attempts: writes the attempts, their deliveries and their receivers in batches, in one transaction.
import type { ReceiverHealth, SettledAttempt } from '../../domain/events/delivery-outcome.ts'
import { type Db, sql } from '../core/db.ts'

const LOCK = sql`
  select id as "endpointId", org_id as "orgId", channel, disabled_reason as "disabledReason", last_success_at as "lastSuccessAt",
         last_failure_at as "lastFailureAt", warned_at as "warnedAt",
         failures_in_a_row as "failuresInARow", failing_since as "failingSince",
         next_probe_at as "nextProbeAt", probe_seconds as "probeSeconds"
    from receivers where id = any ($1::uuid[]) order by id for no key update skip locked`
const FIND = sql`select id from receivers where id = any ($1::uuid[])`

/** `busy`: locked by another transaction. Receivers in neither were deleted. */
type LockedReceivers = { receivers: ReceiverHealth[]; busy: Set<string> }

/** Holds the locks until the transaction ends. Never waits: one busy receiver must not delay the others. */
export async function lockReceivers(
  tx: Db,
  endpointIds: readonly string[],
): Promise<LockedReceivers> {
  const receivers = await tx.query<ReceiverHealth>(LOCK, [endpointIds])
  const held = new Set(receivers.map(({ endpointId }) => endpointId))
  const missing = endpointIds.filter((id) => !held.has(id))
  if (missing.length === 0) return { receivers, busy: new Set() }
  const rows = await tx.query<{ id: string }>(FIND, [missing])
  return { receivers, busy: new Set(rows.map(({ id }) => id)) }
}

// Finds the rows of a batch by key and joins them in one pass. By default, the planner would scan everything between
// the first and the last, once per row.
const BY_KEY = sql`
  select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
         set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true),
         set_config('enable_hashjoin', 'on', true), set_config('plan_cache_mode', 'force_generic_plan', true)`

// The id range prunes partitions. Not "outcome is null": that would search the index of everything in flight. A
// delivery canceled during its attempt stays canceled but still shows the attempt.
const END = sql`
  with ended as (
    update attempts a
       set outcome = u.outcome, duration_ms = u.duration_ms, response_status = u.response_status,
           response_body = u.response_body, error_code = u.error_code, error = u.error
      from unnest($3::uuid[], $4::smallint[], $5::text[], $6::integer[], $7::smallint[], $8::text[],
                  $9::text[], $10::text[])
        as u (id, number, outcome, duration_ms, response_status, response_body, error_code, error)
     where a.delivery_id = u.id and a.number = u.number and coalesce(a.outcome, '') = ''
       and a.delivery_id = any ($3) and a.delivery_id between $1 and $2
    returning a.delivery_id
  )
  update deliveries d
     set attempt_count = u.number, last_attempt_at = u.started_at, url = coalesce(u.url, d.url),
         last_response_status = u.response_status,
         last_error = case d.status when 'PENDING' then u.error_code else d.last_error end,
         next_attempt_at = case d.status when 'PENDING' then u.next_attempt_at end,
         completed_at = case d.status when 'PENDING' then u.completed_at else d.completed_at end,
         status = case d.status when 'PENDING' then u.status else d.status end
    from unnest($3::uuid[], $4::smallint[], $7::smallint[], $9::text[], $11::timestamptz[], $12::text[],
                $13::text[], $14::timestamptz[], $15::timestamptz[])
      as u (id, number, response_status, error_code, started_at, url, status, next_attempt_at, completed_at)
    join ended on ended.delivery_id = u.id
   where d.id = u.id and d.id = any ($3) and d.id between $1 and $2
  returning d.id as "deliveryId"`

/** Returns the deliveries whose attempt was ended here. Attempts already settled as lost are left out. */
export async function endAttempts(tx: Db, ended: readonly SettledAttempt[]): Promise<Set<string>> {
  const ids = ended.map(({ deliveryId }) => deliveryId)
  const sorted = ids.toSorted()
  await tx.query(BY_KEY)
  const rows = await tx.query<{ deliveryId: string }>(END, [
    sorted[0],
    sorted.at(-1),
    ids,
    ended.map(({ number }) => number),
    ended.map(({ outcome }) => outcome),
    ended.map(({ durationMs }) => durationMs),
    ended.map(({ responseStatus }) => responseStatus),
    ended.map(({ responseBody }) => responseBody),
    ended.map(({ errorCode }) => errorCode),
    ended.map(({ error }) => error),
    ended.map(({ startedAt }) => startedAt),
    ended.map(({ url }) => url),
    ended.map(({ status }) => status),
    ended.map(({ nextAttemptAt }) => nextAttemptAt),
    ended.map(({ completedAt }) => completedAt),
  ])
  return new Set(rows.map(({ deliveryId }) => deliveryId))
}

const WRITE_HEALTH = sql`
  update receivers e
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
   where e.id = u.id and e.id = any ($1)`

/** Call it while holding their locks, after settling their attempts. */
export async function writeReceiverHealth(
  tx: Db,
  receivers: readonly ReceiverHealth[],
): Promise<void> {
  if (receivers.length === 0) return
  await tx.query(WRITE_HEALTH, [
    receivers.map(({ endpointId }) => endpointId),
    receivers.map(({ lastSuccessAt }) => lastSuccessAt),
    receivers.map(({ lastFailureAt }) => lastFailureAt),
    receivers.map(({ failuresInARow }) => failuresInARow),
    receivers.map(({ failingSince }) => failingSince),
    receivers.map(({ nextProbeAt }) => nextProbeAt),
    receivers.map(({ probeSeconds }) => probeSeconds),
    receivers.map(({ warnedAt }) => warnedAt),
    receivers.map(({ disabledReason }) => disabledReason),
  ])
}
