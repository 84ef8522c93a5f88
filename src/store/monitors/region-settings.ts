// Regions that somebody chose for a monitor, a tag or the organization.
import type { EachRegion, RegionSetting } from '../../domain/regions/chosen-regions.ts'
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

export type RegionTarget =
  | { kind: 'MONITOR' | 'TAG'; uuid: string }
  | { kind: 'ORGANIZATION'; uuid: null }

export type StoredRegionSetting = RegionSetting & { target: RegionTarget; updatedAt: Date }

// The nearest counts. Tags that differ are refused where they meet; the previous version does not know that, so the
// oldest setting counts then.
const nearest = sql`
  order by (r.monitor_id is null)::integer + (r.monitor_id is null and r.tag_id is null)::integer, r.id limit 1`

const concernsMonitor = sql`
  r.org_id = m.org_id
    and (r.monitor_id = m.id
         or r.tag_id in (select a.tag_id from monitor_tags a where a.org_id = m.org_id and a.monitor_id = m.id)
         or (r.monitor_id is null and r.tag_id is null))`

const setting = sql`json_build_object('regions', r.regions, 'mode', r.mode, 'downWhen', r.down_when)`

/** Of the monitor `m`; null without a setting. */
export const chosenRegionsOfMonitor = sql`
  (select ${setting} from region_settings r where ${concernsMonitor} ${nearest})`

/** Of the monitor `m`, by its own setting alone; null without one. */
export const ownRegionsOfMonitor = sql`
  (select ${setting} from region_settings r where r.org_id = m.org_id and r.monitor_id = m.id)`

/** Of the organization `o`, for what has no monitor yet. */
export const chosenRegionsOfOrganization = sql`
  (select ${setting} from region_settings r
    where r.org_id = o.id and r.monitor_id is null and r.tag_id is null)`

/** `eachRegion`: every check runs in all of them; null: in one. */
export type RegionChoice = { chosenRegions: string[]; eachRegion: EachRegion | null }
export type StoredChoice = (RegionSetting & { regions: string[] }) | null

export function toChoice(stored: StoredChoice): RegionChoice {
  const { regions = [], mode, downWhen = null } = stored ?? {}
  return { chosenRegions: regions, eachRegion: mode === 'EACH' ? { downWhen } : null }
}

const columns = sql`
  r.regions, r.mode, r.down_when as "downWhen", r.updated_at as "updatedAt",
  case when r.monitor_id is not null then 'MONITOR' when r.tag_id is not null then 'TAG' else 'ORGANIZATION' end as kind,
  coalesce(r.monitor_id, r.tag_id) as uuid`
const isTarget = sql`
  r.org_id = $1 and r.monitor_id is not distinct from case when $2::text = 'MONITOR' then $3::uuid end
    and r.tag_id is not distinct from case when $2::text = 'TAG' then $3::uuid end`

const FIND = sql`select ${columns} from region_settings r where ${isTarget}`
const FIND_EFFECTIVE = sql`
  select ${columns} from monitors m, region_settings r
   where m.org_id = $1 and m.id = $2 and ${concernsMonitor} ${nearest}`

type Row = RegionSetting & RegionTarget & { updatedAt: Date }

function toSetting({ kind, uuid, ...rest }: Row): StoredRegionSetting {
  // Safe because the columns are null together.
  return { ...rest, target: { kind, uuid } as RegionTarget }
}

export async function findRegionSetting(
  tenant: Tenant,
  { kind, uuid }: RegionTarget,
): Promise<StoredRegionSetting | undefined> {
  const [row] = await tenant.query<Row>(FIND, [tenant.orgId, kind, uuid])
  return row && toSetting(row)
}

/** What counts for a monitor: its own, its tag's, or the organization's. */
export async function findEffectiveSetting(
  tenant: Tenant,
  monitorUuid: string,
): Promise<StoredRegionSetting | undefined> {
  const [row] = await tenant.query<Row>(FIND_EFFECTIVE, [tenant.orgId, monitorUuid])
  return row && toSetting(row)
}

const DELETE = sql`delete from region_settings r where ${isTarget} returning 1 as one`
const INSERT = sql`
  insert into region_settings (id, org_id, monitor_id, tag_id, regions, mode, updated_at, down_when)
  values ($4, $1, case when $2::text = 'MONITOR' then $3::uuid end, case when $2::text = 'TAG' then $3::uuid end,
          $5, $6, $7, $8)`

export async function deleteRegionSetting(
  tx: TenantTx,
  { kind, uuid }: RegionTarget,
): Promise<boolean> {
  return (await tx.query(DELETE, [tx.orgId, kind, uuid])).length > 0
}

export async function replaceRegionSetting(
  tx: TenantTx,
  target: RegionTarget,
  { regions, mode, downWhen }: RegionSetting,
): Promise<StoredRegionSetting> {
  await deleteRegionSetting(tx, target)
  const { kind, uuid } = target
  await tx.query(INSERT, [tx.orgId, kind, uuid, tx.newUuid(), regions, mode, tx.now, downWhen])
  return { regions, mode, downWhen, target, updatedAt: tx.now }
}

// Tags whose monitors could not follow both.
const DIFFERENT = sql`
  select t.name, u.name as other
    from region_settings r join tags t on t.org_id = r.org_id and t.id = r.tag_id
    join region_settings s on s.org_id = r.org_id and (s.regions, s.mode, s.down_when) is distinct from (r.regions, r.mode, r.down_when)
    join tags u on u.org_id = s.org_id and u.id = s.tag_id
   where r.org_id = $1`
const FIND_DIFFERENT = sql`
  ${DIFFERENT} and r.tag_id = any ($2::uuid[]) and s.tag_id = any ($2::uuid[]) order by t.key, u.key limit 1`
const FIND_CLASH = sql`
  ${DIFFERENT} and r.tag_id = $2 and exists (
    select from monitor_tags a join monitor_tags b on b.org_id = a.org_id and b.monitor_id = a.monitor_id
     where a.org_id = $1 and a.tag_id = r.tag_id and b.tag_id = s.tag_id)
   order by u.key limit 1`

export type DifferentTags = { name: string; other: string }

/** Two of these tags that have different regions. */
export async function findDifferentTags(
  tx: TenantTx,
  tagUuids: readonly string[],
): Promise<DifferentTags | undefined> {
  return (await tx.query<DifferentTags>(FIND_DIFFERENT, [tx.orgId, tagUuids]))[0]
}

/** Another tag with different regions, on a monitor that has this tag too. */
export async function findClashingTag(
  tx: TenantTx,
  tagUuid: string,
): Promise<DifferentTags | undefined> {
  return (await tx.query<DifferentTags>(FIND_CLASH, [tx.orgId, tagUuid]))[0]
}
