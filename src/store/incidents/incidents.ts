import type { Incident } from '../../domain/incidents/incident.ts'
import { type Db, sql } from '../core/db.ts'
import { pageOf, readPage } from '../core/page.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

export const incidentColumns = sql`
  i.id as uuid, i.started_at as "startedAt", i.resolved_at as "resolvedAt", i.cause,
  i.cause_code as "causeCode", i.resolution, i.acknowledged_at as "acknowledgedAt",
  m.id as "monitorUuid", m.name as "monitorName", m.type as "monitorType"`

export type IncidentRecord = Omit<Incident, 'monitor'> & {
  monitorUuid: string
  monitorName: string
  monitorType: Incident['monitor']['type']
}

export function toIncident<Row extends IncidentRecord>({
  monitorUuid,
  monitorName,
  monitorType,
  ...row
}: Row) {
  return { ...row, monitor: { uuid: monitorUuid, name: monitorName, type: monitorType } }
}

const LOCK_OPEN = sql`
  select ${incidentColumns}
    from incidents i join monitors m on m.org_id = i.org_id and m.id = i.monitor_id
   where i.org_id = $1 and i.monitor_id = $2 and i.resolved_at is null
     for update of i`

/** The monitor's unresolved incident. */
export async function lockOpenIncident(
  tx: TenantTx,
  monitorUuid: string,
): Promise<Incident | undefined> {
  const [row] = await tx.query<IncidentRecord>(LOCK_OPEN, [tx.orgId, monitorUuid])
  return row && toIncident(row)
}

const FIND_MANY = sql`
  select ${incidentColumns}
    from incidents i join monitors m on m.org_id = i.org_id and m.id = i.monitor_id
   where i.id = any ($1::uuid[])`

/** For the engine: incidents of any organization, by id. */
export async function findIncidentsById(
  db: Db,
  uuids: readonly string[],
): Promise<Map<string, Incident>> {
  if (uuids.length === 0) return new Map()
  const rows = await db.query<IncidentRecord>(FIND_MANY, [uuids])
  return new Map(rows.map((row) => [row.uuid, toIncident(row)]))
}

const RESOLVE = sql`
  update incidents set resolved_at = $3, resolution = $4
   where org_id = $1 and id = $2 and resolved_at is null`

export async function saveResolution(tx: TenantTx, incident: Incident): Promise<void> {
  const { uuid, resolvedAt, resolution } = incident
  await tx.query(RESOLVE, [tx.orgId, uuid, resolvedAt, resolution])
}

const matching = sql`
  org_id = $1
    and ($4::uuid is null or monitor_id = $4)
    and ($5::text[] is null or case when resolved_at is null then 'ONGOING' else 'RESOLVED' end = any ($5))
    and ($6::boolean is null or (acknowledged_at is not null) = $6)
    and ($7::timestamptz is null or started_at >= $7)
    and ($8::timestamptz is null or started_at < $8)`

const PAGE = pageOf({
  table: 'incidents i',
  matching,
  columns: incidentColumns,
  by: 'started_at',
  joined: 'join monitors m on m.org_id = i.org_id and m.id = i.monitor_id',
})

export type IncidentFilter = {
  limit: number
  offset: number
  monitorUuid?: string | undefined
  status?: readonly ('ONGOING' | 'RESOLVED')[] | undefined
  acknowledged?: boolean | undefined
  startedAfter?: Date | undefined
  startedBefore?: Date | undefined
}

/** One page and the total count, from one snapshot. */
export async function listIncidents(tenant: Tenant, filter: IncidentFilter) {
  const { total, rows } = await readPage<IncidentRecord>(tenant, PAGE, [
    tenant.orgId,
    filter.limit,
    filter.offset,
    filter.monitorUuid,
    filter.status,
    filter.acknowledged,
    filter.startedAfter,
    filter.startedBefore,
  ])
  return { total, incidents: rows.map(toIncident) }
}

export type EvidencePart = 'OPENED' | 'LAST_FAILURE' | 'RESOLVED'
export type TimelineType =
  | 'OPENED'
  | 'STILL_FAILING'
  | 'CAUSE_CHANGED'
  | 'ACKNOWLEDGED'
  | 'ALERT_SENT'
  | 'ALERT_FAILED'
  | 'RESOLVED'
export type TimelineRecord = { uuid: string; type: TimelineType; at: Date; message: string }
export type Acknowledgement = {
  byType: 'API_KEY' | 'USER' | 'ALERT_CONTACT'
  byUuid: string
  byName: string
  note: string | null
}
/** `evidence` holds checks as they were stored, which is also how they are shown. */
export type IncidentDetailRecord = Incident & {
  acknowledgement: Acknowledgement | null
  evidence: Partial<Record<EvidencePart, Record<string, unknown>>>
  timeline: TimelineRecord[]
  /** Published incidents about this one, oldest first. */
  statusIncidentUuids: string[]
}

const FIND = sql`
  select ${incidentColumns},
         case when i.acknowledged_at is not null then json_build_object(
           'byType', i.acknowledged_by_type, 'byUuid', i.acknowledged_by_id,
           'byName', i.acknowledged_by_name, 'note', i.acknowledge_note) end as acknowledgement,
         (select coalesce(json_object_agg(e.part, e.evidence), '{}') from incident_evidence e
           where e.incident_id = i.id and e.part <> 'CAUSE_CHANGED') as evidence,
         (select coalesce(json_agg(json_build_object(
             'uuid', t.id, 'type', t.type, 'at', t.at, 'message', t.message) order by t.at, t.id), '[]')
            from incident_timeline t where t.incident_id = i.id) as timeline,
         (select coalesce(json_agg(p.id order by p.created_at, p.id), '[]') from status_incidents p
           where p.org_id = i.org_id and p.incident_id = i.id) as "statusIncidentUuids"
    from incidents i join monitors m on m.org_id = i.org_id and m.id = i.monitor_id
   where i.org_id = $1 and i.id = $2`

export async function findIncident(
  tenant: Tenant,
  uuid: string,
): Promise<IncidentDetailRecord | undefined> {
  type Row = IncidentRecord &
    Pick<IncidentDetailRecord, 'acknowledgement' | 'evidence' | 'statusIncidentUuids'> & {
      timeline: (Omit<TimelineRecord, 'at'> & { at: string })[]
    }
  const [row] = await tenant.query<Row>(FIND, [tenant.orgId, uuid])
  if (row === undefined) return undefined
  const timeline = row.timeline.map((line) => ({ ...line, at: new Date(line.at) }))
  return { ...toIncident(row), timeline }
}

const ACKNOWLEDGE = sql`
  update incidents
     set acknowledged_at = $3, acknowledged_by_type = $4, acknowledged_by_id = $5,
         acknowledged_by_name = $6, acknowledge_note = $7
   where org_id = $1 and id = $2 and acknowledged_at is null
  returning id`

/** False if it is already acknowledged or does not exist. */
export async function acknowledge(
  tx: TenantTx,
  uuid: string,
  { byType, byUuid, byName, note }: Acknowledgement,
): Promise<boolean> {
  const values = [tx.orgId, uuid, tx.now, byType, byUuid, byName, note]
  return (await tx.query(ACKNOWLEDGE, values)).length > 0
}

const ADD_LINE = sql`
  insert into incident_timeline (id, org_id, incident_id, type, at, message)
  values ($1, $2, $3, $4, $5, $6)`

export async function addTimelineLine(
  tx: TenantTx,
  incidentUuid: string,
  line: { type: TimelineType; at: Date; message: string },
): Promise<void> {
  const { type, at, message } = line
  await tx.query(ADD_LINE, [tx.newUuid(), tx.orgId, incidentUuid, type, at, message])
}
