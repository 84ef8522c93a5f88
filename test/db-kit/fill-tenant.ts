// One row in every tenant table, so that no test of isolation passes because a table was empty.
import type pg from 'pg'
import { createMonitor } from '../../src/actions/create-monitor.ts'
import type { TestDatabase } from './db-bench.ts'
import { toPublicId } from './public-id.ts'
import { seedIncident } from './seed-incident.ts'
import { settings } from './settings.ts'

export type Tenancy = {
  orgId: string
  monitorUuid: string
  monitorNo: number
  incidentUuid: string
}

const BY_ORGANIZATION = [
  `insert into api_keys (id, org_id, name, access, hash, last4)
   values (gen_random_uuid(), $1, 'Key', 'FULL', sha256($1::uuid::text::bytea), 'last')`,
  `insert into alert_contacts (id, org_id, name, channel, settings)
   values (new_uuid(), $1, 'Contact', 'EMAIL', '\\x00')`,
  `insert into monitor_alert_contacts (org_id, monitor_id, contact_id)
   select m.org_id, m.id, c.id from monitors m join alert_contacts c using (org_id) where m.org_id = $1`,
  `insert into webhook_endpoints (id, org_id, url, event_types)
   values (new_uuid(), $1, 'https://example.com/', '{*}')`,
  `insert into webhook_secrets (id, org_id, endpoint_id, secret, hint)
   select new_uuid(), org_id, id, '\\x00', 'hint' from webhook_endpoints where org_id = $1`,
  `insert into deliveries (id, org_id, endpoint_id, event_id, event_type, url, next_attempt_at, created_at)
   select new_uuid(), w.org_id, w.id, e.id, e.type, w.url, now(), now()
     from webhook_endpoints w join events e using (org_id) where org_id = $1 limit 1`,
  `insert into attempts (delivery_id, number, id, org_id, trigger, started_at)
   select id, 1, new_uuid(), org_id, 'AUTOMATIC', now() from deliveries where org_id = $1 limit 1`,
  `insert into idempotency_records (org_id, key, fingerprint, status, body, expires_at)
   values ($1, 'key', sha256('x'), 200, '\\x00', now() + interval '1 day')`,
  `insert into audit_log (id, org_id, at, actor_type, actor_name, action)
   values (new_uuid(), $1, now(), 'OPERATOR', 'Test', 'fill')`,
]
const BY_MONITOR = [
  `insert into heartbeat_calls (monitor_no, at, signal) values ($1, now(), 'SUCCESS')`,
  `insert into results (monitor_no, slot, kind, verdict) values ($1, now(), 0, 0)`,
  `insert into missed (monitor_no, from_slot, to_slot, count, reason) values ($1, now(), now(), 1, 'OVERLAP')`,
  `insert into result_hours (monitor_no, hour, ok, failed, inconclusive)
   values ($1, date_trunc('hour', now()), 1, 0, 0)`,
  `insert into result_days (monitor_no, day, ok, failed, inconclusive) values ($1, current_date, 1, 0, 0)`,
  `insert into maintenance_spans (monitor_no, started_at, window_id) values ($1, now(), gen_random_uuid())`,
]

export async function fillTenant(database: TestDatabase): Promise<Tenancy> {
  const orgId = await database.createOrganization()
  const monitor = await database.tenants.transaction(orgId, (tx) => createMonitor(tx, settings()))
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

/** Every table and the column that says whose a row is; `column` is empty when nothing does. */
export async function listTables(admin: pg.Client): Promise<TenantTable[]> {
  const { rows } = await admin.query<TenantTable>(`
    select c.relname as name, c.relrowsecurity as "isProtected",
           coalesce((select a.attname from pg_attribute a
                      where a.attrelid = c.oid and a.attname in ('org_id', 'monitor_no')
                      order by a.attname desc limit 1),
                    case c.relname when 'organizations' then 'id' else '' end) as column
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`)
  return rows
}

/** The value in that column that means this organization. */
export function ownerValue({ column }: TenantTable, { orgId, monitorNo }: Tenancy): string {
  return column === 'monitor_no' ? String(monitorNo) : orgId
}
