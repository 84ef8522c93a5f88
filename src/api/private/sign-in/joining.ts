// How people get in: the first through the link that the first start prints, others by invitation, and anyone who
// forgot their password.

import {
  acceptAsMember,
  acceptAsNew,
  readInvitation,
} from '../../../actions/people/accept-invitation.ts'
import { limitRequests } from '../../../actions/people/limit-tries.ts'
import { queueAccountEmail } from '../../../actions/people/queue-account-email.ts'
import { requestResetLink, resetPassword } from '../../../actions/people/reset-password.ts'
import { type FirstOrganization, readSetup, setUp } from '../../../actions/people/set-up.ts'
import * as contract from '../../../contract/private/account.ts'
import { MAX_LINKS_PER_ADDRESS } from '../../../domain/people/sign-in.ts'
import { PATHS } from '../../../domain/values/dashboard-paths.ts'
import { comparable, parseEmailAddress } from '../../../domain/values/email-address.ts'
import { fromPublicId, toPublicId } from '../../../domain/values/id.ts'
import { networkOf } from '../../../domain/values/network.ts'
import { ApiError, validationError } from '../../../platform/api-error.ts'
import { hashToken } from '../../../platform/crypto/token.ts'
import type { Background } from '../../../platform/process/background.ts'
import type { Database } from '../../../store/core/db.ts'
import type { OrganizationSecrets } from '../../../store/core/organization-secrets.ts'
import type { Tenants } from '../../../store/core/tenants.ts'
import { membershipsOf } from '../../../store/people/members.ts'
import { findSession } from '../../../store/people/sessions.ts'
import { subjectOf } from '../../../store/people/sign-in-windows.ts'
import { zoneOfPerson } from '../../../store/people/time-zones.ts'
import { findUserByEmail } from '../../../store/people/users.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import type { VisitorContext } from '../../http/contexts.ts'
import type { NotifyOwner } from './account-notices.ts'
import { clientOf, requireStrongPassword, startSession, type ToSignInStatus } from './sign-in.ts'

type JoiningDeps = {
  tenants: Tenants
  organizationSecrets: OrganizationSecrets
  toSignInStatus: ToSignInStatus
  canMail: boolean
  background: Background
  notifyOwner: NotifyOwner
}

export function joiningOperations(deps: JoiningDeps): readonly BoundOperation[] {
  const { organizationSecrets: secrets, toSignInStatus, canMail, background } = deps

  const doSetUp: Handler<typeof contract.setUpInstallation> = async ({ body }, visit) => {
    const { token, name, password } = body
    const email = readEmail(body.email)
    const organization = readFirstOrganization(body)
    requireStrongPassword(password, email)
    const { people } = visit
    const person = { email, name, password, organization }
    const opened = await setUp({ people, secrets }, token, person, clientOf(visit))
    if (opened === undefined) throw linkEnded()
    return toSignInStatus(startSession(visit, opened))
  }

  /** Responds immediately and always alike: neither content nor timing reveals whether the account exists. */
  const requestReset: Handler<typeof contract.requestPasswordReset> = async ({ body }, visit) => {
    const { people, baseUrl, address } = visit
    const email = readEmail(body.email)
    if (!canMail)
      throw new ApiError(
        'conflict',
        "Email isn't set up here. Ask the person who runs this server.",
      )
    const subject = subjectOf('reset', networkOf(address))
    await limitRequests(people, [{ subject, limit: MAX_LINKS_PER_ADDRESS }])
    const isBegun = background.begin('password reset', () =>
      sendReset(deps.tenants, people, { email, baseUrl }),
    )
    if (!isBegun) throw new ApiError('rate_limited', 'Too much is going on. Try again in a moment.')
    return {}
  }

  return [
    bind(contract.readSetup, doReadSetup),
    bind(contract.setUpInstallation, doSetUp),
    bind(contract.requestPasswordReset, requestReset),
    bind(contract.resetPassword, resetWith(deps.notifyOwner)),
    bind(contract.readInvitation, doReadInvitation),
    bind(contract.acceptInvitation, accept),
  ]
}

const doReadSetup: Handler<typeof contract.readSetup> = async ({ body }, { people, address }) => {
  const found = await readSetup(people, body.token, address)
  if (found === undefined) throw linkEnded()
  return { organizations: found.map(({ id, name }) => ({ id: toPublicId('org', id), name })) }
}

const linkEnded = () =>
  new ApiError(
    'not_found',
    'This link was used, is more than an hour old, or the server printed a newer one.',
  )

function readFirstOrganization(body: {
  organization?: string
  organizationId?: string
}): FirstOrganization {
  const { organization: name, organizationId } = body
  const refuse = (path: string, message: string) => validationError([{ path, message }])
  if (organizationId === undefined) {
    if (name === undefined) throw refuse('organization', 'is required')
    return { name }
  }
  if (name !== undefined) throw refuse('organizationId', 'excludes organization')
  const id = fromPublicId('org', organizationId)
  if (id === undefined) throw refuse('organizationId', 'must be an organization without members')
  return { id }
}

async function sendReset(
  tenants: Tenants,
  people: Database,
  { email, baseUrl }: { email: string; baseUrl: string },
): Promise<void> {
  const created = await people.transaction(undefined, (tx) => requestResetLink(tx, email))
  if (created === undefined) return
  const { user, token, expiresAt } = created
  // An email is sent on behalf of an organization. A person without one has nothing to return to.
  const [membership] = await membershipsOf(people, user.uuid)
  if (membership === undefined) return
  const link = `${baseUrl}${PATHS.resetPassword}#${token}`
  const endsAt = expiresAt.toISOString()
  const timezone = zoneOfPerson(user, membership)
  const mail = { to: email, name: user.name, link, endsAt, timezone }
  await tenants.transaction(membership.orgId, (tx) =>
    queueAccountEmail(tx, { kind: 'RESET_PASSWORD', ...mail }),
  )
}

function resetWith(notifyOwner: NotifyOwner): Handler<typeof contract.resetPassword> {
  return async ({ body }, visit) => {
    const { token, password } = body
    const judge = (email: string) => requireStrongPassword(password, email)
    const uuid = await resetPassword(visit.people, { token, password, judge }, visit.address)
    if (uuid === undefined)
      throw new ApiError(
        'not_found',
        'This link was already used or is too old. Request a new one.',
      )
    await notifyOwner(visit, uuid, 'PASSWORD')
    // Whoever reads the mailbox is let in, also while others guess passwords.
    visit.knowBrowser(uuid)
    return {}
  }
}

const doReadInvitation: Handler<typeof contract.readInvitation> = async (
  { body },
  { people, address },
) => {
  const { organization, email, role, invitedBy } = await readInvitation(people, body.token, address)
  const hasAccount = (await findUserByEmail(people, email)) !== undefined
  return { organization, email, role, invitedBy, hasAccount }
}

const accept: Handler<typeof contract.acceptInvitation> = async ({ body }, visit) => {
  const { people, address } = visit
  const invitation = await readInvitation(people, body.token, address)
  const user = await signedIn(visit)
  if (user !== undefined) {
    const orgId = await acceptAsMember(people, invitation, user)
    return { organizationId: toPublicId('org', orgId) }
  }
  const chosen = readChosen(body, invitation.email)
  const { orgId, opened } = await acceptAsNew(people, invitation, chosen, clientOf(visit))
  startSession(visit, opened)
  return { organizationId: toPublicId('org', orgId) }
}

async function signedIn({ people, token = '' }: VisitorContext) {
  const found = await findSession(people, hashToken(token), null)
  return found?.session.complete ? found.session.user : undefined
}

/** The name and password that a new person chose. */
function readChosen(
  { name, password }: { name?: string; password?: string },
  email: string,
): { name: string; password: string } {
  if (name === undefined || password === undefined)
    throw validationError(
      Object.entries({ name, password }).flatMap(([path, value]) =>
        value === undefined ? { path, message: 'is required' } : [],
      ),
    )
  requireStrongPassword(password, email)
  return { name, password }
}

function readEmail(typed: string): string {
  const address = parseEmailAddress(typed)
  if (address === undefined)
    throw validationError([{ path: 'email', message: 'must be an e-mail address' }])
  return comparable(address)
}
