// Whole monitors with what is attached to them, in pages by id.
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Tag } from '../../domain/monitors/tag.ts'
import type { RegionSetting } from '../../domain/regions/chosen-regions.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { type MonitorRecord, monitorColumns, toMonitor } from '../monitors/columns.ts'
import { ownRegionsOfMonitor } from '../monitors/region-settings.ts'
import { tagsOfMonitor } from '../monitors/tags.ts'

const LIST = sql`
  with page as materialized (
    select m.no from monitors m
     where m.org_id = $1 and ($2::uuid is null or m.id < $2)
       and ($4::uuid[] is null or m.id in (
         select a.monitor_id from monitor_tags a where a.org_id = $1 and a.tag_id = any ($4)
          group by a.monitor_id having count(*) = cardinality($4)))
     order by m.id desc limit $3)
  select ${monitorColumns}, ${tagsOfMonitor} as tags,
         array(select c.contact_id from monitor_alert_contacts c
                where c.org_id = $1 and c.monitor_id = m.id order by c.contact_id) as "contactUuids",
         (select json_build_object('source', b.source, 'address', b.address)
            from code_bindings b where b.org_id = $1 and b.resource_id = m.id) as "managedBy",
         ${ownRegionsOfMonitor} as regions
    from page join monitors m on m.no = page.no join monitor_states s on s.monitor_no = m.no
   where m.org_id = $1
   order by m.id desc`

type Attached = {
  tags: Tag[]
  contactUuids: string[]
  managedBy: { source: string; address: string } | null
  /** Chosen for this monitor; null if it follows a tag, the organization or the rules. */
  regions: RegionSetting | null
}
export type MonitorWithAttached = Attached & { monitor: Monitor }

type DetailPage = {
  limit: number
  /** Only monitors older than this one. */
  afterUuid?: string | undefined
  /** Only monitors that have all of these, each named once. */
  tagUuids?: readonly string[] | undefined
}

/** Newest first. */
export async function listMonitorDetails(
  tenant: Tenant,
  { limit, afterUuid, tagUuids }: DetailPage,
): Promise<MonitorWithAttached[]> {
  const values = [tenant.orgId, afterUuid ?? null, limit, tagUuids ?? null]
  const rows = await tenant.query<MonitorRecord & Attached>(LIST, values)
  return Promise.all(
    rows.map(async ({ tags, contactUuids, managedBy, regions, ...row }) => ({
      monitor: await toMonitor(tenant, row),
      tags,
      contactUuids,
      managedBy,
      regions,
    })),
  )
}
