// Members of an organization, and invitations. Used by people for themselves, and by admins for their organization.
import type { Role } from '../../domain/people/role.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { lockNumber } from '../../domain/values/idempotency.ts'
import type { Plan } from '../../domain/values/plan.ts'
import { type StorageLimits, storageLimits } from '../../domain/values/storage-limits.ts'
import { type Db, sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'
import { hasSecondFactor, isShown } from './membership-rules.ts'

/** A caller in the scope of one organization: a member or the operator. */
type OrganizationDb = Db & { orgId: string }

type Member = {
  uuid: string
  email: string
  name: string
  role: Role
  since: Date
  secondFactor: boolean
}

const LIST = sql`
  select u.id as uuid, u.email, u.name, m.role, m.created_at as since,
         ${hasSecondFactor} as "secondFactor"
    from members m join users u on u.id = m.user_id
   where m.org_id = $1 order by m.created_at, u.id limit 1000`
const LOCK = sql`
  select m.user_id as uuid, m.role, u.disabled_at is null as "isOpen"
    from members m join users u on u.id = m.user_id
   where m.org_id = $1 order by m.user_id for update of m`
const SET_ROLE = sql`update members set role = $3 where org_id = $1 and user_id = $2`
const REMOVE = sql`delete from members where org_id = $1 and user_id = $2`
// Always adds an audit entry, however the person joined.
const ADD = sql`
  with joined as (
    insert into members (org_id, user_id, role) values ($1, $2, $3) on conflict do nothing returning user_id
  )
  insert into audit_log (id, org_id, at, actor_type, actor_id, actor_name, action, resource_id)
  select new_uuid(), $1, now(), 'USER', u.id, u.name, 'joinOrganization', $4
    from joined j join users u on u.id = j.user_id`

export async function listMembers(tenant: Tenant): Promise<Member[]> {
  return tenant.query<Member>(LIST, [tenant.orgId])
}

const IS_MEMBER = sql`
  select 1 as one from members m join users u on u.id = m.user_id
   where m.org_id = $1 and u.email = $2`

export async function isMember(tenant: OrganizationDb, email: string): Promise<boolean> {
  return (await tenant.query(IS_MEMBER, [tenant.orgId, email])).length > 0
}

type MembershipStatus = { role: Role; isOpen: boolean }

/** Locks all members, because decisions about owners depend on all of them. */
export async function lockMembers(tx: TenantTx): Promise<Map<string, MembershipStatus>> {
  const rows = await tx.query<MembershipStatus & { uuid: string }>(LOCK, [tx.orgId])
  return new Map(rows.map(({ uuid, ...standing }) => [uuid, standing]))
}

export async function setRole(tx: TenantTx, userUuid: string, role: Role): Promise<void> {
  await tx.query(SET_ROLE, [tx.orgId, userUuid, role])
}

export async function removeMember(tx: TenantTx, userUuid: string): Promise<void> {
  await tx.query(REMOVE, [tx.orgId, userUuid])
}

/** Runs in the person's own scope; an organization can only invite. Existing members keep their role. */
export async function addMember(
  people: Db,
  orgId: string,
  { userUuid, role }: { userUuid: string; role: Role },
): Promise<void> {
  await people.query(ADD, [orgId, userUuid, role, toPublicId('usr', userUuid)])
}

export type OwnMembership = {
  orgId: string
  name: string
  plan: string
  role: Role
  timezone: string | null
  /** When it is erased, if an owner deleted it. */
  eraseAt: Date | null
  requiresSecondFactor: boolean
  hasSecondFactor: boolean
}

const OF_USER = sql`
  select o.id as "orgId", o.name, o.plan, m.role, o.timezone, o.erase_at as "eraseAt",
         o.requires_second_factor as "requiresSecondFactor", ${hasSecondFactor} as "hasSecondFactor"
    from members m join organizations o on o.id = m.org_id and ${isShown} join users u on u.id = m.user_id
   where m.user_id = $1 order by o.deleted_at is not null, o.name, o.id limit 1000`

export async function membershipsOf(people: Db, userUuid: string): Promise<OwnMembership[]> {
  return people.query<OwnMembership>(OF_USER, [userUuid])
}

type Invitation = {
  uuid: string
  orgId: string
  email: string
  role: Role
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

const invitation = sql`
  i.id as uuid, i.org_id as "orgId", i.email, i.role, i.invited_by as "invitedBy",
  i.created_at as "createdAt", i.expires_at as "expiresAt"`
const LIST_INVITATIONS = sql`
  select ${invitation} from invitations i
   where i.org_id = $1 and i.accepted_at is null order by i.created_at desc, i.id limit 1000`
// Inviting an address again creates a new link and invalidates the old one.
const INVITE = sql`
  insert into invitations (id, org_id, email, role, token_hash, invited_by, expires_at)
  values ($2, $1, $3, $4, $5, $6, $7)
  on conflict (org_id, email) where accepted_at is null do update
    set id = excluded.id, role = excluded.role, token_hash = excluded.token_hash,
        invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at`
const WITHDRAW = sql`
  delete from invitations where org_id = $1 and id = $2 and accepted_at is null returning id`

export async function listInvitations(tenant: Tenant): Promise<Invitation[]> {
  return tenant.query<Invitation>(LIST_INVITATIONS, [tenant.orgId])
}

export async function insertInvitation(
  tx: OrganizationDb,
  made: Omit<Invitation, 'orgId' | 'createdAt'> & { tokenHash: Buffer },
): Promise<void> {
  const { uuid, email, role, tokenHash, invitedBy, expiresAt } = made
  await tx.query(INVITE, [tx.orgId, uuid, email, role, tokenHash, invitedBy, expiresAt])
}

const LOCK_COUNT = sql`select pg_advisory_xact_lock($1)`
const FORGET_ACCEPTED = sql`
  delete from invitations where org_id = $1 and accepted_at < now() - interval '1 day'`
const COUNT_OTHERS = sql`
  select (select count(*)::integer from invitations
           where org_id = $1 and accepted_at is null and email <> $2) as count,
         plan, limit_overrides as overrides
    from organizations where id = $1`

type Counted = { count: number; limits: StorageLimits }
type CountedRow = { count: number; plan: Plan; overrides: Partial<StorageLimits> }

const toCounted = (row: CountedRow): Counted => {
  return { count: row.count, limits: storageLimits(row.plan, row.overrides) }
}

/**
 * Counts open invitations of other addresses, under a lock, so that parallel requests cannot exceed a limit together.
 * Those that were accepted some time ago are deleted. Undefined if there is no such organization.
 */
export async function countInvitations(
  tx: OrganizationDb,
  email: string,
): Promise<Counted | undefined> {
  await tx.query(LOCK_COUNT, [lockNumber(tx.orgId, 'invitations')])
  await tx.query(FORGET_ACCEPTED, [tx.orgId])
  const [row] = await tx.query<CountedRow>(COUNT_OTHERS, [tx.orgId, email])
  return row && toCounted(row)
}

const COUNT_MEMBERS = sql`
  select (select count(*)::integer from members where org_id = $1) as count, plan, limit_overrides as overrides
    from organizations where id = $1`

/** Under a lock, so that parallel requests cannot exceed a limit together. */
export async function countMembers(people: Db, orgId: string): Promise<Counted> {
  await people.query(LOCK_COUNT, [lockNumber(orgId, 'members')])
  const [row] = await people.query<CountedRow>(COUNT_MEMBERS, [orgId])
  if (row === undefined) throw new Error('The organization is not there')
  return toCounted(row)
}

export async function withdrawInvitation(tx: TenantTx, uuid: string): Promise<boolean> {
  return (await tx.query(WITHDRAW, [tx.orgId, uuid])).length > 0
}

const FIND_BY_TOKEN = sql`
  select ${invitation}, o.name as organization
    from invitations i join organizations o on o.id = i.org_id and o.deleted_at is null
   where i.token_hash = $1 and i.accepted_at is null and i.expires_at > now()`
const ACCEPT = sql`
  update invitations set accepted_at = now()
   where id = $1 and accepted_at is null returning id`

export type OpenInvitation = Invitation & { organization: string }

export async function findInvitation(
  people: Db,
  tokenHash: Buffer,
): Promise<OpenInvitation | undefined> {
  const [found] = await people.query<OpenInvitation>(FIND_BY_TOKEN, [tokenHash])
  return found
}

const IS_INVITED = sql`
  select 1 as one
    from invitations i join organizations o on o.id = i.org_id and o.deleted_at is null
   where i.email = $1 and i.accepted_at is null and i.expires_at > now() limit 1`

/** True if any organization has invited the address. */
export async function isInvited(people: Db, email: string): Promise<boolean> {
  return (await people.query(IS_INVITED, [email])).length > 0
}

/** False if another request used the same link first. */
export async function acceptInvitation(people: Db, uuid: string): Promise<boolean> {
  return (await people.query(ACCEPT, [uuid])).length > 0
}
