// Finds what changed between two database snapshots. A row's xmin is the transaction that last wrote it, so nothing
// extra is written, and a change costs the same whether or not anyone is listening.
import { type ChangePosition, toPosition } from '../../domain/events/change-position.ts'
import { type ChangeRows, MAX_CHANGES } from '../../domain/events/row-change.ts'
import { type Db, sql } from '../core/db.ts'
import { stateSince } from '../monitors/state-since.ts'

// Log rows are found by the time in their ids, which precedes their commit by at most one transaction.
const LATE_SECONDS = 60
const XIDS = 2 ** 32

/** For any row `t`: how many transactions after the position's first one it was written. */
const distance = sql`(age($2::text::xid) - age(t.xmin))`
const isNew = sql`(${distance} >= $3 or ${distance} = any ($4::integer[]))`
const own = sql`'orgId', t.org_id, 'xid', $5::bigint + distance`
// One more than is reported, to detect that there are too many.
const limitOf = (count: number) => ({ text: String(count + 1) })

const monitors = sql`
  select json_agg(json_build_object(${own}, 'uuid', t.id, 'state', t.state, 'since', t.since,
           'checkedAt', t.last_checked_at, 'responseMs', t.last_response_ms))
    from (select m.org_id, m.id, t.state, ${stateSince({ text: 't' })} as since, t.last_checked_at, t.last_response_ms,
                 ${distance} as distance, row_number() over (partition by m.org_id) as row
            from monitors m join monitor_states t on t.monitor_no = m.no
           where m.org_id = any ($1::uuid[]) and ${isNew}) t
   where row <= ${limitOf(MAX_CHANGES.monitors)}`

const incidents = sql`
  select json_agg(json_build_object(${own}, 'uuid', t.id, 'monitorUuid', t.monitor_id, 'startedAt', t.started_at,
           'acknowledgedAt', t.acknowledged_at, 'causeCode', coalesce(t.last_cause_code, t.cause_code)))
    from (select t.*, ${distance} as distance, row_number() over (partition by t.org_id) as row
            from incidents t
           where t.org_id = any ($1::uuid[]) and t.resolved_at is null and ${isNew}) t
   where row <= ${limitOf(MAX_CHANGES.incidents)}`

// Receivers are written with every batch that is sent, so healthy ones are not reported.
const receivers = sql`
  select json_agg(json_build_object(${own}, 'uuid', t.id, 'kind', t.kind, 'enabled', t.enabled,
           'failingSince', t.failing_since))
    from (select t.org_id, t.id, t.enabled, t.failing_since,
                 case when t.channel = 'WEBHOOK' then 'ENDPOINT' else 'CONTACT' end as kind,
                 ${distance} as distance, row_number() over (partition by t.org_id) as row
            from receivers t
           where t.org_id = any ($1::uuid[]) and ${isNew}
             and (t.failing_since is not null or not t.enabled or t.last_failure_at > now() - interval '1 day')
             and (t.channel = 'WEBHOOK' or exists (
               select from alert_contacts c where c.org_id = t.org_id and c.id = t.id))) t
   where row <= ${limitOf(MAX_CHANGES.receivers)}`

const events = sql`
  select json_agg(json_build_object(${own}, 'uuid', t.id, 'type', t.type, 'monitorId', t.data #>> '{monitor,id}',
           'about', coalesce(t.data #>> '{incident,id}', t.data #>> '{statusIncident,id}',
                             t.data #>> '{maintenanceWindow,id}', t.data #>> '{monitor,id}')) order by t.id)
    from (select t.org_id, t.id, t.type, t.body::json -> 'data' as data,
                 ${distance} as distance, row_number() over (partition by t.org_id order by t.id) as row
            from events t
           where t.org_id = any ($1::uuid[]) and t.id >= uuid_floor($6) and t.type <> 'webhook.test'
             and ${isNew}) t
   where row <= ${limitOf(MAX_CHANGES.events)}`

// What people did, alert entries on an incident's timeline, and pages whose domain was checked.
const auditEntries = sql`
  select json_agg(json_build_object(${own}, 'resourceId', t.resource_id))
    from (select t.*, row_number() over (partition by t.org_id) as row
            from (select t.org_id, t.resource_id, ${distance} as distance
                    from audit_log t
                   where t.org_id = any ($1::uuid[]) and t.id >= uuid_floor($6) and ${isNew}
                   union all
                  select t.org_id, 'inc_', ${distance}
                    from incident_timeline t
                   where t.org_id = any ($1::uuid[]) and t.id >= uuid_floor($6) and ${isNew}
                     and t.type in ('ALERT_SENT', 'ALERT_FAILED')
                   union all
                  select t.org_id, 'sp_', ${distance}
                    from status_pages t
                   where t.org_id = any ($1::uuid[]) and ${isNew}) t) t
   where row <= ${limitOf(MAX_CHANGES.deeds)}`

const FIND = sql`
  select pg_current_snapshot()::text as snapshot, clock_timestamp() as at,
         (${monitors}) as monitors, (${incidents}) as incidents, (${receivers}) as receivers,
         (${events}) as events, (${auditEntries}) as deeds`

const FIND_POSITION = sql`select pg_current_snapshot()::text as snapshot, clock_timestamp() as at`

type PositionRow = { snapshot: string; at: Date }
type Row = PositionRow & { [Kind in keyof ChangeRows]: ChangeRows[Kind] | null }
export type FoundChanges = { position: ChangePosition; rows: ChangeRows }

export async function findPosition(db: Db): Promise<ChangePosition> {
  const [row] = await db.query<PositionRow>(FIND_POSITION)
  return positionOf(row)
}

/** Everything of these organizations committed since `from`, and the new position. */
export async function findChanges(
  db: Db,
  orgIds: readonly string[],
  from: ChangePosition,
): Promise<FoundChanges> {
  const { at, xmin, xmax, running } = from
  const later = running.map((xid) => xid - xmin)
  const floorAt = new Date(at.getTime() - LATE_SECONDS * 1000)
  const values = [orgIds, String(xmin % XIDS), xmax - xmin, later, xmin, floorAt]
  const [row] = await db.query<Row>(FIND, values)
  const position = positionOf(row)
  const rows: ChangeRows = {
    monitors: row?.monitors ?? [],
    incidents: row?.incidents ?? [],
    receivers: row?.receivers ?? [],
    events: row?.events ?? [],
    deeds: row?.deeds ?? [],
  }
  return { position, rows }
}

function positionOf(row: PositionRow | undefined): ChangePosition {
  if (row === undefined) throw new Error('The database did not tell its snapshot')
  return toPosition(row.snapshot, row.at)
}
