// Failing and disabled webhook endpoints as alert conditions.
import type { AlertSubject } from '../../domain/alerts/text.ts'
import { type Db, sql } from '../core/db.ts'

const FIND = sql`
  select id as uuid, org_id as "orgId", url, description from webhook_endpoints where id = any ($1::uuid[])`

type EndpointName = { uuid: string; orgId: string; url: string; description: string | null }

/** Of any organization, by UUID. */
export async function findEndpointNames(
  tx: Db,
  uuids: readonly string[],
): Promise<Map<string, EndpointName>> {
  const rows = await tx.query<EndpointName>(FIND, [uuids])
  return new Map(rows.map((row) => [row.uuid, row]))
}

// All contacts: their preferences are applied when the alert is sent. Without contacts, the owners are notified.
const RECORD = sql`
  insert into alert_troubles (id, org_id, kind, endpoint_id, host, since, about, contact_ids)
  select new_uuid(), u.org_id, 'WEBHOOK_FAILING', u.id, alert_host(u.url, null), u.since, u.about, contacts.ids
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::jsonb[]) as u (org_id, id, url, since, about)
   cross join lateral (
     select coalesce(array_agg(c.id), '{}') as ids from alert_contacts c where c.org_id = u.org_id) contacts`

type FailingEndpointRow = Pick<EndpointName, 'uuid' | 'orgId' | 'url'> & {
  since: Date
  about: AlertSubject
}

/** Call it in the transaction that warns about the endpoints or disables them. */
export async function recordFailingEndpoints(
  tx: Db,
  failing: readonly FailingEndpointRow[],
): Promise<void> {
  await tx.query(RECORD, [
    failing.map(({ orgId }) => orgId),
    failing.map(({ uuid }) => uuid),
    failing.map(({ url }) => url),
    failing.map(({ since }) => since),
    failing.map(({ about }) => JSON.stringify(about)),
  ])
}
