// Whether a page shows a ledger, and what is in it.
import type { DetectedOutage, HiddenOutage, Override } from '../../domain/status-pages/ledger.ts'
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

const FIND = sql`select since from page_ledgers where org_id = $1 and page_id = $2`

/** Since when the page shows one. Undefined if it does not. */
export async function findLedgerStart(tenant: Tenant, pageUuid: string): Promise<Date | undefined> {
  const [row] = await tenant.query<{ since: Date }>(FIND, [tenant.orgId, pageUuid])
  return row?.since
}

const START = sql`
  insert into page_ledgers (org_id, page_id, since) values ($1, $2, $3) on conflict do nothing`
const STOP = sql`delete from page_ledgers where org_id = $1 and page_id = $2`

/** Starting one that runs changes nothing. One that is started again begins again. */
export async function startLedger(tx: TenantTx, pageUuid: string): Promise<void> {
  await tx.query(START, [tx.orgId, pageUuid, tx.now])
}

export async function stopLedger(tx: TenantTx, pageUuid: string): Promise<void> {
  await tx.query(STOP, [tx.orgId, pageUuid])
}

// Only for pages with a ledger, and once for each outage: otherwise repeating it would push older entries out of view.
const INSERT = sql`
  insert into page_ledger_overrides (id, org_id, page_id, monitor_id, component_name, kind, at)
  select u.id, l.org_id, l.page_id, u.monitor_id, u.name, u.kind, $7
    from page_ledgers l
   cross join unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[]) u (id, monitor_id, name, kind)
   where l.org_id = $1 and l.page_id = $2
     and not exists (
       select from page_ledger_overrides o
         join incidents i on i.org_id = o.org_id and i.monitor_id = o.monitor_id
                         and i.resolved_at is null and i.started_at <= o.at
        where o.org_id = $1 and o.page_id = $2 and o.monitor_id = u.monitor_id and o.kind = u.kind
          and o.at >= l.since)`

/** Call it in the transaction that changes the page. */
export async function insertOverrides(
  tx: TenantTx,
  pageUuid: string,
  hidden: readonly HiddenOutage[],
): Promise<void> {
  if (hidden.length === 0) return
  await tx.query(INSERT, [
    tx.orgId,
    pageUuid,
    hidden.map(() => tx.newUuid()),
    hidden.map(({ monitorUuid }) => monitorUuid),
    hidden.map(({ componentName }) => componentName),
    hidden.map(({ kind }) => kind),
    tx.now,
  ])
}

// The components of the page, and those that were removed from it during an outage.
const shown = sql`
  select c.id, c.monitor_id, coalesce(c.name, m.name) as name, 'infinity'::timestamptz as until
    from status_page_components c join monitors m on m.org_id = c.org_id and m.id = c.monitor_id
   where c.org_id = $1 and c.page_id = $2
   union all
  select null, o.monitor_id, o.component_name, o.at from page_ledger_overrides o
   where o.org_id = $1 and o.page_id = $2 and o.at >= $3
     and not exists (select from status_page_components c
                      where c.org_id = $1 and c.page_id = $2 and c.monitor_id = o.monitor_id)`
// By the time of its creation, which nobody can choose: the start of a published incident can be written. What was
// published about a component that is gone is known only by its time.
const published = sql`
  (select min(s.created_at) from status_incidents s
     join status_incident_pages p on p.org_id = s.org_id and p.status_incident_id = s.id and p.page_id = $2
    where s.org_id = $1
      and (s.incident_id = i.id
           or ((c.id is null or exists (
                 select from status_incident_components a
                  where a.org_id = $1 and a.status_incident_id = s.id and a.component_id = c.id))
               and s.created_at >= i.started_at - interval '1 hour'
               and s.started_at <= coalesce(i.resolved_at, now())
               and coalesce(s.resolved_at, now()) >= i.started_at)))`
const OUTAGES = sql`
  with shown as materialized (${shown})
  select c.name as "componentName", i.started_at as "detectedAt", i.resolved_at as "endedAt", i.resolution,
         ${published} as "publishedAt"
    from shown c join incidents i on i.org_id = $1 and i.monitor_id = c.monitor_id and i.started_at <= c.until
   where i.started_at >= $3
   order by i.started_at desc, c.name limit $4`
const OVERRIDES = sql`
  select kind, component_name as "componentName", at from page_ledger_overrides
   where org_id = $1 and page_id = $2 and at >= $3 order by at desc, id limit $4`

const MAX_ROWS = 200

type LedgerRows = { since: Date; outages: DetectedOutage[]; overrides: Override[] }

/** Undefined if the page shows none. */
export async function findLedger(
  tenant: Tenant,
  pageUuid: string,
): Promise<LedgerRows | undefined> {
  const since = await findLedgerStart(tenant, pageUuid)
  if (since === undefined) return undefined
  const values = [tenant.orgId, pageUuid, since, MAX_ROWS]
  const [outages, overrides] = await Promise.all([
    tenant.query<DetectedOutage>(OUTAGES, values),
    tenant.query<Override>(OVERRIDES, values),
  ])
  return { since, outages, overrides }
}
