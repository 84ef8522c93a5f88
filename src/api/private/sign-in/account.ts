// A person's own account settings.
import { changePassword } from '../../../actions/people/change-password.ts'
import { createOrganization } from '../../../actions/people/create-organization.ts'
import * as contract from '../../../contract/private/account.ts'
import { closedGates } from '../../../domain/people/organization-gate.ts'
import { hasSecondFactor } from '../../../domain/people/second-factor.ts'
import type { Session } from '../../../domain/people/session.ts'
import { fromPublicId, toPublicId } from '../../../domain/values/id.ts'
import { ApiError } from '../../../platform/api-error.ts'
import type { Db } from '../../../store/core/db.ts'
import type { OrganizationSecrets } from '../../../store/core/organization-secrets.ts'
import { hasIdentity } from '../../../store/people/identities.ts'
import { membershipsOf, type OwnMembership } from '../../../store/people/members.ts'
import { isOperator } from '../../../store/people/operators.ts'
import { deleteSession, listSessions } from '../../../store/people/sessions.ts'
import { countRecoveryCodes, updateUser } from '../../../store/people/users.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import type { PersonContext } from '../../http/contexts.ts'
import { requireTimezone } from '../organization-settings.ts'
import { userOf } from '../session-user.ts'
import type { NotifyOwner } from './account-notices.ts'
import { clientOf, requireStrongPassword, startSession } from './sign-in.ts'

type AccountDeps = {
  organizationSecrets: OrganizationSecrets
  /** The identity provider's issuer, if one is configured. */
  issuer: string | undefined
  notifyOwner: NotifyOwner
}

export function accountOperations(deps: AccountDeps): readonly BoundOperation[] {
  const { organizationSecrets, issuer } = deps

  const getMe: Handler<typeof contract.getMe> = async (_input, { people, session }) => {
    const memberships = await membershipsOf(people, session.user.uuid)
    return {
      person: await toPerson(people, session, issuer),
      organizations: memberships.map(toOwnOrganization),
    }
  }

  const updateMe: Handler<typeof contract.updateMe> = async ({ body }, { people, session }) => {
    const { name, timezone = (await userOf({ people, session })).timezone } = body
    requireTimezone(timezone)
    await updateUser(people, session.user.uuid, { name, timezone })
    return toPerson(people, session, issuer)
  }

  const create: Handler<typeof contract.createOrganization> = async (
    { body },
    { people, session },
  ) => {
    const { name } = body
    const { id, plan } = await people.transaction(undefined, (tx) =>
      createOrganization(tx, organizationSecrets, { name, ownerUuid: session.user.uuid }),
    )
    const fresh = { timezone: null, eraseAt: null, needsSecondFactor: false }
    return { id: toPublicId('org', id), name, plan, role: 'OWNER', ...fresh }
  }

  return [
    bind(contract.getMe, getMe),
    bind(contract.updateMe, updateMe),
    bind(contract.changePassword, changeWith(deps.notifyOwner)),
    bind(contract.listSessions, list),
    bind(contract.endSession, end),
    bind(contract.createOrganization, create),
  ]
}

function toOwnOrganization({ orgId, eraseAt, ...membership }: OwnMembership) {
  const { name, plan, role, timezone } = membership
  return {
    id: toPublicId('org', orgId),
    name,
    plan,
    role,
    timezone,
    eraseAt,
    needsSecondFactor: closedGates({
      ...membership,
      isDeleting: eraseAt !== null,
      isMoving: false,
    }).includes('SECOND_FACTOR'),
  }
}

async function toPerson(people: Db, session: Session, issuer: string | undefined) {
  const user = await userOf({ people, session })
  const { uuid, email, name, timezone, passwordHash, totpConfirmedAt } = user
  return {
    id: toPublicId('usr', uuid),
    email,
    name,
    timezone,
    hasPassword: passwordHash !== null,
    isLinked: issuer !== undefined && (await hasIdentity(people, uuid, issuer)),
    secondFactor: hasSecondFactor(user),
    hasAuthenticator: totpConfirmedAt !== null,
    recoveryCodesLeft: await countRecoveryCodes(people, uuid),
    isOperator: await isOperator(people, uuid),
  }
}

function changeWith(notifyOwner: NotifyOwner): Handler<typeof contract.changePassword> {
  return async ({ body }, visit: PersonContext) => {
    const user = await userOf(visit)
    requireStrongPassword(body.password, user.email)
    const change = { current: body.current, wanted: body.password }
    startSession(visit, await changePassword(visit.people, user, change, clientOf(visit)))
    await notifyOwner(visit, user.uuid, 'PASSWORD')
    return {}
  }
}

const list: Handler<typeof contract.listSessions> = async (_input, { people, session }) => {
  const lines = await listSessions(people, session.user.uuid)
  return {
    data: lines.map(({ uuid, createdAt, seenAt, ...rest }) => ({
      ...rest,
      id: toPublicId('ses', uuid),
      createdAt,
      seenAt,
      current: uuid === session.uuid,
    })),
  }
}

const end: Handler<typeof contract.endSession> = async ({ params }, { people, session }) => {
  const uuid = fromPublicId('ses', params.sessionId)
  if (uuid === undefined || !(await deleteSession(people, session.user.uuid, uuid)))
    throw new ApiError('not_found', 'There is no such session.')
  return {}
}
