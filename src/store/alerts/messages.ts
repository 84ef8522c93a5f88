// Messages sent to contacts, their outcome, and the timeline entries that result.
import type { Alert, AlertKind } from '../../domain/alerts/alert.ts'
import type { DeliveryStatus } from '../../domain/events/delivery.ts'
import { type Db, sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'

const RECORD = sql`
  insert into alert_messages (delivery_id, org_id, contact_id, kind, thread, title, incident_ids)
  values ($1, $2, $3, $4, $5, $6, $7::uuid[])`

type NewMessage = {
  deliveryUuid: string
  contactUuid: string
  thread: string
  alert: Alert
  incidentUuids: readonly string[]
}

/** Call it in the transaction that queues its delivery. */
export async function recordMessage(tx: Db, orgId: string, message: NewMessage): Promise<void> {
  const { deliveryUuid, contactUuid, thread, alert, incidentUuids } = message
  const values = [deliveryUuid, orgId, contactUuid, alert.kind, thread, alert.title, incidentUuids]
  await tx.query(RECORD, values)
}

// The readable error of the last attempt or, if there was none, the reason why.
const lastError = sql`
  coalesce((select t.error from attempts t where t.delivery_id = d.id and t.number = d.attempt_count),
           d.last_error, 'unknown')`

// Each message is settled once, as soon as its outcome is known.
const SETTLE = sql`
  with settled as (
    select a.delivery_id, a.org_id, a.contact_id, a.kind, a.title, a.incident_ids, d.status, d.completed_at,
           case d.status when 'FAILED' then ${lastError} end as error
      from alert_messages a join deliveries d on d.id = a.delivery_id
     where a.settled_at is null and d.status = $2 and ($3::uuid[] is null or a.contact_id = any ($3))
     order by a.delivery_id limit $1 for update of a skip locked
  ), marked as (
    update alert_messages a set settled_at = now() from settled where a.delivery_id = settled.delivery_id
  ), lines as (
    insert into incident_timeline (id, org_id, incident_id, type, at, message)
    select new_uuid(), i.org_id, i.id,
           case s.status when 'SUCCEEDED' then 'ALERT_SENT' else 'ALERT_FAILED' end, s.completed_at,
           case s.status when 'SUCCEEDED' then format('%s was told: %s', c.name, s.title)
                else format('%s could not be told (%s): %s', c.name, s.error, s.title) end
      from settled s
      join alert_contacts c on c.org_id = s.org_id and c.id = s.contact_id
      join incidents i on i.org_id = s.org_id and i.id = any (s.incident_ids)
  )
  select contact_id as "contactUuid", kind, title, error from settled order by delivery_id`

/** Settles up to `most` delivered messages. Returns how many. */
export async function settleSent(db: Db, most: number): Promise<number> {
  return (await db.query(SETTLE, [most, 'SUCCEEDED', null])).length
}

export type FailedMessage = { contactUuid: string; kind: AlertKind; title: string; error: string }

/** Settles up to `most` undelivered messages to these contacts, oldest first. */
export async function settleFailed(
  tx: Db,
  contactUuids: readonly string[],
  most: number,
): Promise<FailedMessage[]> {
  return tx.query<FailedMessage>(SETTLE, [most, 'FAILED', contactUuids])
}

const LAST = sql`
  select a.delivery_id as uuid, a.kind, a.title, d.status, d.attempt_count as "attemptCount",
         d.last_response_status as "lastResponseStatus", d.last_error as "lastError",
         (select t.error from attempts t where t.delivery_id = d.id and t.number = d.attempt_count) as error,
         d.next_attempt_at as "nextAttemptAt", a.created_at as "createdAt", d.completed_at as "completedAt"
    from alert_messages a join deliveries d on d.id = a.delivery_id and d.org_id = a.org_id
   where a.org_id = $1 and a.contact_id = $2
   order by a.delivery_id desc limit $3`

export type SentMessage = {
  uuid: string
  kind: AlertKind
  title: string
  status: DeliveryStatus
  attemptCount: number
  lastResponseStatus: number | null
  lastError: string | null
  /** Readable error of the last attempt. */
  error: string | null
  nextAttemptAt: Date | null
  createdAt: Date
  completedAt: Date | null
}

export async function listMessages(
  tenant: Tenant,
  contactUuid: string,
  most: number,
): Promise<SentMessage[]> {
  return tenant.query<SentMessage>(LAST, [tenant.orgId, contactUuid, most])
}

const FIND_OUTDATED = sql`
  select a.delivery_id as uuid from alert_messages a
   where a.delivery_id = any ($1::uuid[]) and a.kind in ('DOWN', 'DEGRADED', 'REMINDER')
     and (exists (select from alert_messages n
                   where n.org_id = a.org_id and n.contact_id = a.contact_id and n.thread = a.thread
                     and n.delivery_id > a.delivery_id and n.kind in ('RECOVERED', 'CLOSED'))
          or (a.incident_ids <> '{}'
              and not exists (select from incidents i
                               where i.org_id = a.org_id and i.id = any (a.incident_ids)
                                 and coalesce(i.resolution, 'RECOVERED') = 'RECOVERED')))`

/**
 * Messages that are no longer true: their recovery message is already queued, or none will be sent because all monitors
 * were paused, changed or deleted. Partial recoveries are kept: nothing else reports that these monitors have
 * recovered.
 */
export async function findOutdated(
  db: Db,
  deliveryUuids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ uuid: string }>(FIND_OUTDATED, [deliveryUuids])
  return new Set(rows.map(({ uuid }) => uuid))
}

const FIND_REFERENCES = sql`
  select distinct on (a.delivery_id) a.delivery_id as uuid, first.reference
    from alert_messages a
    join alert_messages first on first.org_id = a.org_id and first.contact_id = a.contact_id
                             and first.thread = a.thread and first.reference is not null
   where a.delivery_id = any ($1::uuid[])
   order by a.delivery_id, first.delivery_id`

/** By delivery: what the provider calls the message that began its thread, such as the number of an issue. */
export async function findReferences(
  db: Db,
  deliveryUuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  type Found = { uuid: string; reference: string }
  const rows = await db.query<Found>(FIND_REFERENCES, [deliveryUuids])
  return new Map(rows.map(({ uuid, reference }) => [uuid, reference]))
}

const RECORD_REFERENCE = sql`update alert_messages set reference = $2 where delivery_id = $1`
const MAX_REFERENCE = 300

/** A longer one than any provider documents is not recorded: a part of it would name nothing. */
export async function recordReference(
  db: Db,
  deliveryUuid: string,
  reference: string,
): Promise<void> {
  if (reference.length > MAX_REFERENCE) return
  await db.query(RECORD_REFERENCE, [deliveryUuid, reference])
}

const DELETE_OLD = sql`
  with conditions as (
    delete from alert_troubles where id = any (array(
      select id from alert_troubles where done_at < now() - make_interval(days => $1)
       order by done_at limit $2 for update skip locked)) returning 1
  ), messages as (
    delete from alert_messages where delivery_id = any (array(
      select delivery_id from alert_messages where created_at < now() - make_interval(days => $1)
       order by created_at limit $2 for update skip locked)) returning 1
  )
  select (select count(*) from conditions)::integer + (select count(*) from messages)::integer as count`

/** Deletes alerts after the same time as deliveries, up to `most` of each kind. */
export async function deleteOldAlerts(db: Db, afterDays: number, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(DELETE_OLD, [afterDays, most])
  return row?.count ?? 0
}
