import { effectiveLimits, type Plan, type PlanLimits } from '../../domain/values/plan.ts'
import { type StorageLimits, storageLimits } from '../../domain/values/storage-limits.ts'
import { type Db, sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

export type Usage = { monitors: number; limits: PlanLimits; storage: StorageLimits }

// Everything that counts against a plan takes this lock first.
const LOCK_USAGE = sql`
  select u.monitors, o.plan as "planName", o.limit_overrides as overrides,
         json_build_object(
           'monitors', p.monitors, 'fastestIntervalSeconds', p.fastest_interval_seconds,
           'statusPages', p.status_pages, 'webhookEndpoints', p.webhook_endpoints,
           'openWindows', p.open_windows, 'historyDays', p.history_days,
           'regionsPerMonitor', p.regions_per_monitor) as plan
    from organization_usage u
    join organizations o on o.id = u.org_id
    join plans p on p.name = o.plan
   where u.org_id = $1
     for update of u`
const ADD_MONITORS = sql`
  update organization_usage set monitors = monitors + $2 where org_id = $1`

export async function lockUsage(tx: TenantTx): Promise<Usage> {
  type Row = {
    monitors: number
    planName: Plan
    overrides: Partial<PlanLimits & StorageLimits>
    plan: PlanLimits
  }
  const [row] = await tx.query<Row>(LOCK_USAGE, [tx.orgId])
  if (row === undefined) throw new Error(`Organization ${tx.orgId} has no usage row`)
  const { monitors, planName, overrides, plan } = row
  return {
    monitors,
    limits: effectiveLimits(plan, overrides),
    storage: storageLimits(planName, overrides),
  }
}

export async function countMonitors(tx: TenantTx, difference: 1 | -1): Promise<void> {
  await tx.query(ADD_MONITORS, [tx.orgId, difference])
}

export const SUBSCRIPTIONS = ['TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'NONE'] as const
export type NewOrganization = {
  id: string
  name: string
  plan: Plan
  subscription: (typeof SUBSCRIPTIONS)[number]
}

const INSERT = sql`
  with o as (
    insert into organizations (id, name, plan, private_targets) values ($1, $2, $3, $3 = 'UNLIMITED')
    returning id
  ), s as (
    insert into subscriptions (org_id, status, past_due_since)
    select id, $4, case when $4 = 'PAST_DUE' then now() end from o
  )
  insert into organization_usage (org_id) select id from o`

export async function insertOrganization(db: Db, organization: NewOrganization): Promise<void> {
  const { id, name, plan, subscription } = organization
  await db.query(INSERT, [id, name, plan, subscription])
}

const LOCK = sql`
  select o.id, o.name, o.plan, s.status as subscription
    from organizations o
    join subscriptions s on s.org_id = o.id
   where o.id = $1 and o.deleted_at is null
     for no key update`

export async function lockOrganization(db: Db, id: string): Promise<NewOrganization | undefined> {
  const [row] = await db.query<NewOrganization>(LOCK, [id])
  return row
}

// A subscription that is already past due gets no new grace period. Private targets depend on the plan, as at creation.
const UPDATE_PLAN = sql`
  with s as (
    update subscriptions
       set status = $3, past_due_since = case when $3 = 'PAST_DUE' then coalesce(past_due_since, now()) end
     where org_id = $1
  )
  update organizations set plan = $2, private_targets = $2 = 'UNLIMITED' where id = $1 and plan <> $2`

export async function updatePlan(db: Db, organization: NewOrganization): Promise<void> {
  const { id, plan, subscription } = organization
  await db.query(UPDATE_PLAN, [id, plan, subscription])
}

const LIST = sql`
  select o.id, o.name, o.plan, s.status as subscription, u.monitors, o.created_at as "createdAt",
         o.moved_at is not null as "isMoving"
    from organizations o
    join subscriptions s on s.org_id = o.id
    join organization_usage u on u.org_id = o.id
   where o.deleted_at is null or o.moved_at is not null
   order by o.created_at desc, o.id desc
   limit $1`

export type OrganizationSummary = NewOrganization & {
  monitors: number
  createdAt: Date
  isMoving: boolean
}

export async function listOrganizations(db: Db, limit: number): Promise<OrganizationSummary[]> {
  return db.query<OrganizationSummary>(LIST, [limit])
}

const LIST_OTHERS = sql`
  select id, name from organizations where deleted_at is null and id <> $1 order by created_at, id limit $2`

/** The oldest organizations except this one. */
export async function listOtherOrganizations(
  db: Db,
  id: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return db.query(LIST_OTHERS, [id, limit])
}

const HAS_PRIVATE_TARGETS = sql`select private_targets as "isAllowed" from organizations where id = $1`

/** True if it may reach the private addresses that the operator allowed. */
export async function hasPrivateTargets(tenant: Tenant): Promise<boolean> {
  const [row] = await tenant.query<{ isAllowed: boolean }>(HAS_PRIVATE_TARGETS, [tenant.orgId])
  return row?.isAllowed ?? false
}

export type OrganizationUsage = {
  name: string
  plan: NewOrganization['plan']
  subscription: NewOrganization['subscription']
  limits: PlanLimits
  used: { monitors: number; statusPages: number; webhookEndpoints: number; openWindows: number }
}

const FIND_USAGE = sql`
  select o.name, o.plan, s.status as subscription, o.limit_overrides as overrides,
         json_build_object(
           'monitors', p.monitors, 'fastestIntervalSeconds', p.fastest_interval_seconds,
           'statusPages', p.status_pages, 'webhookEndpoints', p.webhook_endpoints,
           'openWindows', p.open_windows, 'historyDays', p.history_days,
           'regionsPerMonitor', p.regions_per_monitor) as limits,
         json_build_object(
           'monitors', u.monitors,
           'statusPages', (select count(*) from status_pages where org_id = $1),
           'webhookEndpoints', (select count(*) from webhook_endpoints where org_id = $1),
           'openWindows', (select count(*) from maintenance_windows
                            where org_id = $1 and occurrence_starts_at is not null)) as used
    from organizations o
    join organization_usage u on u.org_id = o.id
    join subscriptions s on s.org_id = o.id
    join plans p on p.name = o.plan
   where o.id = $1`
const FIND_NAME = sql`select name from organizations where id = $1`

export async function findOrganizationName(db: Db, orgId: string): Promise<string> {
  const [row] = await db.query<{ name: string }>(FIND_NAME, [orgId])
  if (row === undefined) throw new Error(`Organization ${orgId} is not there`)
  return row.name
}

const RENAME = sql`update organizations set name = $2 where id = $1`

export async function findOrganizationUsage(tenant: Tenant): Promise<OrganizationUsage> {
  type Row = OrganizationUsage & { overrides: Partial<PlanLimits> }
  const [row] = await tenant.query<Row>(FIND_USAGE, [tenant.orgId])
  if (row === undefined) throw new Error(`Organization ${tenant.orgId} is not there`)
  const { overrides, ...usage } = row
  return { ...usage, limits: effectiveLimits(usage.limits, overrides) }
}

export async function renameOrganization(tx: TenantTx, name: string): Promise<void> {
  await setOrganizationName(tx, tx.orgId, name)
}

export async function setOrganizationName(db: Db, orgId: string, name: string): Promise<void> {
  await db.query(RENAME, [orgId, name])
}
