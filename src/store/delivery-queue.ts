// Deliveries as a queue: which endpoints have something due, what is in flight, and taking what is due.
// An endpoint is a lane. Claiming and settling hold the lane's row, so that counting and taking is exact
// however many dispatchers there are; an attempt's primary key makes taking one delivery twice impossible.
import type { EndpointHealth } from '../domain/retry-schedule.ts'
import type { DisabledReason } from '../domain/webhook.ts'
import { type Db, sql } from './db.ts'

// A partition born this morning has no statistics, and a plan that reads it whole would stay for hours.
// The queue is only ever read through its indexes, in their order and no further than needed.
const BY_INDEX = sql`
  select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
         set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true),
         set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true),
         set_config('plan_cache_mode', 'force_generic_plan', true)`

/** For the rest of the transaction. */
export async function readByIndex(tx: Db): Promise<void> {
  await tx.query(BY_INDEX)
}

/** Where pending deliveries can lie: days as ids, so that other partitions are not even opened. */
export type Horizon = { from: string; to: string }

const KEPT_DAYS = 31
// A delivery of a month ago may be asked for again, so every day that is kept is looked at.
// Sorted as the index of what is due, so that it is read and not the ids of everything that ever was.
const HORIZON = sql`
  with days as materialized (
    select today, day, uuid_floor(day) as first, uuid_floor(day + interval '1 day') as beyond
      from (select date_trunc('day', now(), 'UTC') as today) clock,
           generate_series(today - make_interval(days => $1), today, interval '1 day') day
  )
  select uuid_floor(coalesce(min(day) filter (where busy.is_busy), max(today))) as from,
         uuid_floor(max(today) + interval '2 days') as to
    from days left join lateral (
      select true as is_busy from deliveries d
       where d.status = 'PENDING' and d.id >= days.first and d.id < days.beyond
       order by d.endpoint_id, d.next_attempt_at limit 1
    ) busy on true`

export async function findHorizon(tx: Db): Promise<Horizon> {
  const [row] = await tx.query<Horizon>(HORIZON, [KEPT_DAYS])
  if (row === undefined) throw new Error('The database did not tell where deliveries lie')
  return row
}

/** An endpoint with pending deliveries. All but the id is null when the endpoint is gone. */
export type Lane = {
  endpointId: string
  orgId: string | null
  url: string | null
  disabledReason: DisabledReason | null
  health: EndpointHealth
  warnedAt: Date | null
  /** When its oldest pending delivery was or will be due. */
  dueAt: Date
  /** One that a person asked for is due. */
  isAskedFor: boolean
  endpointInFlight: number
  orgInFlight: number
}

type LaneRow = Omit<Lane, 'health'> & EndpointHealth & { no: number }

const inHorizon = sql`d.status = 'PENDING' and d.id >= $1 and d.id < $2`
const facts = sql`
  e.org_id as "orgId", e.url, e.disabled_reason as "disabledReason", e.warned_at as "warnedAt",
  coalesce(e.failures_in_a_row, 0) as "failuresInARow", e.failing_since as "failingSince",
  e.next_probe_at as "nextProbeAt", e.probe_seconds as "probeSeconds"`
const inFlight = sql`
  flying as materialized (
    select org_id, endpoint_id, count(*) as attempts from attempts
     where outcome is null and delivery_id >= $1 and delivery_id < $2
     group by org_id, endpoint_id
  )`
const counts = sql`
  coalesce((select attempts from flying f where f.endpoint_id = e.id), 0) as "endpointInFlight",
  coalesce((select sum(attempts)::integer from flying f where f.org_id = e.org_id), 0) as "orgInFlight"`
const askedFor = sql`
  exists (select from deliveries d
           where d.endpoint_id = lane.endpoint_id and d.manual and d.next_attempt_at <= now()
             and ${inHorizon}) as "isAskedFor"`

// Jumps from endpoint to endpoint through the index: 100,000 deliveries of one cost as much as one.
const LANES = sql`
  with recursive walk as (
    (select d.endpoint_id, d.next_attempt_at, 1 as no from deliveries d
      where ${inHorizon} and d.endpoint_id > $3
      order by d.endpoint_id, d.next_attempt_at limit 1)
    union all
    select next.endpoint_id, next.next_attempt_at, walk.no + 1
      from walk cross join lateral (
        select d.endpoint_id, d.next_attempt_at from deliveries d
         where ${inHorizon} and d.endpoint_id > walk.endpoint_id
         order by d.endpoint_id, d.next_attempt_at limit 1) next
     where walk.no < $4
  ), ${inFlight}
  select lane.no, lane.endpoint_id as "endpointId", lane.next_attempt_at as "dueAt",
         ${askedFor}, ${facts}, ${counts}
    from walk lane left join webhook_endpoints e on e.id = lane.endpoint_id
   where lane.next_attempt_at <= now() or e.id is null or e.disabled_reason in ('FAILING', 'GONE')
      or lane.no = $4
   order by lane.no`

/** `next`: where the following walk begins; undefined when this one came to the end. */
export type Walk = { lanes: Lane[]; next: string | undefined }

/** Looks at the next `most` endpoints after one of them; returns those for which something is to be done. */
export async function findLanes(
  tx: Db,
  { from, to }: Horizon,
  after: string,
  most: number,
): Promise<Walk> {
  const rows = await tx.query<LaneRow>(LANES, [from, to, after, most])
  const last = rows.at(-1)
  return { lanes: rows.map(toLane), next: last?.no === most ? last.endpointId : undefined }
}

const LOCK_ORGANIZATIONS = sql`
  select id from organizations where id = any ($1::uuid[]) order by id for no key update skip locked`
const LOCK_ENDPOINTS = sql`
  select id from webhook_endpoints
   where id = any ($1::uuid[]) and org_id = any ($2::uuid[]) order by id
   for no key update skip locked`
const LOCKED_LANES = sql`
  with ${inFlight}
  select lane.endpoint_id as "endpointId", now() as "dueAt", ${askedFor}, ${facts}, ${counts}
    from unnest($3::uuid[]) lane (endpoint_id)
    join webhook_endpoints e on e.id = lane.endpoint_id`

/**
 * Holds lanes and their organizations until the transaction ends, and reads them anew. Those that another
 * dispatcher holds are left out; their turn comes with the next claim.
 */
export async function lockLanes(
  tx: Db,
  { from, to }: Horizon,
  lanes: readonly Lane[],
): Promise<Lane[]> {
  const orgIds = [...new Set(lanes.map(({ orgId }) => orgId))]
  const organizations = await tx.query<{ id: string }>(LOCK_ORGANIZATIONS, [orgIds])
  const wanted = lanes.map(({ endpointId }) => endpointId)
  const held = await tx.query<{ id: string }>(LOCK_ENDPOINTS, [wanted, ids(organizations)])
  // A statement of its own: only a snapshot taken after the locks sees what others had committed.
  const rows = await tx.query<LaneRow>(LOCKED_LANES, [from, to, ids(held)])
  return rows.map(toLane)
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

function toLane({
  failuresInARow,
  failingSince,
  nextProbeAt,
  probeSeconds,
  ...row
}: LaneRow): Lane {
  return { ...row, health: { failuresInARow, failingSince, nextProbeAt, probeSeconds } }
}

/** How many a lane may take now; `askedForOnly`: nothing that was not asked for by a person. */
export type Share = { endpointId: string; url: string; slots: number; askedForOnly: boolean }

/** One attempt that has begun. */
export type Claimed = {
  deliveryId: string
  number: number
  orgId: string
  endpointId: string
  eventId: string
  url: string
  body: string
  manual: boolean
  startedAt: Date
  /** More were due in its lane than it could take. */
  laneHasMore: boolean
}

const takable = sql`
  d.endpoint_id = lane.endpoint_id and d.next_attempt_at <= now() and ${inHorizon}
  and not exists (select from attempts a where a.delivery_id = d.id and a.number = d.attempt_count + 1)`
const TAKE = sql`
  with lane as (
    select * from unnest($3::uuid[], $4::integer[], $5::boolean[]) as lane (endpoint_id, slots, asked_for_only)
  ), taken as (
    select d.* from lane cross join lateral (
      select d.id, d.org_id, d.endpoint_id, d.event_id, d.attempt_count + 1 as number, d.manual
        from deliveries d where not lane.asked_for_only and ${takable}
       order by d.next_attempt_at limit lane.slots) d
    union all
    select d.* from lane cross join lateral (
      select d.id, d.org_id, d.endpoint_id, d.event_id, d.attempt_count + 1 as number, d.manual
        from deliveries d where lane.asked_for_only and d.manual and ${takable}
       order by d.next_attempt_at limit lane.slots) d
  ), begun as (
    insert into attempts (delivery_id, number, id, org_id, trigger, started_at, endpoint_id, claimed_until)
    select id, number, (left(uuid_floor(now())::text, 13) || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
           org_id, case when manual then 'MANUAL' else 'AUTOMATIC' end, now(),
           endpoint_id, now() + make_interval(secs => $6)
      from taken
  )
  select t.id as "deliveryId", t.number, t.org_id as "orgId", t.endpoint_id as "endpointId",
         t.event_id as "eventId", v.body, t.manual, now() as "startedAt"
    from taken t join events v on v.id = t.event_id`

/** Begins an attempt for what is due in lanes that are held. It is lost when not settled within `seconds`. */
export async function takeDue(
  tx: Db,
  { from, to }: Horizon,
  shares: readonly Share[],
  seconds: number,
): Promise<Claimed[]> {
  const rows = await tx.query<Omit<Claimed, 'url' | 'laneHasMore'>>(TAKE, [
    from,
    to,
    shares.map(({ endpointId }) => endpointId),
    shares.map(({ slots }) => slots),
    shares.map(({ askedForOnly }) => askedForOnly),
    seconds,
  ])
  const taken = Map.groupBy(rows, ({ endpointId }) => endpointId)
  return shares.flatMap(({ endpointId, url, slots }) => {
    const own = taken.get(endpointId) ?? []
    return own.map((row) => ({ ...row, url, laneHasMore: own.length === slots }))
  })
}

const END = sql`
  with ended as (
    update deliveries set status = 'FAILED', last_error = $4, next_attempt_at = null, completed_at = now()
     where id = any (array(
       select d.id from deliveries d
        where d.endpoint_id = $3 and ($4 = 'ENDPOINT_DELETED' or not d.manual) and ${inHorizon}
          and not exists (
            select from attempts a where a.delivery_id = d.id and a.number = d.attempt_count + 1)
        limit $5))
       and id >= $1 and id < $2
    returning 1)
  select count(*) as count from ended`

/** Ends what waits for an endpoint that was given up or is gone; a batch at a time. */
export async function endWaiting(
  tx: Db,
  { from, to }: Horizon,
  { endpointId, reason }: { endpointId: string; reason: 'ENDPOINT_DISABLED' | 'ENDPOINT_DELETED' },
  most: number,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(END, [from, to, endpointId, reason, most])
  return row?.count ?? 0
}

export type Lost = Pick<Claimed, 'deliveryId' | 'number' | 'endpointId' | 'manual' | 'startedAt'>

const LOST = sql`
  select a.delivery_id as "deliveryId", a.number, a.endpoint_id as "endpointId", d.manual,
         a.started_at as "startedAt"
    from attempts a join deliveries d on d.id = a.delivery_id
   where a.outcome is null and a.claimed_until < now()
     and a.delivery_id >= uuid_floor(now() - make_interval(days => $1))
   limit $2`

/** Attempts that nobody settled in time: their process is gone. Also of deliveries cancelled since. */
export async function findLost(tx: Db, most: number): Promise<Lost[]> {
  return tx.query<Lost>(LOST, [KEPT_DAYS, most])
}
