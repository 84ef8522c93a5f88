// Deliveries inserted into the database in bulk, and how many attempts were open at a time according to its records.
import type { Database } from '../../kit/database.ts'
import { toId } from '../../kit/ids.ts'

/** Events of one endpoint, in one transaction; returns their ids as the receiver sees them. */
export async function queueEvents(
  db: Database,
  orgUuid: string,
  endpointUuid: string,
  count: number,
): Promise<string[]> {
  const rows = await db.run<{ id: string }>(
    `with published as (
       insert into events (id, org_id, type, occurred_at, body)
       select new_uuid(), $1, 'webhook.test', now(), '{"some":"event"}' from generate_series(1, $3)
       returning id
     ), queued as (
       insert into deliveries (id, org_id, endpoint_id, event_id, event_type, url, next_attempt_at, created_at)
       select new_uuid(), $1, $2, id, 'webhook.test', '', now(), now() from published
     )
     select id from published`,
    [orgUuid, endpointUuid, count],
  )
  return rows.map(({ id }) => toId('evt', id))
}

/** The most attempts that any endpoint or organization had open at one time, across all processes. */
export async function mostOpen(db: Database): Promise<{ endpoint: number; organization: number }> {
  const most = async (column: string) => {
    const { n } = await db.one<{ n: number }>(
      `with edge as (
         select ${column} as owner, started_at as at, 1 as step from attempts where outcome is not null
         union all
         select ${column}, started_at + make_interval(secs => duration_ms / 1000.0), -1
           from attempts where outcome is not null
       )
       select coalesce(max(open), 0)::int as n
         from (select sum(step) over (partition by owner order by at, step) as open from edge) counted`,
    )
    return n
  }
  return { endpoint: await most('endpoint_id'), organization: await most('org_id') }
}
