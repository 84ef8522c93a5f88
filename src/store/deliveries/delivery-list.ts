// Receivers and their deliveries, as the dashboard shows them.
import type { ContactChannel } from '../../domain/alerts/channels.ts'
import type { Delivery, DeliveryStatus } from '../../domain/events/delivery.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { deliveryColumns } from './deliveries.ts'

const HEALTH = sql`
  select e.id as uuid, now() as at, e.failures_in_a_row as "failuresInARow", e.failing_since as "failingSince",
         e.next_probe_at as "nextProbeAt", e.probe_seconds as "probeSeconds",
         coalesce(d.succeeded, 0) as succeeded, coalesce(d.failed, 0) as failed, coalesce(d.pending, 0) as pending,
         (select count(*)::integer from deliveries h
           where h.endpoint_id = e.id and h.org_id = $1 and h.status = 'PENDING') as held
    from webhook_endpoints e
    left join (
      select endpoint_id, count(*) filter (where status = 'SUCCEEDED')::integer as succeeded,
             count(*) filter (where status = 'FAILED')::integer as failed,
             count(*) filter (where status = 'PENDING')::integer as pending
        from deliveries
       where org_id = $1 and channel = 'WEBHOOK' and created_at > now() - interval '24 hours'
         and id >= uuid_floor(now() - interval '24 hours')
       group by endpoint_id) d on d.endpoint_id = e.id
   where e.org_id = $1`

export type EndpointHealthRecord = {
  uuid: string
  at: Date
  failuresInARow: number
  failingSince: Date | null
  /** Set while the circuit breaker is open. */
  nextProbeAt: Date | null
  probeSeconds: number | null
  succeeded: number
  failed: number
  pending: number
  held: number
}

/** The health of every endpoint of the organization, by endpoint id. */
export async function findEndpointHealth(
  tenant: Tenant,
): Promise<Map<string, EndpointHealthRecord>> {
  const rows = await tenant.query<EndpointHealthRecord>(HEALTH, [tenant.orgId])
  return new Map(rows.map((row) => [row.uuid, row]))
}

const LIST = sql`
  with page as materialized (
    select d.id from deliveries d
     where d.org_id = $1 and d.channel = 'WEBHOOK'
       and ($2::uuid is null or d.endpoint_id = $2)
       and ($3::text[] is null or d.status = any ($3))
       and (not $4 or d.status = 'FAILED' or d.last_error is not null or d.attempt_count > 1 and exists (
         select from attempts a where a.delivery_id = d.id and a.org_id = $1 and a.outcome = 'FAILED'))
       and ($5::text is null or d.event_type = $5)
       and ($6::uuid is null or d.id < $6)
     order by d.id desc limit $7
  )
  select ${deliveryColumns}, d.url,
         (select a.duration_ms from attempts a
           where a.delivery_id = d.id and a.org_id = $1 and a.outcome is not null
           order by a.number desc limit 1) as "tookMs"
    from page cross join lateral (select * from deliveries where id = page.id limit 1) d
   order by d.id desc`

export type DeliveryLogFilter = {
  endpointUuid?: string | undefined
  status?: readonly DeliveryStatus[] | undefined
  troubled: boolean
  eventType?: string | undefined
  beforeUuid?: string | undefined
  limit: number
}
export type DeliveryLogEntry = Delivery & { url: string; tookMs: number | null }

/** Newest first. */
export function listDeliveryLog(
  tenant: Tenant,
  filter: DeliveryLogFilter,
): Promise<DeliveryLogEntry[]> {
  const { endpointUuid, status, troubled, eventType, beforeUuid, limit } = filter
  const values = [endpointUuid, status, troubled, eventType, beforeUuid, limit]
  return tenant.query<DeliveryLogEntry>(LIST, [tenant.orgId, ...values])
}

const MESSAGES = sql`
  with page as materialized (
    select a.* from alert_messages a
     where a.org_id = $1
       and ($2::uuid is null or a.contact_id = $2)
       and ($3::uuid is null or $3 = any (a.incident_ids))
       and ($4::text[] is null or (select d.status from deliveries d where d.id = a.delivery_id) = any ($4))
       and ($5::uuid is null or a.delivery_id < $5)
     order by a.delivery_id desc limit $6
  )
  select a.delivery_id as uuid, c.id as "contactUuid", c.name as "contactName", c.channel, a.kind, a.title,
         a.incident_ids::text[] as "incidentUuids", d.status, d.attempt_count as attempts,
         d.last_response_status as "responseStatus",
         case when d.status = 'SUCCEEDED' then null else coalesce((
           select t.error from attempts t where t.delivery_id = d.id and t.number = d.attempt_count), d.last_error)
         end as error,
         d.next_attempt_at as "nextAttemptAt", a.created_at as "createdAt", d.completed_at as "completedAt"
    from page a
    join alert_contacts c on c.org_id = a.org_id and c.id = a.contact_id
    cross join lateral (select * from deliveries where id = a.delivery_id limit 1) d
   order by a.delivery_id desc`

export type AlertMessageFilter = {
  contactUuid?: string | undefined
  incidentUuid?: string | undefined
  status?: readonly DeliveryStatus[] | undefined
  beforeUuid?: string | undefined
  limit: number
}
export type AlertMessageRecord = {
  uuid: string
  contactUuid: string
  contactName: string
  channel: ContactChannel
  kind: string
  title: string
  incidentUuids: string[]
  status: DeliveryStatus
  attempts: number
  responseStatus: number | null
  error: string | null
  nextAttemptAt: Date | null
  createdAt: Date
  completedAt: Date | null
}

/** Messages to all contacts, newest first. */
export function listAlertMessages(
  tenant: Tenant,
  filter: AlertMessageFilter,
): Promise<AlertMessageRecord[]> {
  const { contactUuid, incidentUuid, status, beforeUuid, limit } = filter
  const values = [contactUuid, incidentUuid, status, beforeUuid, limit]
  return tenant.query<AlertMessageRecord>(MESSAGES, [tenant.orgId, ...values])
}
