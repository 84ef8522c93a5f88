// The receivers of an organization, what they were sent, and its maintenance windows: the other half of fillHistory.
import type { Step } from './history-step.ts'

const receivers: Step = {
  name: 'receivers',
  text: `
  with endpoints as (
    insert into webhook_endpoints (id, org_id, url, event_types)
    select pg_temp.id_at(now(), 'whe' || $1::uuid || n), $1::uuid, 'https://hooks-' || n || '.example.com/in', '{*}'
      from generate_series(1, 4) n returning id, org_id
  ), secrets as (
    insert into webhook_secrets (id, org_id, endpoint_id, secret, hint)
    select pg_temp.id_at(now(), 'sec' || id), org_id, id, '\\x00', 'abcd' from endpoints
  ), pages as (
    insert into status_pages (id, org_id, name, slug, published, theme, locale, timezone, history_days,
       show_uptime, show_response_time, allow_indexing, subscribers_enabled)
    select pg_temp.id_at(now(), 'sp' || $1::uuid || n), $1::uuid, 'Page ' || n, 'page-' || n || '-' || substr(md5($1::text), 1, 8),
           true, 'SYSTEM', 'en', 'UTC', 90, true, true, true, true from generate_series(1, 10) n
  )
  insert into maintenance_windows (id, org_id, name, starts_at, ends_at, timezone, recurrence, all_monitors,
    on_named_pages, show_on_status_pages, notify_subscribers, occurrence_starts_at, occurrence_ends_at, next_edge_at)
  select pg_temp.id_at(now(), 'mw' || $1::uuid || n), $1::uuid, 'Window ' || n, at.at, at.at + interval '1 hour', 'Europe/Berlin',
         '{"frequency": "WEEKLY", "interval": 1, "daysOfWeek": null, "dayOfMonth": null, "endsAt": null}', n % 20 = 0,
         false, true, false, next.at, next.at + interval '1 hour', next.at
    from generate_series(1, 200) n,
         lateral (select date_trunc('hour', now()) - (60 + n % 7) * interval '1 day' + n % 24 * interval '1 hour' as at) at,
         lateral (select date_trunc('hour', now()) + (n % 7 + 1) * interval '1 day' + n % 24 * interval '1 hour' as at) next`,
  values: (_size, orgId) => [orgId],
}

const covers: Step = {
  name: 'windows',
  text: `
  with listed as (
    insert into maintenance_window_monitors (org_id, window_id, monitor_id, position)
    select w.org_id, w.id, m.id, 0 from (select *, row_number() over (order by id) as n from maintenance_windows where org_id = $1::uuid) w
      join monitors m on m.org_id = $1::uuid and m.no % 200 = w.n % 200 where not w.all_monitors
    returning window_id, monitor_id
  )
  insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
  select m.no, at.at, at.at + interval '1 hour', l.window_id
    from listed l join monitors m on m.org_id = $1::uuid and m.id = l.monitor_id
    join maintenance_windows w on w.id = l.window_id,
         generate_series(1, $2::integer / 7) week, lateral (select w.occurrence_starts_at - week * interval '7 days' as at) at
   where at.at < now()`,
  values: ({ days: count }, orgId) => [orgId, count],
}

// Four events per incident of the last weeks, to every endpoint. One in fifty fails, one in twenty is retried.
const deliveries: Step = {
  name: 'deliveries',
  text: `
  with told as (
    select i.id, i.org_id, line.type, line.at + interval '500 milliseconds' as at
      from incidents i, lateral (values ('monitor.down', i.started_at), ('incident.opened', i.started_at),
        ('monitor.up', i.resolved_at), ('incident.resolved', i.resolved_at)) line (type, at)
     where i.org_id = $1::uuid and line.at > now() - $2::integer * interval '1 day'
  ), made as (
    insert into events (id, org_id, type, occurred_at, body)
    select pg_temp.id_at(at, type || id), org_id, type, at,
           json_build_object('id', 'evt', 'type', type, 'timestamp', at, 'apiVersion', 'v1', 'organizationId', 'org',
             'data', json_build_object('incident', json_build_object('id', pg_temp.public_id('inc', id)),
               'text', repeat('x', 1200)))::text from told
    returning id, org_id, type, occurred_at
  ), sent as (
    insert into deliveries (id, org_id, endpoint_id, event_id, event_type, status, attempt_count, last_attempt_at,
                            last_response_status, last_error, url, created_at, completed_at)
    select pg_temp.id_at(e.occurred_at, 'd' || e.id || w.id), e.org_id, w.id, e.id, e.type, how.status, how.attempts,
           e.occurred_at, case how.status when 'FAILED' then 500 else 200 end,
           case how.status when 'FAILED' then 'BAD_STATUS' end, w.url, e.occurred_at, e.occurred_at + interval '1 second'
      from made e cross join webhook_endpoints w,
           lateral (select pg_temp.chance('s' || e.id || w.id) as c) c,
           lateral (select case when c.c < 0.02 then 'FAILED' else 'SUCCEEDED' end as status,
                           case when c.c < 0.02 then 10 when c.c < 0.07 then 3 else 1 end as attempts) how
     where w.org_id = $1::uuid
    returning id, org_id, status, attempt_count, created_at
  )
  insert into attempts (delivery_id, number, id, org_id, trigger, started_at, duration_ms, outcome, response_status, response_body)
  select s.id, n, pg_temp.id_at(s.created_at, 'a' || s.id || n), s.org_id, 'AUTOMATIC', s.created_at + n * interval '5 seconds',
         80 + n, case when s.status = 'SUCCEEDED' and n = s.attempt_count then 'SUCCEEDED' else 'FAILED' end, 200, '{"received":true}'
    from sent s, generate_series(1, s.attempt_count) n`,
  values: ({ rawDays }, orgId) => [orgId, rawDays],
}

const contacts: Step = {
  name: 'contacts',
  text: `
  with people as (
    insert into alert_contacts (id, org_id, name, channel, settings)
    select pg_temp.id_at(now(), 'act' || $1::uuid || n), $1::uuid, 'Contact ' || n, 'SLACK', '\\x00' from generate_series(1, 5) n
    returning id, org_id
  ), lanes as (
    insert into receivers (id, org_id, channel) select id, org_id, 'ALERT' from people
  ), attached as (
    insert into monitor_alert_contacts (org_id, monitor_id, contact_id)
    select m.org_id, m.id, p.id from monitors m cross join people p where m.org_id = $1::uuid
  ), told as (
    select p.id as contact_id, i.id as incident_id, line.kind, line.at + interval '1 second' as at
      from incidents i cross join people p,
           lateral (values ('DOWN', i.started_at), ('RECOVERED', i.resolved_at)) line (kind, at)
     where i.org_id = $1::uuid and line.at > now() - $2::integer * interval '1 day'
  ), sent as (
    insert into deliveries (id, org_id, endpoint_id, channel, message, status, attempt_count, created_at, completed_at)
    select pg_temp.id_at(at, kind || incident_id || contact_id), $1::uuid, contact_id, 'ALERT', '\\x00', 'SUCCEEDED', 1, at,
           at + interval '400 milliseconds' from told
  )
  insert into alert_messages (delivery_id, org_id, contact_id, kind, thread, title, incident_ids, created_at, settled_at)
  select pg_temp.id_at(at, kind || incident_id || contact_id), $1::uuid, contact_id, kind, incident_id, 'A monitor is down',
         array[incident_id], at, at + interval '1 second' from told`,
  values: ({ rawDays }, orgId) => [orgId, rawDays],
}

const audit: Step = {
  name: 'audit log',
  text: `
  insert into audit_log (id, org_id, at, actor_type, actor_id, actor_name, action, resource_id, request_id)
  select pg_temp.id_at(at.at, 'aud' || $1::uuid || n), $1::uuid, at.at, 'USER', $1::uuid, 'Ana', 'updateMonitor', 'mon_x', 'req_x'
    from generate_series(1, 20000) n, lateral (select now() - n * interval '5 minutes' as at) at`,
  values: (_size, orgId) => [orgId],
}

export const SENDING_STEPS: readonly Step[] = [receivers, covers, deliveries, contacts, audit]
