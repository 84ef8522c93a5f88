// The organization itself: its limits and its members.

import { limitEmailTo } from '../../actions/alerts/limit-email.ts'
import { changeMember } from '../../actions/people/change-member.ts'
import { invite } from '../../actions/people/invite.ts'
import { limitRequests } from '../../actions/people/limit-tries.ts'
import { queueAccountEmail } from '../../actions/people/queue-account-email.ts'
import * as contract from '../../contract/private/organization.ts'
import { allows } from '../../domain/people/role.ts'
import { MAX_INVITATIONS } from '../../domain/people/sign-in.ts'
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import { comparable, parseEmailAddress } from '../../domain/values/email-address.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { ApiError, notFound, validationError } from '../../platform/api-error.ts'
import { listInvitations, listMembers, withdrawInvitation } from '../../store/people/members.ts'
import { findSettings, lockSettings } from '../../store/people/organization-settings.ts'
import { findOrganizationUsage, renameOrganization } from '../../store/people/organizations.ts'
import { listLastSeen } from '../../store/people/sessions.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { compared, plain } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler, type Prepare } from '../http/bind.ts'

type OrganizationDeps = {
  /** Whether a relay is configured. Without one, the inviter passes on the link. */
  canMail: boolean
  retention: { checkDays: number; auditLogDays: number }
}

export function organizationOperations({
  canMail,
  retention,
}: OrganizationDeps): readonly BoundOperation[] {
  const doInvite: Handler<typeof contract.inviteMember, string> = async (
    { body },
    context,
    email,
  ) => {
    const { tx, session, role: byRole, baseUrl } = context
    const { role } = body
    const by = { name: session.user.name, role: byRole }
    const { uuid, token, expiresAt } = await invite(tx, { email, role, by })
    const link = `${baseUrl}${PATHS.invitation}#${token}`
    const id = toPublicId('inv', uuid)
    if (!canMail) return { id, email, role, link, mailed: false }
    await limitEmailTo(tx, 'INVITATION', email)
    const { name: organization, timezone } = await findSettings(tx)
    const endsAt = expiresAt.toISOString()
    const mail = { to: email, organization, invitedBy: by.name, role, link, endsAt }
    await queueAccountEmail(tx, { kind: 'INVITATION', ...mail, timezone: timezone ?? 'UTC' })
    return { id, email, role, link: null, mailed: true }
  }

  return [
    bind(contract.getOrganization, getting(retention)),
    bind(contract.renameOrganization, rename),
    bind(contract.listMembers, members),
    bind(contract.changeMemberRole, changeRole),
    bind(contract.removeMember, removeMember),
    bind(contract.leaveOrganization, leave),
    bind(contract.listInvitations, invitations),
    bind(contract.inviteMember, doInvite, { prepare: countInvitation }),
    bind(contract.revokeInvitation, withdraw),
  ]
}

const countInvitation: Prepare<typeof contract.inviteMember, string> = async (
  { body },
  context,
) => {
  const { tenant, people, session } = context
  const parsed = parseEmailAddress(body.email)
  if (parsed === undefined)
    throw validationError([{ path: 'email', message: 'must be an e-mail address' }])
  // Per person too: organizations cost nothing to create.
  const subjects = [session.user.uuid, tenant.orgId].map((whose) => subjectOf('invite', whose))
  const limit = MAX_INVITATIONS
  await limitRequests(
    people,
    subjects.map((subject) => ({ subject, limit })),
  )
  return comparable(parsed)
}

function getting(
  retention: OrganizationDeps['retention'],
): Handler<typeof contract.getOrganization> {
  return async (_input, { tenant, role }) => {
    const { name, plan, subscription, limits, used } = await findOrganizationUsage(tenant)
    const { timezone, requiresSecondFactor } = await findSettings(tenant)
    const use = (what: keyof typeof used) => ({ used: used[what], limit: limits[what] })
    return {
      id: toPublicId('org', tenant.orgId),
      name,
      plan,
      subscription,
      role,
      timezone,
      requiresSecondFactor,
      usage: {
        monitors: use('monitors'),
        statusPages: use('statusPages'),
        webhookEndpoints: use('webhookEndpoints'),
        openWindows: use('openWindows'),
      },
      fastestIntervalSeconds: limits.fastestIntervalSeconds,
      historyDays: limits.historyDays,
      retention,
    }
  }
}

const rename: Handler<typeof contract.renameOrganization> = async ({ body }, { tx }) => {
  const { name } = body
  const { name: before } = await lockSettings(tx)
  await renameOrganization(tx, name)
  const output = { id: toPublicId('org', tx.orgId), name }
  return compared(output, { before, after: name }, (own) => ({ name: plain(own) }))
}

/** Only admins see who signs in without a second factor, and when somebody was here. */
const members: Handler<typeof contract.listMembers> = async (_input, context) => {
  const { tenant, people, role } = context
  const found = await listMembers(tenant)
  const isAdmin = allows(role, 'ADMIN')
  const uuids = found.map(({ uuid }) => uuid)
  const seen = isAdmin ? await listLastSeen(people, uuids) : new Map<string, Date>()
  return {
    data: found.map(({ uuid, since, secondFactor, ...rest }) => ({
      id: toPublicId('usr', uuid),
      ...rest,
      since,
      secondFactor: isAdmin ? secondFactor : null,
      lastSeenAt: seen.get(uuid) ?? null,
    })),
  }
}

const changeRole: Handler<typeof contract.changeMemberRole> = async (
  { params, body },
  { tx, session },
) => {
  const { role } = body
  const before = await changeMember(tx, params.userId, { byUuid: session.user.uuid, to: role })
  if (before === undefined) throw notFound('member')
  const output = { id: toPublicId('usr', params.userId), role }
  return compared(output, { before, after: role }, (own) => ({ role: plain(own) }))
}

const removeMember: Handler<typeof contract.removeMember> = async ({ params }, { tx, session }) => {
  const change = { byUuid: session.user.uuid, to: null }
  if (!(await changeMember(tx, params.userId, change))) throw notFound('member')
  return { data: { id: toPublicId('usr', params.userId) } }
}

const leave: Handler<typeof contract.leaveOrganization> = async (_input, { tx, session }) => {
  const { uuid } = session.user
  if (!(await changeMember(tx, uuid, { byUuid: uuid, to: null })))
    throw new ApiError('not_found', 'You do not belong to this organization.')
  return { data: { id: toPublicId('usr', uuid) } }
}

const invitations: Handler<typeof contract.listInvitations> = async (_input, { tenant }) => {
  const found = await listInvitations(tenant)
  return {
    data: found.map(({ uuid, email, role, invitedBy, createdAt, expiresAt }) => ({
      id: toPublicId('inv', uuid),
      email,
      role,
      invitedBy,
      createdAt,
      expiresAt,
    })),
  }
}

const withdraw: Handler<typeof contract.revokeInvitation> = async ({ params }, { tx }) => {
  if (!(await withdrawInvitation(tx, params.invitationId))) throw notFound('invitation')
  return { data: { id: toPublicId('inv', params.invitationId) } }
}
