// What the dashboard's list of status pages shows besides the pages themselves.
import type { StatusIncident } from '../../domain/status-pages/status-incident.ts'
import { sql } from '../core/db.ts'
import { readPage } from '../core/page.ts'
import type { Tenant } from '../core/tenants.ts'

const FIGURES = sql`
  select p.id as uuid,
         (select count(*) from page_subscribers s
           where s.org_id = $1 and s.page_id = p.id and s.confirmed_at is not null) as subscribers,
         (select count(*) from page_subscribers s
           where s.org_id = $1 and s.page_id = p.id and s.confirmed_at is null) as waiting,
         (select count(*) from status_incident_pages o
            join status_incidents i on i.org_id = o.org_id and i.id = o.status_incident_id
           where o.org_id = $1 and o.page_id = p.id and i.status <> 'RESOLVED') as "openIncidents"
    from status_pages p where p.org_id = $1 and p.id = any ($2::uuid[])`

export type PageFigures = {
  /** Subscribers who confirmed their address. */
  subscribers: number
  /** Subscribers who have not confirmed their address yet. */
  waiting: number
  openIncidents: number
}

export async function findPageFigures(
  tenant: Tenant,
  uuids: readonly string[],
): Promise<Map<string, PageFigures>> {
  const rows = await tenant.query<{ uuid: string } & PageFigures>(FIGURES, [tenant.orgId, uuids])
  return new Map(rows.map(({ uuid, ...figures }) => [uuid, figures]))
}

const published = sql`
  status_incidents i
   where i.org_id = $1
     and ($2::uuid is null or exists (
       select from status_incident_pages p
        where p.org_id = $1 and p.page_id = $2 and p.status_incident_id = i.id))`
const inOrder = sql`(i.status = 'RESOLVED'), i.started_at desc, i.id desc`
const PUBLISHED = sql`
  with page as (
    select i.id from ${published} order by ${inOrder} limit $3 offset $4
  ), total as (
    select count(*) as total from ${published}
  )
  select total.total, i.id as uuid, i.title, i.status, i.impact, i.incident_id as "incidentUuid",
         i.started_at as "startedAt", i.resolved_at as "resolvedAt",
         (select count(*) from status_incident_updates u
           where u.org_id = $1 and u.status_incident_id = i.id) as updates,
         (select coalesce(json_agg(json_build_object('componentUuid', c.component_id, 'state', c.state)
                   order by c.position), '[]')
            from status_incident_components c
           where c.org_id = $1 and c.status_incident_id = i.id) as components
    from total left join (page join status_incidents i on i.org_id = $1 and i.id = page.id) on true
   order by ${inOrder}`

export type PublishedIncidentRow = Omit<
  StatusIncident,
  'pageUuids' | 'updates' | 'createdAt' | 'updatedAt'
> & { updates: number }

type PublishedFilter = { limit: number; offset: number; pageUuid?: string | undefined }

/** Published incidents of one page or of all: ongoing ones first, then by start, newest first. */
export async function listPublishedIncidents(
  tenant: Tenant,
  { limit, offset, pageUuid }: PublishedFilter,
): Promise<{ total: number; incidents: PublishedIncidentRow[] }> {
  const values = [tenant.orgId, pageUuid, limit, offset]
  const { total, rows } = await readPage<PublishedIncidentRow>(tenant, PUBLISHED, values)
  return { total, incidents: rows }
}

const SHOWN = { text: '50' }
const ABOUT = sql`
  select i.id as uuid, i.title, i.status from status_incidents i
   where i.org_id = $1 and i.incident_id = $2 order by i.created_at, i.id limit ${SHOWN}`

/** What was published about a detected incident, oldest first. */
export function listPublishedAbout(
  tenant: Tenant,
  incidentUuid: string,
): Promise<Pick<StatusIncident, 'uuid' | 'title' | 'status'>[]> {
  return tenant.query(ABOUT, [tenant.orgId, incidentUuid])
}
