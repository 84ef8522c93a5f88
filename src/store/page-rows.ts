// What the dashboard's list of status pages tells beyond the pages themselves.
import { sql } from './db.ts'
import type { Tenant } from './tenants.ts'

const FIGURES = sql`
  select p.id as uuid,
         (select count(*) from page_subscribers s
           where s.org_id = $1 and s.page_id = p.id and s.confirmed_at is not null) as subscribers,
         (select count(*) from status_incident_pages o
            join status_incidents i on i.org_id = o.org_id and i.id = o.status_incident_id
           where o.org_id = $1 and o.page_id = p.id and i.status <> 'RESOLVED') as "openIncidents"
    from status_pages p where p.org_id = $1 and p.id = any ($2::uuid[])`

export type PageFigures = {
  /** Those who confirmed their address. */
  subscribers: number
  openIncidents: number
}

export async function findPageFigures(
  tenant: Tenant,
  uuids: readonly string[],
): Promise<Map<string, PageFigures>> {
  const rows = await tenant.query<{ uuid: string } & PageFigures>(FIGURES, [tenant.orgId, uuids])
  return new Map(rows.map(({ uuid, ...figures }) => [uuid, figures]))
}
