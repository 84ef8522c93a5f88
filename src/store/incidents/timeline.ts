// What happened around an incident: alerts and webhooks sent, notes, and the checks of each region.
import type { ContactChannel } from '../../domain/alerts/channels.ts'
import type { DeliveryStatus } from '../../domain/events/delivery.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'
import type { CheckVerdict } from '../history/check-log.ts'
import { newestRecorded } from '../history/recorded.ts'
import { VERDICT_CODE } from '../history/results.ts'

const MAX_LINES = { text: '200' }

const OBSERVATIONS = sql`
  select e.part, e.checked_at as "checkedAt", e.evidence from incident_evidence e
   where e.org_id = $1 and e.incident_id = $2 order by e.checked_at, e.id limit ${MAX_LINES}`

export type StoredObservation = {
  part: string
  checkedAt: Date
  evidence: Record<string, unknown>
}

/** What checks saw when the incident began, changed and ended, oldest first. */
export function listObservations(
  tenant: Tenant,
  incidentUuid: string,
): Promise<StoredObservation[]> {
  return tenant.query<StoredObservation>(OBSERVATIONS, [tenant.orgId, incidentUuid])
}

// A delivery is looked up by id, which determines its partition. A join would read every day.
const ALERTS = sql`
  select a.delivery_id as uuid, a.created_at as at, c.id as "contactUuid", c.name as "contactName", c.channel,
         a.kind, a.title, d.status, d.attempt_count as attempts, d.completed_at as "completedAt",
         case when d.status = 'SUCCEEDED' then null else coalesce((
           select t.error from attempts t where t.delivery_id = d.id and t.number = d.attempt_count), d.last_error)
         end as error
    from alert_messages a
    join alert_contacts c on c.org_id = a.org_id and c.id = a.contact_id
    cross join lateral (select * from deliveries where id = a.delivery_id limit 1) d
   where a.org_id = $1 and a.delivery_id >= uuid_floor($3) and a.delivery_id < uuid_floor($4)
     and $2 = any (a.incident_ids)
   order by a.delivery_id desc limit ${MAX_LINES}`

export type SentAlert = {
  uuid: string
  at: Date
  contactUuid: string
  contactName: string
  channel: ContactChannel
  kind: string
  title: string
  status: DeliveryStatus
  attempts: number
  completedAt: Date | null
  error: string | null
}

/** `from` is the incident's start. Alerts about it are sent after that, and not long after its end. */
export function listAlertsAbout(
  tenant: Tenant,
  incidentUuid: string,
  { from, to }: { from: Date; to: Date },
): Promise<SentAlert[]> {
  const until = new Date(to.getTime() + SENT_WITHIN_MS)
  return tenant.query<SentAlert>(ALERTS, [tenant.orgId, incidentUuid, from, until])
}

// A contact's delay and quiet hours can hold a message back.
const SENT_WITHIN_MS = 24 * 3_600_000

// Events name their incident only in their body, but are written together with the incident's timeline entries.
// Searching a few seconds around each entry finds them, however long the incident lasted. One query per entry, with
// plain values, lets the planner pick the daily partition.
const BEFORE_MS = 2_000
const AFTER_MS = 10_000
const around = (id: { text: string }) =>
  sql`${id} >= uuid_floor($3::timestamptz) and ${id} < uuid_floor($4::timestamptz)`
const WEBHOOKS = sql`
  with told as materialized (
    select e.id, e.type from events e
     where e.org_id = $1 and ${around({ text: 'e.id' })}
       and e.type in ('incident.opened', 'incident.acknowledged', 'incident.resolved')
       and strpos(e.body, $2) > 0
  )
  select d.id as uuid, d.created_at as at, t.type as "eventType", d.url, d.status, d.attempt_count as attempts,
         d.last_response_status as "responseStatus", case d.status when 'SUCCEEDED' then null else d.last_error end as error
    from deliveries d join told t on t.id = d.event_id
   where d.org_id = $1 and d.channel = 'WEBHOOK' and ${around({ text: 'd.id' })}
   order by d.id desc limit ${MAX_LINES}`

export type SentWebhook = {
  uuid: string
  at: Date
  eventType: string
  url: string
  status: DeliveryStatus
  attempts: number
  responseStatus: number | null
  error: string | null
}

/** `bornAt`: when the incident was opened, acknowledged and resolved, by the clock of the process that wrote it. */
export async function listWebhooksAbout(
  tenant: Tenant,
  incidentUuid: string,
  bornAt: readonly Date[],
): Promise<SentWebhook[]> {
  const id = toPublicId('inc', incidentUuid)
  const found = await Promise.all(
    bornAt.map((at) => {
      const range = [new Date(at.getTime() - BEFORE_MS), new Date(at.getTime() + AFTER_MS)]
      return tenant.query<SentWebhook>(WEBHOOKS, [tenant.orgId, id, ...range])
    }),
  )
  // Entries a few seconds apart find the same webhooks.
  const distinct = new Map(found.flat().map((sent) => [sent.uuid, sent]))
  return [...distinct.values()].toSorted((a, b) => b.at.getTime() - a.at.getTime())
}

const NOTES = sql`
  select id as uuid, at, user_id as "userUuid", user_name as "userName", text from incident_notes
   where org_id = $1 and incident_id = $2 order by at desc, id desc limit ${MAX_LINES}`

export type IncidentNote = {
  uuid: string
  at: Date
  userUuid: string
  userName: string
  text: string
}

export function listNotes(tenant: Tenant, incidentUuid: string): Promise<IncidentNote[]> {
  return tenant.query<IncidentNote>(NOTES, [tenant.orgId, incidentUuid])
}

const ADD_NOTE = sql`
  insert into incident_notes (id, org_id, incident_id, at, user_id, user_name, text)
  select $3, i.org_id, i.id, $4, $5, $6, $7 from incidents i
   where i.org_id = $1 and i.id = $2
     and (select count(*) from incident_notes n where n.org_id = $1 and n.incident_id = $2) < ${MAX_LINES}
  returning id as uuid`

/** False if the incident does not exist, or already has as many notes as are shown. */
export async function addNote(
  tx: TenantTx,
  incidentUuid: string,
  note: IncidentNote,
): Promise<boolean> {
  const { uuid, at, userUuid, userName, text } = note
  const values = [tx.orgId, incidentUuid, uuid, at, userUuid, userName, text]
  return (await tx.query(ADD_NOTE, values)).length > 0
}

const CHECKS_READ = { text: '60' }
const SHOWN_CHECKS = { text: '5' }
const latestChecks = newestRecorded({
  monitorNo: { text: '(select no from monitor)' },
  from: { text: '(select first from monitor)' },
  before: { text: `$4::timestamptz + interval '1 microsecond'` },
  verdicts: { text: 'null::smallint[]' },
  limit: CHECKS_READ,
  isPlaced: true,
})
// A check starts shortly after its slot, so the one that opened the incident has the last slot before its start.
const REGIONS = sql`
  with monitor as materialized (
    select m.no, coalesce(greatest(
             (select max(r.slot) from results r
               where r.monitor_no = m.no and r.slot <= $3 and r.slot > $3::timestamptz - interval '1 day'),
             (select max(p.slot)
                from packed_results(m.no, $3::timestamptz - interval '1 day', $3::timestamptz + interval '1 microsecond',
                       null, 1) p
               where p.slot > $3::timestamptz - interval '1 day')), $3) as first
      from monitors m where m.org_id = $1 and m.id = $2
  ), latest as materialized (
    select r.slot, r.region, r.verdict, r.status_code, r.response_ms from ${latestChecks} r
  ), numbered as (
    select l.*, row_number() over (partition by region order by slot desc) as place from latest l
  )
  select g.name as region, n.slot as at, n.verdict, n.status_code as "httpStatus", n.response_ms as "responseMs"
    from numbered n join regions g on g.no = n.region
   where n.place <= ${SHOWN_CHECKS}
   order by g.name, n.slot`

export type RegionCheck = {
  region: string
  at: Date
  verdict: CheckVerdict
  httpStatus: number | null
  responseMs: number | null
}

const VERDICTS = new Map(Object.entries(VERDICT_CODE).map(([name, no]) => [no, name]))

/** The latest few checks of each region in a period, by region, oldest first. */
export async function listRegionChecks(
  tenant: Tenant,
  monitorUuid: string,
  { from, to }: { from: Date; to: Date },
): Promise<RegionCheck[]> {
  type Row = Omit<RegionCheck, 'verdict'> & { verdict: number }
  const rows = await tenant.query<Row>(REGIONS, [tenant.orgId, monitorUuid, from, to])
  // Safe because only these codes are written.
  return rows.map((row) => ({ ...row, verdict: VERDICTS.get(row.verdict) as CheckVerdict }))
}
