import type { Section } from '../../domain/status-pages/status-page.ts'
import { sql } from '../core/db.ts'
import type { TenantTx } from '../core/tenants.ts'

const LOCK_MONITORS = sql`
  select id from monitors where org_id = $1 and id = any ($2::uuid[]) for key share`

/** Returns those that belong to the organization. They cannot be deleted until the transaction ends. */
export async function lockMonitors(tx: TenantTx, uuids: readonly string[]): Promise<Set<string>> {
  if (uuids.length === 0) return new Set()
  const rows = await tx.query<{ id: string }>(LOCK_MONITORS, [tx.orgId, uuids])
  return new Set(rows.map(({ id }) => id))
}

const SAVE_SECTIONS = sql`
  insert into status_page_sections (org_id, page_id, id, name, collapsed, position)
  select $1, $2, s.id, s.name, s.collapsed, s.position
    from unnest($3::uuid[], $4::text[], $5::boolean[])
         with ordinality as s (id, name, collapsed, position)
  on conflict (id) do update
    set name = excluded.name, collapsed = excluded.collapsed, position = excluded.position`
const SAVE_COMPONENTS = sql`
  insert into status_page_components (
    org_id, page_id, id, section_id, name, description, monitor_id, manual_state, position)
  select $1, $2, c.id, c.section_id, c.name, c.description, c.monitor_id, c.manual_state, c.position
    from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::text[])
         with ordinality as c (id, section_id, name, description, monitor_id, manual_state, position)
  on conflict (id) do update
    set section_id = excluded.section_id, name = excluded.name, description = excluded.description,
        monitor_id = excluded.monitor_id, manual_state = excluded.manual_state,
        position = excluded.position`
const DROP_COMPONENTS = sql`
  delete from status_page_components
   where org_id = $1 and page_id = $2 and id <> all ($3::uuid[])`
const DROP_SECTIONS = sql`
  delete from status_page_sections
   where org_id = $1 and page_id = $2 and id <> all ($3::uuid[])`

/** Replaces all sections. Moves components before deleting their old section, because that would delete them too. */
export async function saveSections(
  tx: TenantTx,
  pageUuid: string,
  sections: readonly Section[],
): Promise<void> {
  const scope = [tx.orgId, pageUuid]
  const sectionUuids = sections.map(({ uuid }) => uuid)
  await tx.query(SAVE_SECTIONS, [
    ...scope,
    sectionUuids,
    sections.map(({ name }) => name),
    sections.map(({ collapsed }) => collapsed),
  ])
  const components = sections.flatMap((section) =>
    section.components.map((component) => ({ ...component, sectionUuid: section.uuid })),
  )
  const componentUuids = components.map(({ uuid }) => uuid)
  await tx.query(SAVE_COMPONENTS, [
    ...scope,
    componentUuids,
    components.map(({ sectionUuid }) => sectionUuid),
    components.map(({ name }) => name),
    components.map(({ description }) => description),
    components.map(({ monitorUuid }) => monitorUuid),
    components.map(({ manualState }) => manualState),
  ])
  await tx.query(DROP_COMPONENTS, [...scope, componentUuids])
  await tx.query(DROP_SECTIONS, [...scope, sectionUuids])
}
