import type {
  Affected,
  StatusIncident,
  StatusIncidentUpdate,
} from '../../domain/status-pages/status-incident.ts'
import type { KnownReferences } from '../../domain/status-pages/status-incident-references.ts'
import { sql } from '../core/db.ts'
import { pageOf, readPage } from '../core/page.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

const columns = sql`
  i.id as uuid, i.title, i.status, i.impact, i.incident_id as "incidentUuid", i.started_at as "startedAt",
  i.resolved_at as "resolvedAt", i.created_at as "createdAt", i.updated_at as "updatedAt",
  (select coalesce(json_agg(p.page_id order by p.position), '[]') from status_incident_pages p
    where p.org_id = i.org_id and p.status_incident_id = i.id) as "pageUuids",
  (select coalesce(json_agg(json_build_object('componentUuid', c.component_id, 'state', c.state)
            order by c.position), '[]')
     from status_incident_components c
    where c.org_id = i.org_id and c.status_incident_id = i.id) as components,
  (select coalesce(json_agg(json_build_object(
            'uuid', u.id, 'status', u.status, 'message', u.message, 'components', u.components,
            'notifiedSubscribers', u.notified_subscribers, 'createdAt', u.created_at)
            order by u.created_at desc, u.id desc), '[]')
     from status_incident_updates u
    where u.org_id = i.org_id and u.status_incident_id = i.id) as updates`

type StoredAffected = { componentId: string; state: Affected['state'] }
type StoredUpdate = Omit<StatusIncidentUpdate, 'components' | 'createdAt'> & {
  components: StoredAffected[]
  createdAt: string
}
type Row = Omit<StatusIncident, 'updates'> & { updates: StoredUpdate[] }

function toIncident<R extends Row>(row: R) {
  const updates = row.updates.map(({ components, createdAt, ...update }) => ({
    ...update,
    components: components.map(({ componentId, state }) => ({ componentUuid: componentId, state })),
    createdAt: new Date(createdAt),
  }))
  return { ...row, updates }
}

const FIND = sql`select ${columns} from status_incidents i where i.org_id = $1 and i.id = $2`

export async function findStatusIncident(
  tenant: Tenant,
  uuid: string,
): Promise<StatusIncident | undefined> {
  const [row] = await tenant.query<Row>(FIND, [tenant.orgId, uuid])
  return row && toIncident(row)
}

const LOCK = sql`
  select 1 as one from status_incidents where org_id = $1 and id = $2 for no key update`

/** Uses two statements: only a snapshot taken after the lock sees what was committed while it waited. */
export async function lockStatusIncident(
  tx: TenantTx,
  uuid: string,
): Promise<StatusIncident | undefined> {
  const rows = await tx.query(LOCK, [tx.orgId, uuid])
  return rows.length === 0 ? undefined : findStatusIncident(tx, uuid)
}

const matching = sql`
  i.org_id = $1
    and ($4::text[] is null or i.status = any ($4))
    and ($5::uuid is null or exists (
      select from status_incident_pages p
       where p.org_id = $1 and p.page_id = $5 and p.status_incident_id = i.id))`
const PAGE = pageOf({ table: 'status_incidents i', matching, columns })

export type StatusIncidentFilter = {
  limit: number
  offset: number
  status?: readonly StatusIncident['status'][] | undefined
  pageUuid?: string | undefined
}

/** One page and the total count, from one snapshot. */
export async function listStatusIncidents(tenant: Tenant, filter: StatusIncidentFilter) {
  const { limit, offset, status, pageUuid } = filter
  const values = [tenant.orgId, limit, offset, status, pageUuid]
  const { total, rows } = await readPage<Row>(tenant, PAGE, values)
  return { total, incidents: rows.map(toIncident) }
}

const ALL_PAGES = sql`
  select id from status_pages where org_id = $1 order by created_at desc, id desc limit $2`

/** Newest first, up to `limit`. */
export async function findAllPages(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(ALL_PAGES, [tx.orgId, limit])
  return rows.map(({ id }) => id)
}

const FIND_REFERENCES = sql`
  select 'page' as kind, id, null::uuid as page_id from status_pages
   where org_id = $1 and id = any ($2::uuid[])
  union all
  select 'component', id, page_id from status_page_components
   where org_id = $1 and id = any ($3::uuid[])
  union all
  select 'incident', id, null from incidents where org_id = $1 and id = $4`

export type WantedReferences = { pages: string[]; components: string[]; incident: string | null }

/** Returns those that belong to the organization. */
export async function findReferences(
  tx: TenantTx,
  wanted: WantedReferences,
): Promise<KnownReferences> {
  type KnownRow = { kind: 'page' | 'component' | 'incident'; id: string; page_id: string | null }
  const { pages, components, incident } = wanted
  const rows = await tx.query<KnownRow>(FIND_REFERENCES, [tx.orgId, pages, components, incident])
  const idsOf = (kind: KnownRow['kind']) => rows.filter((row) => row.kind === kind)
  return {
    pageUuids: new Set(idsOf('page').map(({ id }) => id)),
    pageOfComponent: new Map(idsOf('component').map(({ id, page_id }) => [id, page_id ?? ''])),
    incidentUuids: new Set(idsOf('incident').map(({ id }) => id)),
  }
}

const INSERT = sql`
  insert into status_incidents (org_id, id, title, status, impact, incident_id, started_at, resolved_at,
    created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
const UPDATE = sql`
  update status_incidents
     set title = $3, status = $4, impact = $5, incident_id = $6, started_at = $7, resolved_at = $8,
         updated_at = $9
   where org_id = $1 and id = $2`

export async function insertStatusIncident(tx: TenantTx, incident: StatusIncident): Promise<void> {
  await tx.query(INSERT, [...values(tx, incident), incident.createdAt, incident.updatedAt])
  await savePagesAndComponents(tx, incident)
}

export async function updateStatusIncident(tx: TenantTx, incident: StatusIncident): Promise<void> {
  await tx.query(UPDATE, [...values(tx, incident), incident.updatedAt])
  await savePagesAndComponents(tx, incident)
}

function values(tx: TenantTx, incident: StatusIncident): unknown[] {
  const { uuid, title, status, impact, incidentUuid, startedAt, resolvedAt } = incident
  return [tx.orgId, uuid, title, status, impact, incidentUuid, startedAt, resolvedAt]
}

const DROP_PAGES = sql`
  delete from status_incident_pages where org_id = $1 and status_incident_id = $2`
const SAVE_PAGES = sql`
  insert into status_incident_pages (org_id, status_incident_id, page_id, position)
  select $1, $2, id, position from unnest($3::uuid[]) with ordinality as p (id, position)`
const DROP_COMPONENTS = sql`
  delete from status_incident_components where org_id = $1 and status_incident_id = $2`
const SAVE_COMPONENTS = sql`
  insert into status_incident_components (org_id, status_incident_id, component_id, state, position)
  select $1, $2, id, state, position
    from unnest($3::uuid[], $4::text[]) with ordinality as c (id, state, position)`

async function savePagesAndComponents(tx: TenantTx, incident: StatusIncident): Promise<void> {
  const scope = [tx.orgId, incident.uuid]
  await tx.query(DROP_PAGES, scope)
  await tx.query(SAVE_PAGES, [...scope, incident.pageUuids])
  await tx.query(DROP_COMPONENTS, scope)
  await tx.query(SAVE_COMPONENTS, [
    ...scope,
    incident.components.map(({ componentUuid }) => componentUuid),
    incident.components.map(({ state }) => state),
  ])
}

const INSERT_UPDATE = sql`
  insert into status_incident_updates (org_id, status_incident_id, id, status, message, components,
    notified_subscribers, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`

export async function insertUpdate(
  tx: TenantTx,
  incidentUuid: string,
  update: StatusIncidentUpdate,
): Promise<void> {
  const { uuid, status, message, notifiedSubscribers, createdAt } = update
  const components = update.components.map(
    ({ componentUuid, state }): StoredAffected => ({ componentId: componentUuid, state }),
  )
  const scope = [tx.orgId, incidentUuid]
  const stored = [uuid, status, message, JSON.stringify(components), notifiedSubscribers, createdAt]
  await tx.query(INSERT_UPDATE, [...scope, ...stored])
}

const DELETE = sql`delete from status_incidents where org_id = $1 and id = $2 returning id`

/** Deletes its updates too. False if the incident does not exist. */
export async function deleteStatusIncident(tx: TenantTx, uuid: string): Promise<boolean> {
  return (await tx.query(DELETE, [tx.orgId, uuid])).length > 0
}
