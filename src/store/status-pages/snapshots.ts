// What a public status page shows, and nothing else. No address, header, cause, key or hidden name is selected here, so
// none can leak.
import type { MonitorState } from '../../domain/monitors/monitor.ts'
import type { Interval } from '../../domain/monitors/uptime.ts'
import type { AffectedState, ComponentState } from '../../domain/status-pages/page-state.ts'
import type { Impact, StatusIncidentStatus } from '../../domain/status-pages/status-incident.ts'
import type { PageSettings } from '../../domain/status-pages/status-page.ts'
import { type Db, type Statement, sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { isInMaintenance } from '../maintenance/in-maintenance.ts'

export type PageAddress = { slug: string } | { domain: string }

const FIND = sql`select org_id as "orgId", page_id as "pageId" from find_public_page($1, $2)`

/** Runs before the organization is known. Pages that are unpublished, or of a deleted organization, are not found. */
export async function findPublicPage(
  db: Db,
  address: PageAddress,
): Promise<{ orgId: string; pageId: string } | undefined> {
  const [row] = await db.query<{ orgId: string; pageId: string }>(FIND, valuesOf(address))
  return row
}

const IS_MOVING = sql`select page_is_moving($1, $2) as "isMoving"`

/** Whether a page that is not found belongs to an organization that is being moved to another installation. */
export async function isPageMoving(db: Db, address: PageAddress): Promise<boolean> {
  const [row] = await db.query<{ isMoving: boolean }>(IS_MOVING, valuesOf(address))
  return row?.isMoving ?? false
}

const valuesOf = (address: PageAddress): (string | null)[] =>
  'slug' in address ? [address.slug, null] : [null, address.domain]

const SHOWN_INCIDENTS = 300
export const SHOWN_WINDOWS = 100
// Messages are the only part of a page that could become very large.
const MAX_MESSAGE_CHARACTERS = 1_000_000
const MAX_POST_MORTEM_CHARACTERS = 300_000
// Regardless of their length.
const SHOWN_UPDATES = 3_000

const shownIncidents = sql`
  select i.* from status_incident_pages p
    join status_incidents i on i.org_id = p.org_id and i.id = p.status_incident_id
   where p.org_id = $1 and p.page_id = $2 and ($3::uuid is null or i.id = $3)
   order by i.resolved_at is not null, i.started_at desc, i.id desc
   limit ${{ text: String(SHOWN_INCIDENTS) }}`

// Every write changes a row's xmin, whatever it wrote.
const MARK = sql`
  with shown as (${shownIncidents})
  select p.slug, case p.custom_domain_status when 'ACTIVE' then p.custom_domain end as domain,
         p.password_hash as "passwordHash",
         md5(concat_ws('|', p::text,
           (select string_agg(s::text, ';' order by s.id) from status_page_sections s
             where s.org_id = $1 and s.page_id = $2),
           (select string_agg(concat_ws(',', c::text, m.name, t.state, t.last_status_changed_at,
                     ${isInMaintenance}), ';' order by c.id)
              from status_page_components c
              left join monitors m on m.org_id = c.org_id and m.id = c.monitor_id
              left join monitor_states t on t.monitor_no = m.no
             where c.org_id = $1 and c.page_id = $2),
           (select string_agg(concat_ws(',', i.id, i.updated_at, i.status, i.next_update_by,
                     i.next_update_by <= now(), m.updated_at), ';' order by i.id)
              from shown i left join status_incident_post_mortems m
                on m.org_id = $1 and m.status_incident_id = i.id),
           (select string_agg(concat_ws(',', w.id, w.xmin, w.occurrence_starts_at <= now(),
                     w.occurrence_ends_at <= now()), ';' order by w.id)
              from maintenance_windows w where w.org_id = $1 and w.show_on_status_pages),
           -- Monitors that are only in its ledger.
           (select string_agg(concat_ws(',', o.id, t.last_status_changed_at), ';' order by o.id)
              from (select id, monitor_id from page_ledger_overrides
                     where org_id = $1 and page_id = $2 order by at desc limit 200) o
              join monitors m on m.org_id = $1 and m.id = o.monitor_id
              join monitor_states t on t.monitor_no = m.no))) as mark
    from status_pages p join organizations o on o.id = p.org_id and o.deleted_at is null
   where p.org_id = $1 and p.id = $2 and p.published`

/** `mark` changes whenever anything shown on the page changes. A page that is not public has none. */
export type PageMark = {
  slug: string
  /** Only a verified domain. */
  domain: string | null
  passwordHash: string | null
  mark: string
}

export async function findMark(tenant: Tenant, pageId: string): Promise<PageMark | undefined> {
  const [row] = await tenant.query<PageMark>(MARK, [tenant.orgId, pageId, null])
  return row
}

/** `domain` is the page's custom domain, if verified. */
export type PageRow = Omit<PageSettings, 'published' | 'customDomain'> & {
  id: string
  domain: string | null
  createdAt: Date
  updatedAt: Date
  now: Date
}

const PAGE = sql`
  select id, name, slug, case custom_domain_status when 'ACTIVE' then custom_domain end as domain,
         description, theme, accent_color as "accentColor", logo_url as "logoUrl",
         favicon_url as "faviconUrl", homepage_url as "homepageUrl", support_url as "supportUrl",
         locale, timezone, history_days as "historyDays", show_uptime as "showUptime",
         show_response_time as "showResponseTime", allow_indexing as "allowIndexing",
         subscribers_enabled as "subscribersEnabled", created_at as "createdAt",
         updated_at as "updatedAt", now() as now
    from status_pages where org_id = $1 and id = $2 and published`

export async function findPage(tenant: Tenant, pageId: string): Promise<PageRow | undefined> {
  const [row] = await tenant.query<PageRow>(PAGE, [tenant.orgId, pageId])
  return row
}

export type PageSectionRow = { id: string; name: string | null; collapsed: boolean }

const SECTIONS = sql`
  select id, name, collapsed from status_page_sections
   where org_id = $1 and page_id = $2 order by position, id`

export function listSections(tenant: Tenant, pageId: string): Promise<PageSectionRow[]> {
  return tenant.query<PageSectionRow>(SECTIONS, [tenant.orgId, pageId])
}

export type PageComponentRow = {
  id: string
  sectionId: string
  name: string
  description: string | null
  manualState: ComponentState | null
  monitorNo: number | null
  monitorState: MonitorState | null
  changedAt: Date | null
  inWindow: boolean
}

const COMPONENTS = sql`
  select c.id, c.section_id as "sectionId", coalesce(c.name, m.name) as name, c.description,
         c.manual_state as "manualState", m.no as "monitorNo", t.state as "monitorState",
         t.last_status_changed_at as "changedAt", ${isInMaintenance} as "inWindow"
    from status_page_components c
    left join monitors m on m.org_id = c.org_id and m.id = c.monitor_id
    left join monitor_states t on t.monitor_no = m.no
   where c.org_id = $1 and c.page_id = $2
   order by c.position, c.id`

export function listComponents(tenant: Tenant, pageId: string): Promise<PageComponentRow[]> {
  return tenant.query<PageComponentRow>(COMPONENTS, [tenant.orgId, pageId])
}

export type AffectedRow = { componentId: string; state: AffectedState }

export type PageIncidentRow = {
  id: string
  title: string
  status: StatusIncidentStatus
  impact: Impact
  startedAt: Date
  resolvedAt: Date | null
  createdAt: Date
  updatedAt: Date
  components: AffectedRow[] | null
  nextUpdateBy: Date | null
  /** Without its text if the page has too much of it. */
  postMortemAt: Date | null
  postMortem: string | null
}

const INCIDENTS = sql`
  select i.id, i.title, i.status, i.impact, i.started_at as "startedAt",
         i.resolved_at as "resolvedAt", i.created_at as "createdAt", i.updated_at as "updatedAt",
         (select json_agg(json_build_object('componentId', a.component_id, 'state', a.state)
                          order by a.position)
            from status_incident_components a
           where a.org_id = $1 and a.status_incident_id = i.id) as components,
         i.next_update_by as "nextUpdateBy", m.created_at as "postMortemAt",
         case when sum(char_length(m.message)) over (order by i.started_at desc, i.id desc) <= $4
              then m.message end as "postMortem"
    from (${shownIncidents}) i
    left join status_incident_post_mortems m on m.org_id = $1 and m.status_incident_id = i.id
   order by i.started_at desc, i.id desc`

export type PageUpdateRow = {
  id: string
  incidentId: string
  status: StatusIncidentStatus
  message: string
  components: AffectedRow[]
  createdAt: Date
}

const UPDATES = sql`
  with shown as (${shownIncidents}), told as (
    select u.*, sum(char_length(u.message)) over (
             order by i.resolved_at is not null, i.started_at desc, u.created_at desc, u.id desc) as so_far
      from shown i
      join status_incident_updates u on u.org_id = $1 and u.status_incident_id = i.id)
  select id, status_incident_id as "incidentId", status, message, components,
         created_at as "createdAt"
    from told where so_far <= $4 order by created_at desc, id desc
   limit ${{ text: String(SHOWN_UPDATES) }}`

/** Newest first. With an id, only that incident, however old. */
export async function listIncidents(
  tenant: Tenant,
  pageId: string,
  only: string | null = null,
): Promise<{ incidents: PageIncidentRow[]; updates: PageUpdateRow[] }> {
  const values = [tenant.orgId, pageId, only]
  const [incidents, updates] = await Promise.all([
    tenant.query<PageIncidentRow>(INCIDENTS, [...values, MAX_POST_MORTEM_CHARACTERS]),
    tenant.query<PageUpdateRow>(UPDATES, [...values, MAX_MESSAGE_CHARACTERS]),
  ])
  return { incidents, updates }
}

export type PageWindowRow = {
  id: string
  name: string
  description: string | null
  /** The current or next occurrence, or the first one if none is left. */
  startsAt: Date
  endsAt: Date
  createdAt: Date
  updatedAt: Date
  componentIds: string[] | null
}

/** `components` must define `c` with id, monitor_id and position. */
export const windowsOver = (components: Statement) => sql`
  select * from (
    select w.id, w.name, w.description, w.on_named_pages,
           coalesce(w.occurrence_starts_at, w.starts_at) as "startsAt",
           coalesce(w.occurrence_ends_at, w.ends_at) as "endsAt",
           w.created_at as "createdAt", w.updated_at as "updatedAt",
           (select json_agg(c.id order by c.position, c.id) from ${components}
             where c.monitor_id is not null
               and (w.all_monitors or exists (
                 select from maintenance_window_monitors o
                  where o.org_id = $1 and o.window_id = w.id and o.monitor_id = c.monitor_id)))
             as "componentIds"
      from maintenance_windows w
     where w.org_id = $1 and w.show_on_status_pages
       and (not w.on_named_pages or exists (
         select from maintenance_window_pages p
          where p.org_id = $1 and p.window_id = w.id and p.page_id = $2))) shown
   where on_named_pages or "componentIds" is not null
   order by "endsAt" desc, id limit $3`

const WINDOWS = windowsOver(sql`
  (select id, monitor_id, position from status_page_components where org_id = $1 and page_id = $2) c`)

export function listWindows(tenant: Tenant, pageId: string): Promise<PageWindowRow[]> {
  return tenant.query<PageWindowRow>(WINDOWS, [tenant.orgId, pageId, SHOWN_WINDOWS])
}

export type WindowSpan = { monitorNo: number; id: string; from: Date; to: Date | null }

const WINDOW_SPANS = sql`
  select w.monitor_no as "monitorNo", w.window_id as id, w.started_at as "from", w.ended_at as "to"
    from monitors m join maintenance_spans w on w.monitor_no = m.no
   where m.org_id = $1 and m.no = any ($2::bigint[])
     and w.started_at < $4 and (w.ended_at is null or w.ended_at > $3)
   order by w.started_at`

export function listWindowSpans(
  tenant: Tenant,
  monitorNos: readonly number[],
  within: Interval,
): Promise<WindowSpan[]> {
  return tenant.query<WindowSpan>(WINDOW_SPANS, [tenant.orgId, monitorNos, within.from, within.to])
}

const TYPICAL = sql`
  select m.no, percentile_disc(0.5) within group (order by h.p50_ms) as "responseMs"
    from monitors m join result_hours h on h.monitor_no = m.no
   where m.org_id = $1 and m.no = any ($2::bigint[])
     and h.hour > now() - interval '25 hours' and h.p50_ms is not null
   group by m.no`

/** The median of the hourly medians of the last day. */
export async function findTypicalResponses(
  tenant: Tenant,
  monitorNos: readonly number[],
): Promise<Map<number, number>> {
  const rows = await tenant.query<{ no: number; responseMs: number }>(TYPICAL, [
    tenant.orgId,
    monitorNos,
  ])
  return new Map(rows.map(({ no, responseMs }) => [no, responseMs]))
}
