// The browsers that a person receives notifications on.
import { createHash } from 'node:crypto'
import type { PushDevice, PushSubscription } from '../../domain/alerts/push-device.ts'
import { type Db, sql } from '../core/db.ts'
import type { OrganizationSecrets } from '../core/organization-secrets.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

const columns = sql`
  p.id as uuid, p.name, p.endpoint_hash as "endpointHash", p.created_at as "createdAt",
  p.last_success_at as "lastSuccessAt", p.last_failure_at as "lastFailureAt", p.last_error as "lastError"`

const FIND_CONTACT = sql`select id as uuid from alert_contacts where org_id = $1 and owner_id = $2`
const LIST = sql`
  select ${columns}
    from push_devices p join alert_contacts c on c.org_id = p.org_id and c.id = p.contact_id
   where p.org_id = $1 and c.owner_id = $2 order by p.created_at, p.id`

/** The contact that belongs to a member. */
export async function findOwnContact(
  tenant: Tenant,
  ownerUuid: string,
): Promise<string | undefined> {
  const [row] = await tenant.query<{ uuid: string }>(FIND_CONTACT, [tenant.orgId, ownerUuid])
  return row?.uuid
}

export function listPushDevices(tenant: Tenant, ownerUuid: string): Promise<PushDevice[]> {
  return tenant.query<PushDevice>(LIST, [tenant.orgId, ownerUuid])
}

const hashEndpoint = (endpoint: string): Buffer => createHash('sha256').update(endpoint).digest()

// Only its browser knows an endpoint with its keys: registered by another member, it is theirs from now on.
const REPLACE = sql`delete from push_devices where org_id = $1 and endpoint_hash = $2`
const COUNT = sql`
  select count(*)::integer as count from push_devices where org_id = $1 and contact_id = $2`
const INSERT = sql`
  insert into push_devices as p (id, org_id, contact_id, name, endpoint_hash, subscription, created_at)
  values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`

type NewDevice = { contactUuid: string; name: string; subscription: PushSubscription }

/** Replaces the device with the same endpoint. Undefined if the contact has `most` others. */
export async function savePushDevice(
  tx: TenantTx,
  { contactUuid, name, subscription }: NewDevice,
  most: number,
): Promise<PushDevice | undefined> {
  const hash = hashEndpoint(subscription.endpoint)
  await tx.query(REPLACE, [tx.orgId, hash])
  const [counted] = await tx.query<{ count: number }>(COUNT, [tx.orgId, contactUuid])
  if ((counted?.count ?? 0) >= most) return undefined
  const uuid = tx.newUuid()
  const cipher = await tx.cipher()
  const sealed = cipher.seal(subscriptionLocation(uuid), JSON.stringify(subscription))
  const values = [uuid, tx.orgId, contactUuid, name, hash, sealed, tx.now]
  const [saved] = await tx.query<PushDevice>(INSERT, values)
  return saved
}

const subscriptionLocation = (uuid: string) => ({
  table: 'push_devices',
  row: uuid,
  column: 'subscription',
})

const DELETE = sql`
  delete from push_devices p using alert_contacts c
   where p.org_id = $1 and p.id = $2 and c.org_id = p.org_id and c.id = p.contact_id and c.owner_id = $3
  returning p.id`

/** False if the member has no such device. */
export async function deletePushDevice(
  tx: TenantTx,
  uuid: string,
  ownerUuid: string,
): Promise<boolean> {
  return (await tx.query(DELETE, [tx.orgId, uuid, ownerUuid])).length > 0
}

const FIND_TARGETS = sql`
  select p.id as uuid, p.org_id as "orgId", p.contact_id as "contactUuid", p.name, p.subscription,
         p.last_delivery_id as "lastDeliveryId"
    from push_devices p where p.contact_id = any ($1::uuid[]) order by p.created_at, p.id`

export type PushTarget = {
  uuid: string
  name: string
  subscription: PushSubscription
  /** What it accepted last. */
  lastDeliveryId: string | null
}

/** For the dispatcher: the devices of contacts, by contact, of any organization. */
export async function findPushTargets(
  db: Db,
  secrets: OrganizationSecrets,
  contactUuids: readonly string[],
): Promise<Map<string, PushTarget[]>> {
  type Found = Omit<PushTarget, 'subscription'> & {
    orgId: string
    contactUuid: string
    subscription: Buffer
  }
  const found = new Map<string, PushTarget[]>()
  for (const { orgId, contactUuid, ...row } of await db.query<Found>(FIND_TARGETS, [
    contactUuids,
  ])) {
    const cipher = await secrets.cipherOf(db, orgId)
    const open = cipher.unseal(subscriptionLocation(row.uuid), row.subscription)
    // Safe because only this file writes it.
    const target = { ...row, subscription: JSON.parse(open) as PushSubscription }
    found.set(contactUuid, [...(found.get(contactUuid) ?? []), target])
  }
  return found
}

const RECORD = sql`
  with told as (
    select * from unnest($2::uuid[], $3::boolean[], $4::boolean[], $5::text[]) as t (id, is_gone, is_accepted, error)
  ), gone as (
    delete from push_devices p using told t where p.id = t.id and t.is_gone
  )
  update push_devices p
     set last_success_at = case when t.is_accepted then now() else p.last_success_at end,
         last_delivery_id = case when t.is_accepted then $1 else p.last_delivery_id end,
         last_failure_at = case when t.is_accepted then p.last_failure_at else now() end,
         last_error = case when t.is_accepted then null else left(t.error, 300) end
    from told t where p.id = t.id and not t.is_gone`

type PushOutcome = {
  deviceUuid: string
  isAccepted: boolean
  /** The push service does not know it anymore. */
  isGone: boolean
  error: string | null
}

/** Also deletes the devices that are gone. */
export async function recordPushOutcomes(
  db: Db,
  deliveryId: string,
  outcomes: readonly PushOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return
  await db.query(RECORD, [
    deliveryId,
    outcomes.map(({ deviceUuid }) => deviceUuid),
    outcomes.map(({ isGone }) => isGone),
    outcomes.map(({ isAccepted }) => isAccepted),
    outcomes.map(({ error }) => error),
  ])
}
