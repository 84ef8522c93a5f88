// Which monitors a contact is alerted about.
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

const ATTACH = sql`
  insert into monitor_alert_contacts (org_id, monitor_id, contact_id)
  select m.org_id, m.id, $2 from monitors m
   where m.org_id = $1 and ($3::uuid[] is null or m.id = any ($3))
  on conflict do nothing`
const DETACH = sql`
  delete from monitor_alert_contacts
   where org_id = $1 and contact_id = $2 and ($3::uuid[] is null or monitor_id = any ($3))`
const ATTACHED = sql`
  select monitor_id as uuid from monitor_alert_contacts where org_id = $1 and contact_id = $2 order by monitor_id`

/** Attaches to monitors that exist. Null means all of them. */
export async function attachMonitors(
  tx: TenantTx,
  uuid: string,
  monitorUuids: readonly string[] | null,
): Promise<void> {
  await tx.query(ATTACH, [tx.orgId, uuid, monitorUuids])
}

const ATTACH_CONTACTS = sql`
  insert into monitor_alert_contacts (org_id, monitor_id, contact_id)
  select c.org_id, $2, c.id from alert_contacts c where c.org_id = $1 and c.id = any ($3::uuid[])
  on conflict do nothing`

/** Attaches contacts that exist to a monitor. */
export async function attachContacts(
  tx: TenantTx,
  monitorUuid: string,
  uuids: readonly string[],
): Promise<void> {
  if (uuids.length > 0) await tx.query(ATTACH_CONTACTS, [tx.orgId, monitorUuid, uuids])
}

export async function detachMonitors(
  tx: TenantTx,
  uuid: string,
  monitorUuids: readonly string[] | null,
): Promise<void> {
  await tx.query(DETACH, [tx.orgId, uuid, monitorUuids])
}

export async function listAttached(tenant: Tenant, uuid: string): Promise<string[]> {
  const rows = await tenant.query<{ uuid: string }>(ATTACHED, [tenant.orgId, uuid])
  return rows.map((row) => row.uuid)
}

const OF_MONITOR = sql`
  select contact_id as uuid from monitor_alert_contacts where org_id = $1 and monitor_id = $2 order by contact_id`

/** The contacts that are alerted about a monitor. */
export async function listContactsOf(tenant: Tenant, monitorUuid: string): Promise<string[]> {
  const rows = await tenant.query<{ uuid: string }>(OF_MONITOR, [tenant.orgId, monitorUuid])
  return rows.map((row) => row.uuid)
}
