// Alert conditions and who was notified of them. Written with the events, and by the planner under its organization's
// lock.
import type { AlertPlan } from '../../domain/alerts/alerting.ts'
import type { NewAlertCondition } from '../../domain/alerts/condition.ts'
import {
  type ConditionEnd,
  type ConditionFacts,
  ENDED,
  ENDED_BY_NEWER,
} from '../../domain/alerts/condition-end.ts'
import type { AlertCondition, Notification } from '../../domain/alerts/model.ts'
import type { AlertSubject } from '../../domain/alerts/text.ts'
import { rowsOf } from '../core/columns.ts'
import { bringing, type Db, sql } from '../core/db.ts'

/** `id` is that of the event. */
type ConditionInsert = NewAlertCondition & {
  id: string
  orgId: string
  traceparent: string | undefined
}

const given = rowsOf<ConditionInsert>({
  id: ['uuid', ({ id }) => id],
  org_id: ['uuid', ({ orgId }) => orgId],
  kind: ['text', ({ kind }) => kind],
  monitor_id: ['uuid', ({ monitorUuid }) => monitorUuid],
  incident_id: ['uuid', ({ incidentUuid }) => incidentUuid],
  url: ['text', ({ url }) => url],
  host: ['text', ({ host }) => host],
  since: ['timestamptz', ({ since }) => since],
  about: ['jsonb', ({ about, traceparent }) => JSON.stringify({ ...about, traceparent })],
  region: ['smallint', ({ silentIn }) => (typeof silentIn === 'number' ? silentIn : null)],
  is_ping: ['boolean', ({ silentIn }) => silentIn === 'PINGS'],
})

// Only for monitors with contacts: the others alert no one. Only an outage can be acknowledged, so only it escalates.
// Silence that begins while its region's doubt is over joins that doubt.
const INSERT = bringing(
  'ALERTS',
  sql`
  insert into alert_troubles
    (id, org_id, kind, monitor_id, incident_id, host, since, about, contact_ids, escalation_ids, doubt_id)
  select u.id, u.org_id, u.kind, u.monitor_id, u.incident_id, alert_host(u.url, u.host), u.since, u.about,
         coalesce(attached.ids, '{}'), coalesce(escalated.ids, '{}'), d.id
    from ${given}
    left join region_doubts d
      on d.region = case when u.is_ping then (select region from ping_receipt) else u.region end
     and d.passed_at is null and d.ends_at <= now()
   cross join lateral (
     select array_agg(a.contact_id) as ids from monitor_alert_contacts a
      where a.org_id = u.org_id and a.monitor_id = u.monitor_id) attached
   cross join lateral (
     select array_agg(e.contact_id) as ids from escalation_of(u.org_id, u.monitor_id) e
      where u.kind = 'DOWN') escalated
   where attached.ids is not null or escalated.ids is not null`,
)

/** Call it in the transaction of the events. */
export async function insertConditions(
  tx: Db,
  conditions: readonly ConditionInsert[],
): Promise<void> {
  await tx.query(INSERT, given.values(conditions))
}

const withSubject = sql`
  alert_troubles t
    left join incidents i on i.org_id = t.org_id and i.id = t.incident_id
    left join monitors m on m.org_id = t.org_id and m.id = t.monitor_id
    left join monitor_states s on s.monitor_no = m.no
    left join webhook_endpoints e on e.org_id = t.org_id and e.id = t.endpoint_id
    left join region_doubts d on d.id = t.doubt_id`
// After a doubt, its outages wait for the next check of each, but not for monitors that are checked once a day.
const isDoubtOpen = sql`
  (d.passed_at is null
   or (coalesce(s.last_checked_at, '-infinity') < d.passed_at and now() < d.passed_at + interval '10 minutes'))`
// The names of `Situation`.
const situation = sql`
  case t.kind
    when 'DOWN' then case when i.id is null then 'DOWN DELETED' when i.resolved_at is null then 'DOWN OPEN'
                          else 'DOWN RESOLVED' end
    when 'DEGRADED' then 'DEGRADED ' || coalesce(s.state, 'DELETED')
    when 'WEBHOOK_FAILING' then 'WEBHOOK_FAILING ' ||
      case when e.id is null then 'DELETED'
           else coalesce(e.disabled_reason, case when e.failing_since is null then 'HEALTHY' else 'UNHEALTHY' end) end
    else t.kind
  end`
const newer = sql`
  alert_troubles n
   where n.org_id = t.org_id and n.done_at is null and n.id > t.id and n.kind = t.kind
     and coalesce(n.monitor_id, n.endpoint_id) = coalesce(t.monitor_id, t.endpoint_id)`

const FIND_DUE = sql`
  select distinct t.org_id as "orgId" from ${withSubject}
    join organizations o on o.id = t.org_id and o.deleted_at is null
   where t.done_at is null
     and (t.look_at <= now()
          or (t.ended_at is null
              and (${situation} = any ($2::text[])
                   or (${situation} = any ($3::text[]) and exists (select from ${newer})))))
   limit $1`

/** Organizations with alerts to plan now. A deleted one alerts no one; if that is undone, it continues. */
export async function findDueOrganizations(db: Db, most: number): Promise<string[]> {
  const rows = await db.query<{ orgId: string }>(FIND_DUE, [most, ENDED, ENDED_BY_NEWER])
  return rows.map(({ orgId }) => orgId)
}

// In the order of their indexes, which have only what is open.
const IS_OPEN = sql`
  select coalesce((select true from alert_troubles where done_at is null order by org_id, id limit 1),
                  (select true from alert_messages where settled_at is null order by delivery_id limit 1),
                  false) as "isOpen"`

/** Whether there is any condition to plan for, or any message without an outcome. */
export async function hasOpenAlerts(db: Db): Promise<boolean> {
  const [row] = await db.query<{ isOpen: boolean }>(IS_OPEN)
  return row?.isOpen === true
}

const LOCK = sql`select pg_try_advisory_xact_lock(7017, hashtext($1::text)) as held`

/** Allows one planner per organization. False if another one is at work. */
export async function lockAlerts(tx: Db, orgId: string): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>(LOCK, [orgId])
  return row?.held === true
}

/** A condition with everything that alerts say about it, and what decides whether it ended. */
export type StoredCondition = Omit<AlertCondition, keyof ConditionEnd> &
  ConditionFacts & {
    incidentUuid: string | null
    since: Date
    about: AlertSubject
    /** Trace context of the check that found it. Null if not traced. */
    traceparent: string | null
  }

const FIND = sql`
  select t.id as uuid, t.kind, coalesce(t.monitor_id, t.endpoint_id) as "monitorUuid", t.incident_id as "incidentUuid", t.host, t.since,
         t.noticed_at as "noticedAt", t.about, t.about ->> 'traceparent' as traceparent,
         ${situation} as situation, t.ended_at as "storedEndAt", i.resolved_at as "resolvedAt",
         i.resolution as "incidentResolution", s.state as "monitorState", s.last_status_changed_at as "stateChangedAt",
         case when ${situation} = any ($4::text[]) then (select min(n.noticed_at) from ${newer}) end as "newerAt",
         i.acknowledged_at as "acknowledgedAt",
         exists (select from maintenance_spans w
                  where w.monitor_no = m.no and w.started_at <= now()
                    and (w.ended_at is null or w.ended_at > now())) as "isSilent",
         t.kind = 'DOWN' and t.host = any ($2::text[]) as "awaitsHost",
         case when d.id is not null then json_build_object('uuid', d.id, 'isOpen', ${isDoubtOpen}) end as doubt,
         case when t.endpoint_id is not null then t.contact_ids
              else array(select a.contact_id from monitor_alert_contacts a
                          where a.org_id = t.org_id and a.monitor_id = t.monitor_id
                            and a.contact_id = any (t.contact_ids)) end as "contactUuids",
         case when t.escalation_ids = '{}' then '[]'::json
              else (select coalesce(json_agg(json_build_object(
                             'contactUuid', e.contact_id, 'step', e.step, 'afterMinutes', e.after_minutes)), '[]')
                      from escalation_of(t.org_id, t.monitor_id) e
                     where e.contact_id = any (t.escalation_ids)) end as escalation
    from ${withSubject}
   where t.org_id = $1 and t.done_at is null order by t.id limit $3`

// Hosts that failed a moment ago and have monitors not checked since.
const FIND_AWAITED = sql`
  with failed as (
    select t.host, min(t.since) as since from alert_troubles t
     where t.org_id = $1 and t.done_at is null and t.ended_at is null and t.kind = 'DOWN' and t.host is not null
       and t.noticed_at > now() - make_interval(secs => $2)
     group by t.host
  )
  select distinct f.host from failed f
    join monitors m on m.org_id = $1 and alert_host(m.url, m.host) = f.host
    join monitor_states s on s.monitor_no = m.no
   where s.state not in ('DOWN', 'PAUSED') and coalesce(s.last_checked_at, '-infinity') < f.since`

const MAX_CONDITIONS = 2000

/** `togetherSeconds`: conditions noticed longer ago no longer wait for other monitors. */
export async function findConditions(
  tx: Db,
  orgId: string,
  togetherSeconds: number,
): Promise<StoredCondition[]> {
  const awaited = await tx.query<{ host: string }>(FIND_AWAITED, [orgId, togetherSeconds])
  const hosts = awaited.map(({ host }) => host)
  return tx.query<StoredCondition>(FIND, [orgId, hosts, MAX_CONDITIONS, ENDED_BY_NEWER])
}

const COUNT_ACTIVE = sql`
  select count(*)::integer as count from monitors m join monitor_states s on s.monitor_no = m.no
   where m.org_id = $1 and s.state <> 'PAUSED'`

export async function countActiveMonitors(tx: Db, orgId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT_ACTIVE, [orgId])
  return row?.count ?? 0
}

const FIND_NOTIFICATIONS = sql`
  select trouble_id as "conditionUuid", contact_id as "contactUuid", thread, told_at as "toldAt",
         reminded_at as "remindedAt", end_told_at as "endToldAt"
    from alert_tellings where org_id = $1 and trouble_id = any ($2::uuid[])`

export async function findNotifications(
  tx: Db,
  orgId: string,
  conditionUuids: readonly string[],
): Promise<Notification[]> {
  return tx.query<Notification>(FIND_NOTIFICATIONS, [orgId, conditionUuids])
}

const notified = rowsOf<Notification>(
  {
    trouble_id: ['uuid', ({ conditionUuid }) => conditionUuid],
    contact_id: ['uuid', ({ contactUuid }) => contactUuid],
    thread: ['uuid', ({ thread }) => thread],
    told_at: ['timestamptz', ({ toldAt }) => toldAt],
    reminded_at: ['timestamptz', ({ remindedAt }) => remindedAt],
    end_told_at: ['timestamptz', ({ endToldAt }) => endToldAt],
  },
  2,
)
const SAVE_NOTIFICATIONS = sql`
  insert into alert_tellings (org_id, ${notified.columns}) select $1, u.* from ${notified}
  on conflict (trouble_id, contact_id) do update
    set reminded_at = excluded.reminded_at, end_told_at = excluded.end_told_at`
const SAVE_CONDITIONS = sql`
  update alert_troubles t
     set ended_at = coalesce(t.ended_at, u.ended_at), look_at = coalesce($4::timestamptz, 'infinity'),
         done_at = case when u.id = any ($5::uuid[]) then now() end
    from unnest($2::uuid[], $3::timestamptz[]) u (id, ended_at)
   where t.org_id = $1 and t.id = u.id`

/** Saves who was notified, and when to check again. */
export async function savePlan(
  tx: Db,
  orgId: string,
  conditions: readonly AlertCondition[],
  { notifications, doneUuids, nextPollAt }: AlertPlan,
): Promise<void> {
  if (notifications.length > 0)
    await tx.query(SAVE_NOTIFICATIONS, [orgId, ...notified.values(notifications)])
  const uuids = conditions.map(({ uuid }) => uuid)
  const ends = conditions.map(({ endedAt }) => endedAt)
  await tx.query(SAVE_CONDITIONS, [orgId, uuids, ends, nextPollAt, doneUuids])
}

const RESCHEDULE = bringing(
  'ALERTS',
  sql`
  update alert_troubles set look_at = now()
   where org_id = $1 and id = any (array(
     select id from alert_troubles where org_id = $1 and done_at is null order by id for update))`,
)

/** Call it after contacts or their rules change. */
export async function rescheduleAlerts(tx: Db, orgId: string): Promise<void> {
  await tx.query(RESCHEDULE, [orgId])
}
