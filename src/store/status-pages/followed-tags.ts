// Sections that follow a tag: they show the monitors that have it. Call the writes while holding the lock of
// `lockUsage`, as every change of tags and pages does.
import type { Tag } from '../../domain/monitors/tag.ts'
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

const FOLLOW = sql`
  update status_page_sections set tag_id = $4 where org_id = $1 and page_id = $2 and id = $3 returning id`

export type FollowedSection = { pageUuid: string; sectionUuid: string }

/** False if the page has no such section. A null tag ends it. */
export async function setSectionTag(
  tx: TenantTx,
  { pageUuid, sectionUuid }: FollowedSection,
  tagUuid: string | null,
): Promise<boolean> {
  return (await tx.query(FOLLOW, [tx.orgId, pageUuid, sectionUuid, tagUuid])).length > 0
}

const DROP = sql`
  delete from status_page_components c using status_page_sections s
   where c.org_id = $1 and s.org_id = $1 and s.id = c.section_id and s.tag_id is not null
     and c.monitor_id is not null
     and not exists (select 1 from monitor_tags a
                      where a.org_id = $1 and a.tag_id = s.tag_id and a.monitor_id = c.monitor_id)
  returning c.page_id as "pageUuid"`
const MISSING = sql`
  select s.page_id as "pageUuid", s.id as "sectionUuid", m.id as "monitorUuid",
         (select count(*)::integer from status_page_components c
           where c.org_id = $1 and c.page_id = s.page_id) as components,
         (select coalesce(max(c.position), 0)::integer from status_page_components c
           where c.org_id = $1 and c.page_id = s.page_id) as last
    from status_page_sections s
    join monitor_tags a on a.org_id = $1 and a.tag_id = s.tag_id
    join monitors m on m.org_id = $1 and m.id = a.monitor_id
   where s.org_id = $1 and s.tag_id is not null
     and not exists (select 1 from status_page_components c
                      where c.org_id = $1 and c.section_id = s.id and c.monitor_id = m.id)
   order by s.page_id, s.position, lower(m.name), m.no
   limit $2`

/** A monitor that a section should show and does not; `components` and `last` are of its page. */
export type MissingComponent = FollowedSection & {
  monitorUuid: string
  components: number
  last: number
}

/** Returns the pages that lost components. */
export async function dropUntagged(tx: TenantTx): Promise<string[]> {
  const rows = await tx.query<{ pageUuid: string }>(DROP, [tx.orgId])
  return rows.map(({ pageUuid }) => pageUuid)
}

export function findMissing(tx: TenantTx, limit: number): Promise<MissingComponent[]> {
  return tx.query<MissingComponent>(MISSING, [tx.orgId, limit])
}

const ADD = sql`
  insert into status_page_components (org_id, page_id, id, section_id, monitor_id, position)
  select $1, n.page_id, n.id, n.section_id, n.monitor_id, n.position
    from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::smallint[])
         as n (page_id, id, section_id, monitor_id, position)`
const TOUCH = sql`update status_pages set updated_at = $3 where org_id = $1 and id = any ($2::uuid[])`

export type AddedComponent = FollowedSection & { monitorUuid: string; position: number }

export async function addTagged(tx: TenantTx, added: readonly AddedComponent[]): Promise<void> {
  await tx.query(ADD, [
    tx.orgId,
    added.map(({ pageUuid }) => pageUuid),
    added.map(() => tx.newUuid()),
    added.map(({ sectionUuid }) => sectionUuid),
    added.map(({ monitorUuid }) => monitorUuid),
    added.map(({ position }) => position),
  ])
}

export async function touchPages(tx: TenantTx, pageUuids: readonly string[]): Promise<void> {
  await tx.query(TOUCH, [tx.orgId, [...new Set(pageUuids)], tx.now])
}

const SECTION_TAGS = sql`
  select s.id as "sectionUuid", t.id as uuid, t.name from status_page_sections s
    join tags t on t.org_id = $1 and t.id = s.tag_id
   where s.org_id = $1 and s.page_id = any ($2::uuid[])`

/** By section. */
export async function findSectionTags(
  tenant: Tenant,
  pageUuids: readonly string[],
): Promise<ReadonlyMap<string, Tag>> {
  const rows = await tenant.query<Tag & { sectionUuid: string }>(SECTION_TAGS, [
    tenant.orgId,
    pageUuids,
  ])
  return new Map(rows.map(({ sectionUuid, ...tag }) => [sectionUuid, tag]))
}
