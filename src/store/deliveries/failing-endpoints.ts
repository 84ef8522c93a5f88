// Records failing and disabled webhook endpoints as alert conditions.
import { type EndpointFate, toEndpointSubject } from '../../domain/alerts/failing-endpoint.ts'
import { type Db, sql } from '../core/db.ts'

const FIND = sql`
  select id as uuid, org_id as "orgId", url, description from webhook_endpoints where id = any ($1::uuid[])`

// All contacts: their preferences are applied when the alert is sent. Without contacts, the owners are notified.
const RECORD = sql`
  insert into alert_troubles (id, org_id, kind, endpoint_id, host, since, about, contact_ids)
  select new_uuid(), u.org_id, 'WEBHOOK_FAILING', u.id, alert_host(u.url, null), u.since, u.about, contacts.ids
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::jsonb[]) as u (org_id, id, url, since, about)
   cross join lateral (
     select coalesce(array_agg(c.id), '{}') as ids from alert_contacts c where c.org_id = u.org_id) contacts`

export type EndpointNotice = {
  endpointId: string
  what: EndpointFate
  since: Date
  error: string | null
}

/** Call it in the transaction that warns about the endpoints or disables them. */
export async function recordFailingEndpoints(
  tx: Db,
  notices: readonly EndpointNotice[],
): Promise<void> {
  if (notices.length === 0) return
  type Row = { uuid: string; orgId: string; url: string; description: string | null }
  const ids = notices.map(({ endpointId }) => endpointId)
  const rows = new Map((await tx.query<Row>(FIND, [ids])).map((row) => [row.uuid, row]))
  const noted = notices.flatMap(({ endpointId, what, since, error }) => {
    const row = rows.get(endpointId)
    return row ? { ...row, since, about: toEndpointSubject({ ...row, what, error }) } : []
  })
  await tx.query(RECORD, [
    noted.map(({ orgId }) => orgId),
    noted.map(({ uuid }) => uuid),
    noted.map(({ url }) => url),
    noted.map(({ since }) => since),
    noted.map(({ about }) => JSON.stringify(about)),
  ])
}
