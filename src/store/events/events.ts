// The outbox: events and their deliveries, written in the transaction of the change they report.
import { type EventDraft, eventBody } from '../../domain/events/event.ts'
import { eventBytes } from '../../domain/values/day-quota.ts'
import { newUuidsByClock } from '../core/clock-uuids.ts'
import { bringing, type Db, sql } from '../core/db.ts'
import type { TenantTx } from '../core/tenants.ts'

// Locks the endpoints until the commit: a concurrent deletion waits, and then cancels these deliveries too.
const INSERT = bringing(
  'DELIVERIES',
  sql`
  with told as (
    insert into events (id, org_id, type, occurred_at, body)
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[])
    returning id, org_id, type
  ), queued as (
    insert into deliveries
      (id, org_id, endpoint_id, event_id, event_type, url, next_attempt_at, created_at, traceparent)
    select new_uuid(), told.org_id, e.id, told.id, told.type, e.url, now(), now(),
           ($6::text[])[array_position($1::uuid[], told.id)]
      from told
      join webhook_endpoints e
        on e.org_id = told.org_id and e.enabled and e.event_types && array['*', told.type]
       for key share of e
    returning org_id
  )
  select org_id as "orgId", count(*)::integer as deliveries from queued group by org_id`,
)

type EventRow = { id: string; orgId: string; draft: EventDraft; traceparent?: string }

/** Adds a delivery for each endpoint that subscribed to the event. Returns how many bytes are stored of each organization. */
export async function insertEvents(
  tx: Db,
  events: readonly EventRow[],
): Promise<Map<string, number>> {
  const bodies = events.map(({ id, orgId, draft }) => eventBody(draft, id, orgId))
  const queued = await tx.query<{ orgId: string; deliveries: number }>(INSERT, [
    events.map(({ id }) => id),
    events.map(({ orgId }) => orgId),
    events.map(({ draft }) => draft.type),
    events.map(({ draft }) => draft.at),
    bodies,
    events.map(({ traceparent }) => traceparent ?? null),
  ])
  const deliveries = new Map(queued.map((row) => [row.orgId, row.deliveries]))
  const bytes = new Map<string, number>()
  events.forEach(({ orgId }, index) => {
    const own = bytes.get(orgId) ?? eventBytes([], deliveries.get(orgId) ?? 0)
    bytes.set(orgId, own + eventBytes([bodies[index] ?? ''], 0))
  })
  return bytes
}

const INSERT_EVENT = sql`
  insert into events (id, org_id, type, occurred_at, body) values ($1, $2, $3, $4, $5)`
const INSERT_DELIVERY = bringing(
  'DELIVERIES',
  sql`
  insert into deliveries
    (id, org_id, endpoint_id, event_id, event_type, url, manual, next_attempt_at, created_at)
  select new_uuid(), $1, e.id, $3, $4, e.url, not e.enabled, $5, $5
    from webhook_endpoints e where e.org_id = $1 and e.id = $2
  returning id`,
)

/**
 * Publishes to one endpoint only, regardless of its subscriptions. A disabled endpoint gets a single attempt, like a
 * manual retry. Returns the delivery's id.
 */
export async function publishToEndpoint(
  tx: TenantTx,
  endpointUuid: string,
  draft: EventDraft,
): Promise<string> {
  const [id = ''] = await newUuidsByClock(tx, 1)
  await tx.query(INSERT_EVENT, [id, tx.orgId, draft.type, draft.at, eventBody(draft, id, tx.orgId)])
  const values = [tx.orgId, endpointUuid, id, draft.type, tx.now]
  const [row] = await tx.query<{ id: string }>(INSERT_DELIVERY, values)
  if (row === undefined) throw new Error('The delivery was not queued')
  return row.id
}

const FIND_BODIES = sql`
  select id, body from events where id = any ($1::uuid[]) and id between $2 and $3`

/** For the dispatcher: bodies as serialized, by event id, of any organization. */
export async function findBodies(
  db: Db,
  eventUuids: readonly string[],
): Promise<Map<string, string>> {
  const ids = [...new Set(eventUuids)].toSorted()
  type Row = { id: string; body: string }
  const rows = await db.query<Row>(FIND_BODIES, [ids, ids[0], ids.at(-1)])
  return new Map(rows.map(({ id, body }) => [id, body]))
}
