// One queue per receiver, for every channel: which have due deliveries, and what is in flight. Claiming and settling
// lock the receiver's row, so that counts are exact with any number of dispatchers.
import type { ReceiverKey, ReceiverQueue } from '../../domain/events/delivery-share.ts'
import type { EndpointHealth } from '../../domain/events/retry-schedule.ts'
import { type Db, sql } from '../core/db.ts'
import { type Horizon, inHorizon } from './queue.ts'

/** Where a walk over all receivers starts. */
export const FIRST_ENDPOINT = '00000000-0000-0000-0000-000000000000'

type QueueRow = Omit<ReceiverQueue, 'health'> & EndpointHealth & { no: number }

// Email about an account or the deletion itself is still sent.
const receiverColumns = sql`
  e.org_id as "orgId", e.channel, e.disabled_reason as "disabledReason", e.warned_at as "warnedAt",
  coalesce(e.failures_in_a_row, 0) as "failuresInARow", e.failing_since as "failingSince",
  e.next_probe_at as "nextProbeAt", e.probe_seconds as "probeSeconds",
  coalesce((select o.deleted_at is not null and e.channel <> 'EMAIL' from organizations o where o.id = e.org_id),
           false) as "isSuspended"`
const inFlight = sql`
  flying as materialized (
    select org_id, endpoint_id, count(*) as attempts from attempts
     where outcome is null and delivery_id >= $1 and delivery_id < $2
     group by org_id, endpoint_id
  )`
const counts = sql`
  coalesce((select attempts from flying f where f.endpoint_id = e.id), 0) as "endpointInFlight",
  coalesce((select sum(attempts)::integer from flying f where f.org_id = e.org_id), 0) as "orgInFlight"`
// Ordered like everything here: otherwise a partition without statistics would be scanned in full.
const isRequested = sql`
  coalesce((select true from deliveries d
             where d.endpoint_id = lane.endpoint_id and d.manual and d.next_attempt_at <= now() and ${inHorizon}
             order by d.next_attempt_at limit 1), false) as "isAskedFor"`

// Skips from receiver to receiver through the index: 100,000 deliveries of one cost as much as a single one.
const FIND_QUEUES = sql`
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
         ${isRequested}, ${receiverColumns}, ${counts}
    from walk lane left join receivers e on e.id = lane.endpoint_id
   where lane.next_attempt_at <= now() or e.id is null or e.disabled_reason in ('FAILING', 'GONE')
      or lane.no = $4
   order by lane.no`

/** `next`: where the next walk starts. Undefined if this one reached the end. */
type QueueWalk = { queues: ReceiverQueue[]; next: string | undefined }

/** Walks the next `most` receivers after `after`. Returns those that need work. */
export async function findQueues(
  tx: Db,
  { from, to }: Horizon,
  after: string,
  most: number,
): Promise<QueueWalk> {
  const rows = await tx.query<QueueRow>(FIND_QUEUES, [from, to, after, most])
  const last = rows.at(-1)
  return { queues: rows.map(toQueue), next: last?.no === most ? last.endpointId : undefined }
}

const LOCK_ORGANIZATIONS = sql`
  select id, deleted_at is not null as "isDeleted" from organizations
   where id = any ($1::uuid[]) order by id for no key update skip locked`
const LOCK_RECEIVERS = sql`
  select id from receivers
   where id = any ($1::uuid[]) and org_id = any ($2::uuid[]) order by id
   for no key update skip locked`
const LOCKED_QUEUES = sql`
  select lane.endpoint_id as "endpointId", now() as "dueAt", ${isRequested}, ${receiverColumns}
    from unnest($3::uuid[]) lane (endpoint_id)
    join receivers e on e.id = lane.endpoint_id`
const IN_FLIGHT = sql`
  select org_id as "orgId", endpoint_id as "endpointId", delivery_id as "deliveryId" from attempts
   where outcome is null and org_id = any ($3::uuid[]) and delivery_id >= $1 and delivery_id < $2
   order by org_id, endpoint_id`

type Uncounted = Omit<ReceiverQueue, 'endpointInFlight' | 'orgInFlight' | 'flying'>

/**
 * Locks queues and their organizations until the transaction ends, and reads them again. Skips those that another
 * dispatcher holds; the next claim gets them.
 */
export async function lockQueues(
  tx: Db,
  horizon: Horizon,
  queues: readonly ReceiverKey[],
): Promise<ReceiverQueue[]> {
  const orgIds = [...(await lockOrganizations(tx, queues)).keys()]
  const wanted = queues.map(({ endpointId }) => endpointId)
  const held = await tx.query<{ id: string }>(LOCK_RECEIVERS, [wanted, orgIds])
  // A separate statement: only a snapshot taken after the locks sees what others committed.
  const { from, to } = horizon
  const rows = await tx.query<QueueRow>(LOCKED_QUEUES, [from, to, held.map(({ id }) => id)])
  return countInFlight(tx, horizon, rows.map(toQueue))
}

/** Locks the organizations of receivers that are already locked. Skips those that are busy or deleted. */
export async function lockOrganizationsOf(
  tx: Db,
  horizon: Horizon,
  queues: readonly Uncounted[],
): Promise<ReceiverQueue[]> {
  const isDeleted = await lockOrganizations(tx, queues)
  const open = queues.filter(({ orgId, channel }) => {
    const ofOrganization = isDeleted.get(orgId ?? '')
    return ofOrganization === false || (ofOrganization === true && channel === 'EMAIL')
  })
  return countInFlight(tx, horizon, open)
}

/** Whether each of those that could be locked is deleted. */
async function lockOrganizations(
  tx: Db,
  queues: readonly ReceiverKey[],
): Promise<Map<string, boolean>> {
  const orgIds = [...new Set(queues.map(({ orgId }) => orgId))]
  const rows = await tx.query<{ id: string; isDeleted: boolean }>(LOCK_ORGANIZATIONS, [orgIds])
  return new Map(rows.map(({ id, isDeleted }) => [id, isDeleted]))
}

async function countInFlight(
  tx: Db,
  { from, to }: Horizon,
  queues: readonly Uncounted[],
): Promise<ReceiverQueue[]> {
  type Flight = { orgId: string; endpointId: string; deliveryId: string }
  const orgIds = [...new Set(queues.map(({ orgId }) => orgId))]
  if (orgIds.length === 0) return []
  const flights = await tx.query<Flight>(IN_FLIGHT, [from, to, orgIds])
  const ofReceiver = Map.groupBy(flights, ({ endpointId }) => endpointId)
  const ofOrganization = Map.groupBy(flights, ({ orgId }) => orgId)
  return queues.map((queue) => {
    const flying = (ofReceiver.get(queue.endpointId) ?? []).map(({ deliveryId }) => deliveryId)
    const orgInFlight = ofOrganization.get(queue.orgId ?? '')?.length ?? 0
    return { ...queue, flying, endpointInFlight: flying.length, orgInFlight }
  })
}

function toQueue<Row extends EndpointHealth>(row: Row) {
  const { failuresInARow, failingSince, nextProbeAt, probeSeconds, ...rest } = row
  return { ...rest, health: { failuresInARow, failingSince, nextProbeAt, probeSeconds } }
}
