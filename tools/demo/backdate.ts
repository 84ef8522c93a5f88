// Moves what was just set up into the past: when it was created, changed and published.
import { fromPublicId, toPublicId } from '../../src/domain/values/id.ts'
import type { Row } from '../history/whole-sets.ts'
import { chance, pick, uuidAt } from './chance.ts'
import { type DemoMonitor, PAST_DAYS } from './past.ts'
import type { Published } from './publishing.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type CreatedDemo = {
  orgId: string
  people: ReadonlyMap<string, string>
  settled: { published: readonly { id: string; story: Published }[] }
}
type Statement = { text: string; values(acme: CreatedDemo, now: Date): unknown[] }

const own = ({ orgId }: CreatedDemo) => [orgId]

// In creation order, over the time before the recorded history starts.
const spread = (table: string, column = 'created_at'): Statement => ({
  text: `
    update ${table} t set ${column} = now() - (100 + 12 * o.place) * interval '1 day' - o.place * interval '97 minutes'
      from (select id, row_number() over (order by id desc) as place from ${table} where org_id = $1) o
     where t.id = o.id`,
  values: own,
})

export const BACKDATE: readonly Statement[] = [
  {
    text: `update monitors m set created_at = s.at, updated_at = s.at
             from (select monitor_no, min(started_at) as at from state_spans group by 1) s
            where m.org_id = $1 and s.monitor_no = m.no`,
    values: own,
  },
  ...['alert_contacts', 'webhook_endpoints', 'api_keys', 'status_pages', 'maintenance_windows'].map(
    (table) => spread(table),
  ),
  // A recurring window has recurred since it was created.
  {
    text: `
      update maintenance_windows w
         set counts_from = created_at, starts_at = (w.starts_at at time zone w.timezone - before) at time zone w.timezone,
             ends_at = (w.ends_at at time zone w.timezone - before) at time zone w.timezone,
             occurrence_starts_at = starts_at, occurrence_ends_at = ends_at
        from (select interval '63 days' as before) b where w.org_id = $1 and w.recurrence is not null`,
    values: own,
  },
  {
    text: `update members m set created_at = now() - (110 + 9 * o.place) * interval '1 day'
             from (select user_id, row_number() over (order by created_at desc) as place from members
                    where org_id = $1) o
            where m.org_id = $1 and m.user_id = o.user_id`,
    values: own,
  },
  {
    text: `update api_keys set last_used_at = now() - (id::text ~ '[0-7]$')::integer * interval '3 days'
                                                    - interval '4 minutes' where org_id = $1`,
    values: own,
  },
  // Subscribers joined over the years; the last few have not confirmed yet.
  {
    text: `
      update page_subscribers s
         set created_at = at, asked_at = at, confirmed_at = case when not waits then at + interval '7 minutes' end
        from (select id, waits, now() - case when waits then place * interval '5 hours'
                                             else place * interval '19 days 3 hours' end as at
                from (select id, place, place <= total * 0.2 as waits
                        from (select id, row_number() over (partition by page_id order by id desc) as place,
                                     count(*) over (partition by page_id) as total
                                from page_subscribers where org_id = $1) r) w) o
       where s.id = o.id`,
    values: own,
  },
  // Spreads the audit entries from the setup over three months.
  {
    text: `update audit_log l set at = now() - ${PAST_DAYS} * interval '1 day'
                    + (o.place - 0.7) / o.total * ${PAST_DAYS - 1} * interval '1 day'
             from (select id, row_number() over (order by at, id) as place, count(*) over () as total
                     from audit_log where org_id = $1) o
            where l.id = o.id`,
    values: own,
  },
  {
    text: `update webhook_endpoints set last_success_at = now() - interval '14 minutes' where org_id = $1
             and url not like '%warehouse%'`,
    values: own,
  },
  {
    text: `update webhook_endpoints set last_failure_at = now() - interval '9 minutes', failures_in_a_row = 7,
                  failing_since = now() - interval '3 days 3 hours', last_success_at = now() - interval '6 days'
            where org_id = $1 and url like '%warehouse%'`,
    values: own,
  },
  {
    text: `insert into receivers as r (id, org_id, channel, last_success_at, last_failure_at, failures_in_a_row, failing_since)
           select c.id, c.org_id, 'ALERT', case when works then lately end, case when not works then lately end,
                  case when works then 0 else 3 end, case when not works then now() - interval '2 days' end
             from alert_contacts c, lateral (select c.channel <> 'DISCORD' as works,
                                                    now() - interval '13 minutes' as lately) how
            where c.org_id = $1
               on conflict (id) do update set last_success_at = excluded.last_success_at,
                  last_failure_at = excluded.last_failure_at, failures_in_a_row = excluded.failures_in_a_row,
                  failing_since = excluded.failing_since`,
    values: own,
  },
  {
    text: `update status_incidents s set started_at = u.started, created_at = u.first, updated_at = u.last,
                  resolved_at = case when s.resolved_at is not null then u.last end
             from json_to_recordset($1) as u (id uuid, started timestamptz, first timestamptz, last timestamptz)
            where s.id = u.id`,
    values: ({ settled }, now) => [
      JSON.stringify(
        settled.published.map(({ id, story }) => ({
          id: fromPublicId('sin', id),
          started: minutesBefore(now, story.startedMinutesAgo),
          first: minutesBefore(now, story.updates[0]?.minutesAgo ?? 0),
          last: minutesBefore(now, story.updates.at(-1)?.minutesAgo ?? 0),
        })),
      ),
    ],
  },
  // Each was published about an outage that the monitors had found.
  {
    text: `update status_incidents s set incident_id = (
             select i.id from incidents i
               join status_page_components c on c.org_id = i.org_id and c.monitor_id = i.monitor_id
               join status_incident_components x on x.component_id = c.id and x.status_incident_id = s.id
              where i.org_id = s.org_id
              order by abs(extract(epoch from i.started_at - s.started_at)) limit 1)
            where s.org_id = $1`,
    values: own,
  },
  {
    text: `update status_incident_updates x set created_at = u.at
             from json_to_recordset($1) as u (id uuid, place integer, at timestamptz),
                  (select id, status_incident_id, row_number() over (partition by status_incident_id order by id) as place
                     from status_incident_updates) o
            where x.id = o.id and o.status_incident_id = u.id and o.place = u.place`,
    values: ({ settled }, now) => [
      JSON.stringify(
        settled.published.flatMap(({ id, story }) =>
          story.updates.map(({ minutesAgo }, index) => ({
            id: fromPublicId('sin', id),
            place: index + 1,
            at: minutesBefore(now, minutesAgo),
          })),
        ),
      ),
    ],
  },
]

const minutesBefore = (now: Date, minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)

const ACTIONS = [
  'updateMonitor', 'updateMonitor', 'updateMonitor', 'pauseMonitor', 'resumeMonitor', 'checkMonitor',
] as const // biome-ignore format: a list of names

const UPDATES = [
  [{ field: 'intervalSeconds', from: 300, to: 60 }],
  [{ field: 'timeoutSeconds', from: 30, to: 10 }, { field: 'degradedThresholdMs', from: null, to: 500 }],
  [{ field: 'followRedirects', from: true, to: false }],
  [{ field: 'requestHeaders' }, { field: 'expectedStatus', from: '200', to: '200, 204' }],
  [{ field: 'intervalSeconds', from: 60, to: 30 }, { field: 'degradedSamples', from: 1, to: 3 }, { field: 'degradedThresholdMs', from: 800, to: 600 }],
] as const // biome-ignore format: one change per line

/** What the team changed besides acknowledging incidents: a few things a day. */
export function actionRows(
  { orgId, people }: CreatedDemo,
  monitors: readonly DemoMonitor[],
  now: Date,
): Row[] {
  const names = [...people.keys()]
  return Array.from({ length: 160 }, (_, index) => {
    const at = new Date(now.getTime() - chance(`when ${index}`) * PAST_DAYS * DAY_MS)
    const by = pick(`who ${index}`, names)
    const monitor = pick(`which ${index}`, monitors.slice(0, 40))
    const action = pick(`what ${index}`, ACTIONS)
    const changes = pick(`how ${index}`, UPDATES)
    return {
      id: uuidAt(at, `action ${index}`),
      org_id: orgId,
      at,
      actor_type: 'USER',
      actor_id: people.get(by) ?? null,
      actor_name: by,
      action,
      resource_id: toPublicId('mon', monitor.uuid),
      resource_name: monitor.name,
      request_id: toPublicId('aud', uuidAt(at, `request ${index}`)).replace('aud', 'req'),
      detail: action === 'updateMonitor' ? { changes } : {},
    }
  })
}
