// What the service has stored of that which goes by age, and what its quotas say about it.
import type { BY_DAY } from '../../tools/storage-table.ts'
import type { Database } from '../kit/database.ts'

type Kind = keyof typeof BY_DAY
/** `diskBytes` and `countedBytes` are of all organizations, the others of one. */
export type Storage = {
  diskBytes: number
  countedBytes: number
  ofDay: Readonly<Record<Kind, number>>
  responseBytes: number
  incidents: number
  updates: number
}

const READ = `
  select (select sum(pg_total_relation_size(t::regclass)) from (
            select format('%s_%s', parent, to_char(now() at time zone 'UTC', 'YYYYMMDD')) as t
              from unnest(array['events', 'deliveries', 'attempts', 'heartbeat_calls']) parent
            union all select 'subscriber_notices') tables) as "diskBytes",
         (select coalesce(sum(bytes), 0) from day_usage) as "countedBytes",
         (select coalesce(jsonb_object_agg(kind, bytes), '{}') from day_usage
           where org_id = $1 and day = (now() at time zone 'UTC')::date) as "ofDay",
         (select coalesce(sum(bytes), 0) from stored_response_usage where org_id = $1) as "responseBytes",
         (select count(*) from status_incidents where org_id = $1) as incidents,
         (select count(*) from status_incident_updates where org_id = $1) as updates`

type Row = Record<Exclude<keyof Storage, 'ofDay'>, string> & {
  ofDay: Partial<Record<Kind, number>>
}

export async function readStorage(db: Database, orgUuid: string): Promise<Storage> {
  const { ofDay, ...numbers } = await db.one<Row>(READ, [orgUuid])
  return {
    diskBytes: Number(numbers.diskBytes),
    countedBytes: Number(numbers.countedBytes),
    ofDay: { EVENTS: 0, NEWS: 0, PINGS: 0, RESPONSES: 0, ...ofDay },
    responseBytes: Number(numbers.responseBytes),
    incidents: Number(numbers.incidents),
    updates: Number(numbers.updates),
  }
}
