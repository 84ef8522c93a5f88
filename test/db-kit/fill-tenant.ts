// One row in every tenant table, so that no isolation test passes because a table was empty.
import type pg from 'pg'
import { createMonitor } from '../../src/actions/monitors/create.ts'
import { sampleSettings } from '../samples/monitor.ts'
import type { TestDatabase } from './db-fixture.ts'
import { toPublicId } from './public-id.ts'
import { seedIncident } from './seed-incident.ts'

export type Tenancy = {
  orgId: string
  monitorUuid: string
  monitorNo: number
  incidentUuid: string
}

const BY_ORGANIZATION = [
  `insert into api_keys (id, org_id, name, access, hash, last4)
   values (gen_random_uuid(), $1, 'Key', 'FULL', sha256($1::uuid::text::bytea), 'last')`,
  `insert into alert_contacts (id, org_id, name, channel, settings, confirmed_at)
   values (new_uuid(), $1, 'Contact', 'EMAIL', '\\x00', now())`,
  `insert into monitor_alert_contacts (org_id, monitor_id, contact_id)
   select m.org_id, m.id, c.id from monitors m join alert_contacts c using (org_id) where m.org_id = $1`,
  `with region as (
     insert into regions (name) values ('proven') on conflict (name) do update set name = excluded.name returning no)
   insert into region_proofs (org_id, monitor_no, region, passed_at, address, port)
   select m.org_id, m.no, r.no, now(), '192.0.2.7', 443 from monitors m, region r where m.org_id = $1`,
  `insert into tags (id, org_id, name, key) values (new_uuid(), $1, 'Production', 'production')`,
  `insert into monitor_tags (org_id, monitor_id, tag_id)
   select m.org_id, m.id, t.id from monitors m join tags t using (org_id) where m.org_id = $1`,
  `insert into region_settings (id, org_id, monitor_id, regions, mode, updated_at)
   select new_uuid(), org_id, id, '{proven}', 'FIRST', now() from monitors where org_id = $1`,
  `insert into escalation_policies (id, org_id, monitor_id, updated_at)
   select new_uuid(), org_id, id, now() from monitors where org_id = $1`,
  `insert into escalation_steps (org_id, policy_id, number, after_minutes)
   select org_id, id, 1, 5 from escalation_policies where org_id = $1`,
  `insert into escalation_contacts (org_id, policy_id, step, contact_id)
   select p.org_id, p.id, 1, c.id from escalation_policies p join alert_contacts c using (org_id) where p.org_id = $1`,
  `insert into monitor_bulks (id, org_id, change, total, left_ids)
   select new_uuid(), org_id, '{"do":"PAUSE"}', 1, array[id] from monitors where org_id = $1`,
  `insert into monitor_views (id, org_id, name, key, filter) values (new_uuid(), $1, 'Down', 'down', '{}')`,
  `insert into code_sources (org_id, name, revision, updated_at) values ($1, 'shop', 1, now())`,
  `insert into code_bindings (org_id, source, address, prefix, resource_id, generation)
   select org_id, 'shop', 'monitors.shop', 'mon', id, 1 from monitors where org_id = $1`,
  `insert into ping_alias_ids (org_id, id) values ($1, '\\x00')`,
  `insert into ping_aliases (hash, org_id, monitor_id, created_at)
   select sha256(id::text::bytea), org_id, id, now() from monitors where org_id = $1`,
  `insert into alert_troubles (id, org_id, kind, monitor_id, since, about, contact_ids)
   select new_uuid(), org_id, 'EXPIRING', id, now(), '{}', '{}' from monitors where org_id = $1`,
  `insert into alert_tellings (org_id, trouble_id, contact_id, thread, told_at)
   select t.org_id, t.id, c.id, t.id, now() from alert_troubles t join alert_contacts c using (org_id) where org_id = $1`,
  `insert into alert_messages (delivery_id, org_id, contact_id, kind, thread, title, incident_ids)
   select new_uuid(), org_id, id, 'TEST', new_uuid(), 'Test', '{}' from alert_contacts where org_id = $1`,
  `insert into monitor_notices (org_id, monitor_no, kind, since, reason, notify_at)
   select org_id, no, 'NOT_CHECKED', now(), 'NO_PROBE', now() from monitors where org_id = $1`,
  `insert into owner_notices (org_id, kind, thread, sent_at, is_open)
   values ($1, 'NOT_CHECKED', new_uuid(), now(), true)`,
  `insert into push_devices (id, org_id, contact_id, name, endpoint_hash, subscription)
   select new_uuid(), org_id, id, 'Browser', sha256(id::text::bytea), '\\x00' from alert_contacts where org_id = $1`,
  `insert into incident_notes (id, org_id, incident_id, at, user_id, user_name, text)
   select new_uuid(), org_id, id, now(), new_uuid(), 'Ana', 'On it' from incidents where org_id = $1`,
  `insert into webhook_endpoints (id, org_id, url, event_types)
   values (new_uuid(), $1, 'https://example.com/', '{*}')`,
  `insert into webhook_secrets (id, org_id, endpoint_id, secret, hint)
   select new_uuid(), org_id, id, '\\x00', 'hint' from webhook_endpoints where org_id = $1`,
  `insert into deliveries (id, org_id, endpoint_id, event_id, event_type, url, next_attempt_at, created_at)
   select new_uuid(), w.org_id, w.id, e.id, e.type, w.url, now(), now()
     from webhook_endpoints w join events e using (org_id) where org_id = $1 limit 1`,
  `insert into attempts (delivery_id, number, id, org_id, trigger, started_at)
   select id, 1, new_uuid(), org_id, 'AUTOMATIC', now() from deliveries where org_id = $1 limit 1`,
  `insert into day_usage (org_id, day, kind, bytes) values ($1, current_date, 'PINGS', 1)`,
  `insert into idempotency_records (org_id, key, fingerprint, status, body, expires_at)
   values ($1, 'key', sha256('x'), 200, '\\x00', now() + interval '1 day')`,
  `insert into audit_log (id, org_id, at, actor_type, actor_name, action)
   values (new_uuid(), $1, now(), 'OPERATOR', 'Test', 'fill')`,
  `with person as (
     insert into users (id, email, name) values (new_uuid(), $1::uuid || '@example.com', 'Ana') returning id
   ) insert into members (org_id, user_id, role) select $1, id, 'OWNER' from person`,
  `insert into passkeys (id, user_id, name, credential_id, public_key, signatures)
   select new_uuid(), user_id, 'Laptop', sha256(user_id::text::bytea), '\\x00', 0 from members where org_id = $1`,
  `insert into answered_challenges (hash, user_id, expires_at)
   select sha256(user_id::text::bytea), user_id, now() from members where org_id = $1`,
  `insert into invitations (id, org_id, email, role, token_hash, invited_by, expires_at)
   values (new_uuid(), $1, 'new@example.com', 'MEMBER', sha256($1::uuid::text::bytea), 'Ana', now())`,
  `insert into status_pages (id, org_id, name, slug, published, theme, locale, timezone, history_days,
     show_uptime, show_response_time, allow_indexing, subscribers_enabled)
   values (new_uuid(), $1, 'Page', $1::uuid::text, true, 'SYSTEM', 'en', 'UTC', 90, true, true, true, true)`,
  `insert into status_page_sections (id, org_id, page_id, position, collapsed)
   select new_uuid(), org_id, id, 0, false from status_pages where org_id = $1`,
  `insert into status_page_components (id, org_id, page_id, section_id, position, name)
   select new_uuid(), org_id, page_id, id, 0, 'Component' from status_page_sections where org_id = $1`,
  `insert into status_incidents (id, org_id, title, status, impact, started_at)
   values (new_uuid(), $1, 'Title', 'INVESTIGATING', 'MINOR', now())`,
  `insert into status_incident_pages (org_id, status_incident_id, page_id, position)
   select i.org_id, i.id, p.id, 0 from status_incidents i join status_pages p using (org_id) where org_id = $1`,
  `insert into status_incident_components (org_id, status_incident_id, component_id, position, state)
   select i.org_id, i.id, c.id, 0, 'DEGRADED'
     from status_incidents i join status_page_components c using (org_id) where org_id = $1`,
  `insert into status_incident_post_mortems
     (org_id, status_incident_id, message, notified_subscribers, created_at, updated_at)
   select org_id, id, 'x', false, now(), now() from status_incidents where org_id = $1`,
  `insert into status_incident_updates
     (id, org_id, status_incident_id, status, message, components, notified_subscribers, created_at)
   select new_uuid(), org_id, id, status, '', '[]', false, now() from status_incidents where org_id = $1`,
  `insert into page_ledgers (org_id, page_id, since) select org_id, id, now() from status_pages where org_id = $1`,
  `insert into page_ledger_overrides (id, org_id, page_id, monitor_id, component_name, kind, at)
   select new_uuid(), p.org_id, p.id, m.id, 'Shop', 'COMPONENT_REMOVED', now()
     from status_pages p join monitors m using (org_id) where p.org_id = $1`,
  `insert into maintenance_windows (id, org_id, name, starts_at, ends_at, timezone, all_monitors, on_named_pages,
     show_on_status_pages, notify_subscribers)
   values (new_uuid(), $1, 'Window', now(), now() + interval '1 hour', 'UTC', false, true, true, false)`,
  `insert into maintenance_window_monitors (org_id, window_id, monitor_id, position)
   select w.org_id, w.id, m.id, 0 from maintenance_windows w join monitors m using (org_id) where org_id = $1`,
  `insert into maintenance_window_pages (org_id, window_id, page_id, position)
   select w.org_id, w.id, p.id, 0 from maintenance_windows w join status_pages p using (org_id) where org_id = $1`,
  `insert into page_mail_secrets (page_id, org_id, secret)
   select id, org_id, '\\x00' from status_pages where org_id = $1`,
  `insert into page_subscribers (id, org_id, page_id, email, email_hash, token, token_hash, asked_at)
   select new_uuid(), org_id, id, '\\x00', sha256('a'), '\\x00', sha256(org_id::text::bytea), now()
     from status_pages where org_id = $1`,
  `insert into subscriber_notices (id, org_id, page_id, notice, component_ids)
   select new_uuid(), org_id, id, '{}', '{}' from status_pages where org_id = $1`,
]
const BY_MONITOR = [
  `insert into heartbeat_calls (monitor_no, at, signal) values ($1, now(), 'SUCCESS')`,
  `insert into results (monitor_no, slot, kind, verdict) values ($1, now(), 0, 0)`,
  `insert into region_results (monitor_no, slot, region, verdict)
   select $1::bigint, now(), no, 0 from regions where name = 'proven'`,
  `select ensure_pack_partition((now() at time zone 'UTC')::date) from (values ($1::bigint)) m`,
  `insert into result_packs (monitor_no, day, results, verdict_bits, gaps, codes, ms_high, ms_low, detail_0, detail_1,
     detail_2, detail_3)
   values ($1, (now() at time zone 'UTC')::date, 0, 0, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`,
  `insert into missed (monitor_no, from_slot, to_slot, count, reason) values ($1, now(), now(), 1, 'OVERLAP')`,
  `insert into result_hours (monitor_no, hour, ok, failed, inconclusive)
   values ($1, date_trunc('hour', now()), 1, 0, 0)`,
  `insert into result_days (monitor_no, day, ok, failed, inconclusive) values ($1, current_date, 1, 0, 0)`,
  `insert into maintenance_spans (monitor_no, started_at, window_id) values ($1, now(), gen_random_uuid())`,
]

type Fillable = Pick<TestDatabase, 'admin' | 'tenants' | 'createOrganization'>

export async function fillTenant(database: Fillable): Promise<Tenancy> {
  const orgId = await database.createOrganization()
  const monitor = await database.tenants.transaction(orgId, (tx) =>
    createMonitor(tx, sampleSettings()),
  )
  const { admin } = database
  await seedIncident(admin, toPublicId('mon', monitor.uuid))
  for (const statement of BY_ORGANIZATION) await admin.query(statement, [orgId])
  for (const statement of BY_MONITOR) await admin.query(statement, [monitor.no])
  const { rows } = await admin.query<{ id: string }>('select id from incidents where org_id = $1', [
    orgId,
  ])
  return {
    orgId,
    monitorUuid: monitor.uuid,
    monitorNo: monitor.no,
    incidentUuid: rows[0]?.id ?? '',
  }
}

export type TenantTable = { name: string; column: string; isProtected: boolean }

/** Every table and the column that identifies the owner of a row; `column` is empty if there is none. */
export async function listTables(admin: pg.Client): Promise<TenantTable[]> {
  const { rows } = await admin.query<TenantTable>(`
    select c.relname as name, c.relrowsecurity as "isProtected",
           coalesce((select a.attname from pg_attribute a
                      where a.attrelid = c.oid and a.attname in ('org_id', 'monitor_no')
                      order by a.attname desc limit 1),
                    case c.relname when 'organizations' then 'id' else '' end) as column
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       -- Rows of a packed day, before they are dropped.
       and c.relname !~ '^packed_rows_'
     order by c.relname`)
  return rows
}

/** The value in that column that identifies this organization. */
export function ownerValue({ column }: TenantTable, { orgId, monitorNo }: Tenancy): string {
  return column === 'monitor_no' ? String(monitorNo) : orgId
}
