// Failing and disabled webhook endpoints as alert conditions.
import type { AlertSubject } from '../../domain/alerts/text.ts'
import { rowsOf } from '../core/columns.ts'
import { bringing, type Db, sql } from '../core/db.ts'

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

type FailingEndpointRow = Pick<EndpointName, 'uuid' | 'orgId' | 'url'> & {
  since: Date
  about: AlertSubject
}

const given = rowsOf<FailingEndpointRow>({
  org_id: ['uuid', ({ orgId }) => orgId],
  id: ['uuid', ({ uuid }) => uuid],
  url: ['text', ({ url }) => url],
  since: ['timestamptz', ({ since }) => since],
  about: ['jsonb', ({ about }) => JSON.stringify(about)],
})

// All contacts: their preferences are applied when the alert is sent. Without contacts, the owners are notified.
const RECORD = bringing(
  'ALERTS',
  sql`
  insert into alert_troubles (id, org_id, kind, endpoint_id, host, since, about, contact_ids)
  select new_uuid(), u.org_id, 'WEBHOOK_FAILING', u.id, alert_host(u.url, null), u.since, u.about, contacts.ids
    from ${given}
   cross join lateral (
     select coalesce(array_agg(c.id), '{}') as ids from alert_contacts c where c.org_id = u.org_id) contacts`,
)

/** Call it in the transaction that warns about the endpoints or disables them. */
export async function recordFailingEndpoints(
  tx: Db,
  failing: readonly FailingEndpointRow[],
): Promise<void> {
  await tx.query(RECORD, given.values(failing))
}
