// Escalation policies of monitors and tags.
import type {
  EscalationPolicy,
  EscalationStep,
  EscalationTarget,
} from '../../domain/alerts/escalation.ts'
import type { EscalatedContact } from '../../domain/alerts/model.ts'
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

const steps = sql`
  (select coalesce(json_agg(json_build_object(
            'afterMinutes', s.after_minutes,
            'contactUuids', array(select c.contact_id from escalation_contacts c
                                   where c.org_id = s.org_id and c.policy_id = s.policy_id and c.step = s.number
                                   order by c.contact_id))
            order by s.number), '[]')
     from escalation_steps s where s.org_id = p.org_id and s.policy_id = p.id)`
const columns = sql`
  case when p.tag_id is null then 'MONITOR' else 'TAG' end as kind, coalesce(p.tag_id, p.monitor_id) as uuid,
  coalesce(t.name, m.name) as name, ${steps} as steps, p.updated_at as "updatedAt"`
const from = sql`
  escalation_policies p
    left join monitors m on m.org_id = p.org_id and m.id = p.monitor_id
    left join tags t on t.org_id = p.org_id and t.id = p.tag_id`
const isTarget = sql`
  p.org_id = $1 and case $2::text when 'TAG' then p.tag_id = $3 else p.monitor_id = $3 end`

const LIST = sql`
  select ${columns} from ${from} where p.org_id = $1 order by p.id limit $2 offset $3`
const COUNT = sql`select count(*)::integer as count from escalation_policies where org_id = $1`
const FIND = sql`select ${columns} from ${from} where ${isTarget}`

type Row = EscalationTarget & {
  name: string
  steps: EscalationStep[]
  updatedAt: Date
}

const toPolicy = ({ kind, uuid, name, ...rest }: Row): EscalationPolicy => ({
  target: { kind, uuid, name },
  ...rest,
})

/** Oldest first. */
export async function listPolicies(
  tenant: Tenant,
  { limit, offset }: { limit: number; offset: number },
): Promise<EscalationPolicy[]> {
  return (await tenant.query<Row>(LIST, [tenant.orgId, limit, offset])).map(toPolicy)
}

export async function countPolicies(tenant: Tenant): Promise<number> {
  const [row] = await tenant.query<{ count: number }>(COUNT, [tenant.orgId])
  return row?.count ?? 0
}

export async function findPolicy(
  tenant: Tenant,
  { kind, uuid }: EscalationTarget,
): Promise<EscalationPolicy | undefined> {
  const [row] = await tenant.query<Row>(FIND, [tenant.orgId, kind, uuid])
  return row && toPolicy(row)
}

const LOCK_MONITOR = sql`select 1 as one from monitors where org_id = $1 and id = $2 for key share`
const LOCK_TAG = sql`select 1 as one from tags where org_id = $1 and id = $2 for key share`

/** False if the monitor or tag does not exist. */
export async function lockTarget(tx: TenantTx, { kind, uuid }: EscalationTarget): Promise<boolean> {
  const statement = kind === 'TAG' ? LOCK_TAG : LOCK_MONITOR
  return (await tx.query(statement, [tx.orgId, uuid])).length > 0
}

// In one order, and before the rows that refer to them: a contact that is being deleted at the same time takes those
// with it.
const LOCK_CONTACTS = sql`
  select id as uuid from alert_contacts where org_id = $1 and id = any ($2::uuid[]) order by id for key share`

/** Returns those that exist. */
export async function lockContacts(
  tx: TenantTx,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ uuid: string }>(LOCK_CONTACTS, [tx.orgId, uuids])
  return new Set(rows.map(({ uuid }) => uuid))
}

const DELETE = sql`
  delete from escalation_policies p where ${isTarget} returning 1 as one`
const INSERT = sql`
  insert into escalation_policies (id, org_id, monitor_id, tag_id, updated_at)
  values ($1, $2, case when $3::text = 'MONITOR' then $4::uuid end, case when $3::text = 'TAG' then $4::uuid end, $5)`
const INSERT_STEPS = sql`
  insert into escalation_steps (org_id, policy_id, number, after_minutes)
  select $1, $2, s.number, s.minutes from unnest($3::integer[]) with ordinality s (minutes, number)`
const INSERT_CONTACTS = sql`
  insert into escalation_contacts (org_id, policy_id, step, contact_id)
  select $1, $2, c.step, c.id from unnest($3::integer[], $4::uuid[]) c (step, id)`

export async function deletePolicy(
  tx: TenantTx,
  { kind, uuid }: EscalationTarget,
): Promise<boolean> {
  return (await tx.query(DELETE, [tx.orgId, kind, uuid])).length > 0
}

/** Replaces the policy that the target has. */
export async function replacePolicy(
  tx: TenantTx,
  target: EscalationTarget,
  wanted: readonly EscalationStep[],
): Promise<void> {
  const id = tx.newUuid()
  await deletePolicy(tx, target)
  await tx.query(INSERT, [id, tx.orgId, target.kind, target.uuid, tx.now])
  const minutes = wanted.map(({ afterMinutes }) => afterMinutes)
  await tx.query(INSERT_STEPS, [tx.orgId, id, minutes])
  const contacts = wanted.flatMap(({ contactUuids }, at) =>
    contactUuids.map((uuid) => ({ step: at + 1, uuid })),
  )
  const numbers = contacts.map(({ step }) => step)
  const uuids = contacts.map(({ uuid }) => uuid)
  await tx.query(INSERT_CONTACTS, [tx.orgId, id, numbers, uuids])
}

const OF_MONITOR = sql`
  select contact_id as "contactUuid", step, after_minutes as "afterMinutes" from escalation_of($1, $2)`

/** Who follows in an outage of this monitor. */
export function findEscalation(tenant: Tenant, monitorUuid: string): Promise<EscalatedContact[]> {
  return tenant.query<EscalatedContact>(OF_MONITOR, [tenant.orgId, monitorUuid])
}
