import type { AffectedState } from '../../domain/status-pages/page-state.ts'
import {
  PAGE_FIELDS,
  PAGE_SETTINGS,
  type PageSettings,
  type Section,
  type ShownComponent,
  type StatusPage,
} from '../../domain/status-pages/status-page.ts'
import { columnsOf, parametersOf, selectFields } from '../core/columns.ts'
import { sql } from '../core/db.ts'
import { pageOf, readPage } from '../core/page.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'
import { isUniqueViolation } from '../core/unique-violation.ts'
import { isInMaintenance } from '../maintenance/in-maintenance.ts'

const components = sql`
  (select coalesce(json_agg(json_build_object(
            'uuid', c.id, 'name', c.name, 'description', c.description, 'monitorUuid', c.monitor_id,
            'manualState', c.manual_state, 'monitorName', m.name, 'monitorType', m.type,
            'monitorState', t.state, 'inWindow', ${isInMaintenance}) order by c.position), '[]')
     from status_page_components c
     left join monitors m on m.org_id = c.org_id and m.id = c.monitor_id
     left join monitor_states t on t.monitor_no = m.no
    where c.org_id = s.org_id and c.page_id = s.page_id and c.section_id = s.id)`

// Read once per page, not per component. Resolved incidents leave components OPERATIONAL.
const incidentStates = sql`
  (select coalesce(json_agg(json_build_array(a.component_id, a.state)), '[]')
     from status_incident_pages ip
     join status_incidents i on i.org_id = ip.org_id and i.id = ip.status_incident_id
     join status_incident_components a on a.org_id = i.org_id and a.status_incident_id = i.id
    where ip.org_id = p.org_id and ip.page_id = p.id and i.status <> 'RESOLVED'
      and a.state <> 'OPERATIONAL')`

const columns = sql`
  p.id as uuid, ${selectFields('p', PAGE_FIELDS)}, p.custom_domain_status as "customDomainStatus",
  p.password_hash is not null as "passwordProtected", p.created_at as "createdAt", p.updated_at as "updatedAt",
  (select coalesce(json_agg(json_build_object('uuid', s.id, 'name', s.name, 'collapsed', s.collapsed,
            'components', ${components}) order by s.position), '[]')
     from status_page_sections s where s.org_id = p.org_id and s.page_id = p.id) as sections,
  ${incidentStates} as "incidentStates"`

type Row = Omit<StatusPage, 'sections'> & {
  sections: Section<Omit<ShownComponent, 'incidentStates'>>[]
  incidentStates: [componentUuid: string, state: AffectedState][]
}

function toPage({ incidentStates: said, ...row }: Row): StatusPage {
  const byComponent = Map.groupBy(said, ([componentUuid]) => componentUuid)
  const statesOf = (uuid: string) => (byComponent.get(uuid) ?? []).map(([, state]) => state)
  const sections = row.sections.map((section) => ({
    ...section,
    components: section.components.map((component) => ({
      ...component,
      incidentStates: statesOf(component.uuid),
    })),
  }))
  return { ...row, sections }
}

const FIND = sql`select ${columns} from status_pages p where p.org_id = $1 and p.id = $2`

export async function findPage(tenant: Tenant, uuid: string): Promise<StatusPage | undefined> {
  const [row] = await tenant.query<Row>(FIND, [tenant.orgId, uuid])
  return row && toPage(row)
}

const EXISTS = sql`select 1 as one from status_pages where org_id = $1 and id = $2`

export async function pageExists(tenant: Tenant, uuid: string): Promise<boolean> {
  return (await tenant.query(EXISTS, [tenant.orgId, uuid])).length > 0
}

const LOCK = sql`select 1 as one from status_pages where org_id = $1 and id = $2 for no key update`

/** Uses two statements: only a snapshot taken after the lock sees what was committed while it waited. */
export async function lockPage(tx: TenantTx, uuid: string): Promise<StatusPage | undefined> {
  const rows = await tx.query(LOCK, [tx.orgId, uuid])
  return rows.length === 0 ? undefined : findPage(tx, uuid)
}

const matching = sql`
  org_id = $1
    and ($4::text is null or position(lower($4) in lower(name)) > 0 or position(lower($4) in slug) > 0)`
const PAGE = pageOf({ table: 'status_pages p', matching, columns })

export type PageFilter = { limit: number; offset: number; q?: string | undefined }

/** One page of the list and the total count, from one snapshot. */
export async function listPages(tenant: Tenant, { limit, offset, q }: PageFilter) {
  const { total, rows } = await readPage<Row>(tenant, PAGE, [tenant.orgId, limit, offset, q])
  return { total, pages: rows.map(toPage) }
}

const COUNT = sql`select count(*) as pages from status_pages where org_id = $1`

/** Call it while holding the plan's lock. */
export async function countPages(tx: TenantTx): Promise<number> {
  const [row] = await tx.query<{ pages: number }>(COUNT, [tx.orgId])
  return row?.pages ?? 0
}

const FIND_TAKEN = sql`select find_taken_addresses($1, $2) as address`

/** Returns the slugs that other pages use and the domains that they serve, in any organization. */
export async function findTakenAddresses(
  tx: TenantTx,
  wanted: readonly string[],
  ownPage: string | null,
): Promise<Set<string>> {
  const rows = await tx.query<{ address: string }>(FIND_TAKEN, [wanted, ownPage])
  return new Set(rows.map(({ address }) => address))
}

const WRITTEN = columnsOf(PAGE_FIELDS).map(({ column }) => column)
const inserted = parametersOf(WRITTEN, 5)
const insertedDomain = { text: `$${5 + PAGE_SETTINGS.indexOf('customDomain')}` }

// A slug taken at the same moment is not an error yet: the caller may try another one.
const INSERT = sql`
  insert into status_pages (
    org_id, id, password_hash, created_at, updated_at, ${inserted.columns}, custom_domain_status)
  values ($1, $2, $3, $4, $4, ${inserted.values},
    case when ${insertedDomain}::text is null then 'NONE' else 'PENDING' end)
  on conflict do nothing
  returning id`

/** False if the slug was just taken. */
export async function insertPage(
  tx: TenantTx,
  uuid: string,
  settings: PageSettings,
  passwordHash: string | null,
): Promise<boolean> {
  const values = [tx.orgId, uuid, passwordHash, tx.now, ...settingsValues(settings)]
  return (await tx.query(INSERT, values)).length > 0
}

const updated = parametersOf(WRITTEN, 4)
const domain = { text: `$${4 + PAGE_SETTINGS.indexOf('customDomain')}` }

// A new domain must be verified again.
const UPDATE = sql`
  update status_pages
     set updated_at = $3, ${updated.assignments},
         custom_domain_status = case
           when custom_domain is not distinct from ${domain} then custom_domain_status
           when ${domain}::text is null then 'NONE' else 'PENDING' end,
         custom_domain_checked_at = case
           when custom_domain is not distinct from ${domain} then custom_domain_checked_at end,
         custom_domain_failed_at = case
           when custom_domain is not distinct from ${domain} then custom_domain_failed_at end
   where org_id = $1 and id = $2`

/** False if the slug was just taken. The transaction is aborted then. */
export async function updatePage(
  tx: TenantTx,
  uuid: string,
  settings: PageSettings,
): Promise<boolean> {
  try {
    await tx.query(UPDATE, [tx.orgId, uuid, tx.now, ...settingsValues(settings)])
    return true
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return false
  }
}

// In the order of the columns above.
const settingsValues = (settings: PageSettings): unknown[] =>
  PAGE_SETTINGS.map((name) => settings[name])

const SET_PASSWORD = sql`
  update status_pages set password_hash = $3, updated_at = $4 where org_id = $1 and id = $2`

export async function setPasswordHash(
  tx: TenantTx,
  uuid: string,
  passwordHash: string | null,
): Promise<void> {
  await tx.query(SET_PASSWORD, [tx.orgId, uuid, passwordHash, tx.now])
}

const DELETE_INCIDENTS_ONLY_HERE = sql`
  delete from status_incidents i
   where i.org_id = $1
     and exists (select from status_incident_pages p
                  where p.org_id = $1 and p.status_incident_id = i.id and p.page_id = $2)
     and not exists (select from status_incident_pages p
                      where p.org_id = $1 and p.status_incident_id = i.id and p.page_id <> $2)`
const DELETE = sql`delete from status_pages where org_id = $1 and id = $2 returning id`

/** Also deletes incidents that were only on this page. False if the page does not exist. */
export async function deletePage(tx: TenantTx, uuid: string): Promise<boolean> {
  await tx.query(DELETE_INCIDENTS_ONLY_HERE, [tx.orgId, uuid])
  return (await tx.query(DELETE, [tx.orgId, uuid])).length > 0
}
