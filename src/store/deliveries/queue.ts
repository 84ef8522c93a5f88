// The delivery queue: where pending deliveries are stored, claiming due ones from locked receiver queues, and finding
// lost attempts. An attempt's primary key makes it impossible to claim a delivery twice.
import type { StartedAttempt } from '../../domain/events/delivery-outcome.ts'
import type { QueueShare } from '../../domain/events/delivery-share.ts'
import { type Db, type Statement, sql } from '../core/db.ts'
import type { TenantTx } from '../core/tenants.ts'

// A new daily partition has no statistics, and a plan that scans it in full would stay cached for hours. The queue must
// be read only through its indexes, in their order, and no further than needed.
const BY_INDEX = sql`
  select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
         set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true),
         set_config('enable_mergejoin', 'off', true), set_config('enable_nestloop', 'on', true),
         set_config('enable_hashagg', 'off', true),
         set_config('plan_cache_mode', 'force_generic_plan', true)`

/** Applies to the rest of the transaction. */
export async function readByIndex(tx: Db): Promise<void> {
  await tx.query(BY_INDEX)
}

/** The id range of pending deliveries, in whole days, so that other partitions are not even opened. */
export type Horizon = { from: string; to: string }

const KEPT_DAYS = 31
// A person may retry a month-old delivery, so every kept day is checked. The order matches the index of due deliveries,
// so that PostgreSQL reads that index and not all ids.
const HORIZON = sql`
  with days as materialized (
    select today, day, uuid_floor(day) as first, uuid_floor(day + interval '1 day') as beyond
      from (select date_trunc('day', now(), 'UTC') as today) clock,
           generate_series(today - make_interval(days => $1), today, interval '1 day') day
  )
  select uuid_floor(coalesce(min(day) filter (where busy.is_busy), max(today))) as from,
         uuid_floor(max(today) + interval '2 days') as to, coalesce(bool_or(busy.is_busy), false) as "isBusy"
    from days left join lateral (
      select true as is_busy from deliveries d
       where d.status = 'PENDING' and d.id >= days.first and d.id < days.beyond
       order by d.endpoint_id, d.next_attempt_at limit 1
    ) busy on true`

/** `isBusy`: something is pending. */
export async function findHorizon(tx: Db): Promise<Horizon & { isBusy: boolean }> {
  const [row] = await tx.query<Horizon & { isBusy: boolean }>(HORIZON, [KEPT_DAYS])
  if (row === undefined) throw new Error('The database did not tell where deliveries lie')
  return row
}

/** `$1` and `$2` are the bounds of the horizon. */
export const inHorizon = sql`d.status = 'PENDING' and d.id >= $1 and d.id < $2`

const COUNT_DUE = sql`
  select count(*)::integer as count
    from (select from deliveries d where d.next_attempt_at <= now() and ${inHorizon} limit $3) due`

/** Counts due deliveries, up to `most`. */
export async function countDue(db: Db, { from, to }: Horizon, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT_DUE, [from, to, most])
  return row?.count ?? 0
}

/** An attempt that has started. */
export type ClaimedAttempt = StartedAttempt & {
  eventId: string | null
  message: Buffer | null
  traceparent: string | null
}

// Starts now, not with its transaction, which may have begun before the attempt that freed its slot ended. Deliveries
// in flight are passed in, as looking up each one would open every daily partition.
const claimWhere = (condition: Statement) => sql`
  with lane as (
    select * from unnest($3::uuid[], $4::integer[]) as lane (endpoint_id, slots)
  ), taken as (
    select d.* from lane cross join lateral (
      select d.id, d.org_id, d.endpoint_id, d.event_id, d.attempt_count + 1 as number, d.manual, d.message,
             d.traceparent
        from deliveries d
       where d.endpoint_id = lane.endpoint_id and d.next_attempt_at <= now() and ${condition} and ${inHorizon}
         and d.id <> all ($6::uuid[])
       order by d.next_attempt_at limit lane.slots) d
  ), begun as (
    insert into attempts (delivery_id, number, id, org_id, trigger, started_at, endpoint_id, claimed_until)
    select id, number,
           overlay(gen_random_uuid()::text placing (select left(uuid_floor(now())::text, 13) || '-7') from 1)::uuid,
           org_id, case when manual then 'MANUAL' else 'AUTOMATIC' end, statement_timestamp(),
           endpoint_id, statement_timestamp() + make_interval(secs => $5)
      from taken
  )
  select id as "deliveryId", number, org_id as "orgId", endpoint_id as "endpointId", event_id as "eventId",
         message, manual, traceparent, statement_timestamp() as "startedAt"
    from taken`
const CLAIM = claimWhere(sql`true`)
const CLAIM_REQUESTED = claimWhere(sql`d.manual`)

/** Starts an attempt for each due delivery of the locked queues. An attempt is lost if not settled within `seconds`. */
export async function claimDue(
  tx: Db,
  horizon: Horizon,
  shares: readonly QueueShare[],
  seconds: number,
): Promise<ClaimedAttempt[]> {
  type Row = Omit<ClaimedAttempt, 'channel'>
  const take = async (
    statement: Statement,
    some: readonly QueueShare[],
  ): Promise<ClaimedAttempt[]> => {
    if (some.length === 0) return []
    const channels = new Map(some.map(({ endpointId, channel }) => [endpointId, channel]))
    const rows = await tx.query<Row>(statement, [
      horizon.from,
      horizon.to,
      some.map(({ endpointId }) => endpointId),
      some.map(({ slots }) => slots),
      seconds,
      some.flatMap(({ flying }) => flying),
    ])
    return rows.flatMap((row) => {
      const channel = channels.get(row.endpointId)
      return channel === undefined ? [] : { ...row, channel }
    })
  }
  const { asked = [], rest = [] } = Object.groupBy(shares, ({ askedForOnly }) =>
    askedForOnly ? 'asked' : 'rest',
  )
  return [...(await take(CLAIM, rest)), ...(await take(CLAIM_REQUESTED, asked))]
}

const CANCEL = sql`
  with ended as (
    update deliveries set status = 'FAILED', last_error = $4, next_attempt_at = null, completed_at = now()
     where id = any (array(
       select d.id from deliveries d
        where d.endpoint_id = $3 and ($4 = 'ENDPOINT_DELETED' or not d.manual) and ${inHorizon}
          and not exists (
            select from attempts a where a.delivery_id = d.id and a.number = d.attempt_count + 1)
        order by d.next_attempt_at limit $5))
       and id >= $1 and id < $2
    returning 1)
  select count(*) as count from ended`

/** Cancels a batch of deliveries that wait for a disabled or deleted receiver. */
export async function cancelPending(
  tx: Db,
  { from, to }: Horizon,
  { endpointId, reason }: { endpointId: string; reason: 'ENDPOINT_DISABLED' | 'ENDPOINT_DELETED' },
  most: number,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(CANCEL, [from, to, endpointId, reason, most])
  return row?.count ?? 0
}

const CANCEL_ALL = sql`
  update deliveries
     set status = 'FAILED', last_error = 'ENDPOINT_DELETED', next_attempt_at = null, completed_at = $3
   where org_id = $1 and endpoint_id = $2 and status = 'PENDING'`

/** Cancels everything that waits for a receiver. Call it when the receiver is deleted, with its row locked. */
export async function cancelAllPending(tx: TenantTx, receiverUuid: string): Promise<void> {
  await tx.query(CANCEL_ALL, [tx.orgId, receiverUuid, tx.now])
}

const FIND_LOST = sql`
  select a.delivery_id as "deliveryId", a.number, a.org_id as "orgId", a.endpoint_id as "endpointId", d.channel, d.manual,
         a.started_at as "startedAt"
    from attempts a join deliveries d on d.id = a.delivery_id
   where a.outcome is null and a.claimed_until < now()
     and a.delivery_id >= uuid_floor(now() - make_interval(days => $1))
   order by a.org_id, a.endpoint_id limit $2`

/** Attempts that were not settled in time because their process died, including those of deliveries canceled since. */
export async function findLostAttempts(tx: Db, most: number): Promise<StartedAttempt[]> {
  return tx.query<StartedAttempt>(FIND_LOST, [KEPT_DAYS, most])
}
