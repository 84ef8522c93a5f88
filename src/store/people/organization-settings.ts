// What owners and admins set for their organization, and its requested deletion.
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'
import { hasSecondFactor } from './membership-rules.ts'

type OrganizationSettings = {
  name: string
  timezone: string | null
  requiresSecondFactor: boolean
  /** When a requested deletion becomes final. Null without one. */
  eraseAt: Date | null
}

const columns = sql`
  o.name, o.timezone, o.requires_second_factor as "requiresSecondFactor", o.erase_at as "eraseAt"`
const FIND = sql`select ${columns} from organizations o where o.id = $1`
const LOCK = sql`select ${columns} from organizations o where o.id = $1 for no key update`

export async function findSettings(tenant: Tenant): Promise<OrganizationSettings> {
  return one(await tenant.query<OrganizationSettings>(FIND, [tenant.orgId]))
}

export async function lockSettings(tx: TenantTx): Promise<OrganizationSettings> {
  return one(await tx.query<OrganizationSettings>(LOCK, [tx.orgId]))
}

function one([row]: readonly OrganizationSettings[]): OrganizationSettings {
  if (row === undefined) throw new Error('The organization is not there')
  return row
}

const SET_TIMEZONE = sql`update organizations set timezone = $2 where id = $1`
const SET_REQUIREMENT = sql`update organizations set requires_second_factor = $2 where id = $1`
const REQUEST_DELETION = sql`update organizations set deleted_at = $2, erase_at = $3 where id = $1`
const UNDO_DELETION = sql`update organizations set deleted_at = null, erase_at = null where id = $1`

export async function setTimezone(tx: TenantTx, timezone: string | null): Promise<void> {
  await tx.query(SET_TIMEZONE, [tx.orgId, timezone])
}

export async function setSecondFactorRequirement(tx: TenantTx, isRequired: boolean): Promise<void> {
  await tx.query(SET_REQUIREMENT, [tx.orgId, isRequired])
}

/** From the commit on, it counts as deleted everywhere but in the gate of its members. */
export async function saveDeletion(tx: TenantTx, eraseAt: Date): Promise<void> {
  await tx.query(REQUEST_DELETION, [tx.orgId, tx.now, eraseAt])
}

export async function clearDeletion(tx: TenantTx): Promise<void> {
  await tx.query(UNDO_DELETION, [tx.orgId])
}

const HAS_SECOND_FACTOR = sql`select ${hasSecondFactor} as has from users u where u.id = $1`

export async function memberHasSecondFactor(tx: TenantTx, userUuid: string): Promise<boolean> {
  const [row] = await tx.query<{ has: boolean }>(HAS_SECOND_FACTOR, [userUuid])
  return row?.has ?? false
}
