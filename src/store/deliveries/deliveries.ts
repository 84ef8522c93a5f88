// The webhook log as its organization reads it, without deliveries of other channels. The dispatcher claims and settles
// deliveries elsewhere.
import type { Delivery, DeliveryAttempt } from '../../domain/events/delivery.ts'
import { bringing, sql } from '../core/db.ts'
import { pageOf, readPage } from '../core/page.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

export const deliveryColumns = sql`
  d.id as uuid, d.endpoint_id as "endpointUuid", d.event_id as "eventUuid",
  d.event_type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.next_attempt_at as "nextAttemptAt", d.last_attempt_at as "lastAttemptAt",
  d.last_response_status as "lastResponseStatus", d.last_error as "lastError",
  d.created_at as "createdAt", d.completed_at as "completedAt"`

const matching = sql`
  org_id = $1 and channel = 'WEBHOOK'
    and ($4::uuid is null or endpoint_id = $4)
    and ($5::text[] is null or event_type = any ($5))
    and ($6::text[] is null or status = any ($6))
    and ($7::timestamptz is null or created_at >= $7)
    and ($8::timestamptz is null or created_at < $8)`

const PAGE = pageOf({ table: 'deliveries d', matching, columns: deliveryColumns })

export type DeliveryFilter = {
  limit: number
  offset: number
  endpointUuid?: string | undefined
  eventType?: readonly string[] | undefined
  status?: readonly Delivery['status'][] | undefined
  createdAfter?: Date | undefined
  createdBefore?: Date | undefined
}

export async function listDeliveries(tenant: Tenant, filter: DeliveryFilter) {
  const { total, rows } = await readPage<Delivery>(tenant, PAGE, [
    tenant.orgId,
    filter.limit,
    filter.offset,
    filter.endpointUuid,
    filter.eventType,
    filter.status,
    filter.createdAfter,
    filter.createdBefore,
  ])
  return { total, deliveries: rows }
}

export type DeliveryDetail = Delivery & {
  url: string
  body: string
  attempts: DeliveryAttempt[]
  /** Null if the endpoint was deleted. */
  endpointEnabled: boolean | null
}

const FIND = sql`
  select ${deliveryColumns}, d.url, e.body, w.enabled as "endpointEnabled"
    from deliveries d
    join events e on e.id = d.event_id and e.org_id = d.org_id
    left join webhook_endpoints w on w.org_id = d.org_id and w.id = d.endpoint_id
   where d.org_id = $1 and d.id = $2 and d.channel = 'WEBHOOK'`

// Attempts in progress have no outcome yet. They show up once they have ended or are lost.
const ATTEMPTS = sql`
  select id as uuid, number, trigger, started_at as "startedAt", duration_ms as "durationMs", outcome,
         response_status as "responseStatus", response_body as "responseBody",
         error_code as "errorCode", error
    from attempts
   where delivery_id = $2 and org_id = $1 and outcome is not null
   order by number`

export async function findDelivery(
  tenant: Tenant,
  uuid: string,
): Promise<DeliveryDetail | undefined> {
  const [row] = await tenant.query<Omit<DeliveryDetail, 'attempts'>>(FIND, [tenant.orgId, uuid])
  if (row === undefined) return undefined
  const attempts = await tenant.query<DeliveryAttempt>(ATTEMPTS, [tenant.orgId, uuid])
  return { ...row, attempts }
}

// Locks the endpoint first, as everything that locks both does. Otherwise a concurrent deletion could miss this
// delivery when it cancels pending ones, and leave it pending forever.
const LOCK_ENDPOINT = sql`
  select 1 as one from webhook_endpoints
   where org_id = $1 and id = (select endpoint_id from deliveries where org_id = $1 and id = $2)
     for key share`
const LOCK = sql`select 1 as one from deliveries where org_id = $1 and id = $2 and channel = 'WEBHOOK' for update`

/** Locks the delivery and, if it exists, its endpoint. */
export async function lockDelivery(
  tx: TenantTx,
  uuid: string,
): Promise<DeliveryDetail | undefined> {
  await tx.query(LOCK_ENDPOINT, [tx.orgId, uuid])
  const rows = await tx.query(LOCK, [tx.orgId, uuid])
  return rows.length === 0 ? undefined : findDelivery(tx, uuid)
}

const RETRY = bringing(
  'DELIVERIES',
  sql`
  update deliveries
     set next_attempt_at = $3, completed_at = null, manual = manual or status <> 'PENDING',
         status = 'PENDING'
   where org_id = $1 and id = $2`,
)

/** Makes it due now. A completed delivery gets one more attempt; a pending one is only moved forward. */
export async function retryNow(tx: TenantTx, uuid: string): Promise<void> {
  await tx.query(RETRY, [tx.orgId, uuid, tx.now])
}
