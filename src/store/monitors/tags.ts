import { MAX_TAGS, MAX_TAGS_OF_MONITOR, type Tag, tagKey } from '../../domain/monitors/tag.ts'
import type { RegionSetting } from '../../domain/regions/chosen-regions.ts'
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

/** `pages`: names of the status pages with a section that follows it. */
export type ListedTag = Tag & {
  monitors: number
  pages: string[]
  regions: RegionSetting | null
}

const LIST = sql`
  select t.id as uuid, t.name,
         (select count(*)::integer from monitor_tags a where a.org_id = $1 and a.tag_id = t.id) as monitors,
         array(select distinct p.name from status_page_sections s
                 join status_pages p on p.org_id = $1 and p.id = s.page_id
                where s.org_id = $1 and s.tag_id = t.id order by p.name) as pages,
         (select json_build_object('regions', r.regions, 'mode', r.mode, 'downWhen', r.down_when) from region_settings r
           where r.org_id = $1 and r.tag_id = t.id) as regions
    from tags t where t.org_id = $1 order by t.key limit $2`

export function listTags(tenant: Tenant): Promise<ListedTag[]> {
  return tenant.query<ListedTag>(LIST, [tenant.orgId, MAX_TAGS])
}

const INSERT = sql`
  insert into tags (org_id, id, name, key)
  select $1, n.id, n.name, n.key from unnest($2::uuid[], $3::text[], $4::text[]) n (id, name, key)`
const RENAME = sql`update tags set name = $3, key = $4 where org_id = $1 and id = $2`
const DELETE = sql`delete from tags where org_id = $1 and id = $2 returning id`

export async function insertTags(tx: TenantTx, tags: readonly Tag[]): Promise<void> {
  const names = tags.map(({ name }) => name)
  await tx.query(INSERT, [tx.orgId, tags.map(({ uuid }) => uuid), names, names.map(tagKey)])
}

export async function renameTag(tx: TenantTx, { uuid, name }: Tag): Promise<void> {
  await tx.query(RENAME, [tx.orgId, uuid, name, tagKey(name)])
}

export async function deleteTag(tx: TenantTx, uuid: string): Promise<boolean> {
  return (await tx.query(DELETE, [tx.orgId, uuid])).length > 0
}

// A monitor that would have too many tags, or tags with different regions, gets none of them.
const ADD = sql`
  with fitting as (
    select m.id from monitors m
     where m.org_id = $1 and m.id = any ($2::uuid[])
       and (select count(*) from (
              select a.tag_id from monitor_tags a where a.org_id = $1 and a.monitor_id = m.id
              union select unnest($3::uuid[])) had) <= $4
       and (select count(distinct (r.regions, r.mode, r.down_when)) from region_settings r
             where r.org_id = $1 and r.tag_id in (
               select a.tag_id from monitor_tags a where a.org_id = $1 and a.monitor_id = m.id
               union select unnest($3::uuid[]))) <= 1
       for key share
  ), added as (
    insert into monitor_tags (org_id, monitor_id, tag_id)
    select $1, f.id, t.id from fitting f cross join unnest($3::uuid[]) t (id)
    on conflict do nothing)
  select id from fitting`
const REMOVE = sql`
  delete from monitor_tags where org_id = $1 and monitor_id = any ($2::uuid[]) and tag_id = any ($3::uuid[])`
const REMOVE_OTHERS = sql`
  delete from monitor_tags where org_id = $1 and monitor_id = $2 and tag_id <> all ($3::uuid[])`

/** Returns the monitors that have these tags now: those that exist and have room for them. */
export async function addTags(
  tx: TenantTx,
  monitorUuids: readonly string[],
  tagUuids: readonly string[],
): Promise<string[]> {
  const values = [tx.orgId, monitorUuids, tagUuids, MAX_TAGS_OF_MONITOR]
  const rows = await tx.query<{ id: string }>(ADD, values)
  return rows.map(({ id }) => id)
}

export async function removeTags(
  tx: TenantTx,
  monitorUuids: readonly string[],
  tagUuids: readonly string[],
): Promise<void> {
  await tx.query(REMOVE, [tx.orgId, monitorUuids, tagUuids])
}

export async function removeOtherTags(
  tx: TenantTx,
  monitorUuid: string,
  keptUuids: readonly string[],
): Promise<void> {
  await tx.query(REMOVE_OTHERS, [tx.orgId, monitorUuid, keptUuids])
}

/** For any row `m` of monitors: its tags by name. */
export const tagsOfMonitor = sql`
  (select coalesce(json_agg(json_build_object('uuid', t.id, 'name', t.name) order by t.key), '[]')
     from monitor_tags a join tags t on t.org_id = a.org_id and t.id = a.tag_id
    where a.org_id = $1 and a.monitor_id = m.id)`

const FIND_OF = sql`
  select ${tagsOfMonitor} as tags from monitors m where m.org_id = $1 and m.id = $2`
const LIST_TAGGED = sql`
  with tagged as (select distinct monitor_id from monitor_tags where org_id = $1)
  select (select count(*)::integer from tagged) as total, m.id as uuid, ${tagsOfMonitor} as tags
    from (select) one left join (
      monitors m join (select monitor_id from tagged order by monitor_id limit $2 offset $3) p
        on m.org_id = $1 and m.id = p.monitor_id) on true
   order by m.id`

/** Undefined if there is no such monitor. */
export async function findTagsOf(tenant: Tenant, monitorUuid: string): Promise<Tag[] | undefined> {
  const [row] = await tenant.query<{ tags: Tag[] }>(FIND_OF, [tenant.orgId, monitorUuid])
  return row?.tags
}

export type TaggedMonitor = { uuid: string; tags: Tag[] }

export async function listTaggedMonitors(
  tenant: Tenant,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ monitors: TaggedMonitor[]; total: number }> {
  type Row = { total: number } & (TaggedMonitor | { uuid: null })
  const rows = await tenant.query<Row>(LIST_TAGGED, [tenant.orgId, limit, offset])
  const monitors = rows.filter((row): row is Row & TaggedMonitor => row.uuid !== null)
  return { monitors, total: rows[0]?.total ?? 0 }
}
