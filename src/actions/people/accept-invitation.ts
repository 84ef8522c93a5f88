import { MAX_LINKS_PER_ADDRESS } from '../../domain/people/sign-in.ts'
import { networkOf } from '../../domain/values/network.ts'
import { ApiError } from '../../platform/api-error.ts'
import { hashPassword } from '../../platform/crypto/password.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import {
  acceptInvitation,
  addMember,
  findInvitation,
  type OpenInvitation,
} from '../../store/people/members.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { findUserByEmail, insertUser } from '../../store/people/users.ts'
import { limitTries } from './limit-tries.ts'
import { type OpenedSession, openSession, type SessionOrigin } from './open-session.ts'
import { refuseSurplusMember } from './refuse-surplus-member.ts'

/** The invitation behind a link, while it is valid. */
export async function readInvitation(
  people: Database,
  token: string,
  address: string,
): Promise<OpenInvitation> {
  const subject = subjectOf('link', networkOf(address))
  const found = await limitTries(people, [{ subject, limit: MAX_LINKS_PER_ADDRESS }], () =>
    findInvitation(people, hashToken(token)),
  )
  if (found === undefined) throw ended()
  return found
}

/** For a person who is signed in. Returns the organization they joined. */
export async function acceptAsMember(
  people: Database,
  { uuid, orgId, email, role }: OpenInvitation,
  user: { uuid: string; email: string },
): Promise<string> {
  if (user.email !== email)
    throw new ApiError('conflict', 'This invitation is for another email address.')
  return people.transaction(undefined, async (tx) => {
    if (!(await acceptInvitation(tx, uuid))) throw ended()
    await refuseSurplusMember(tx, orgId)
    await addMember(tx, orgId, { userUuid: user.uuid, role })
    return orgId
  })
}

/** For a new person, who chose a name and a password. */
export async function acceptAsNew(
  people: Database,
  invitation: OpenInvitation,
  { name, password }: { name: string; password: string },
  from: SessionOrigin,
): Promise<{ orgId: string; opened: OpenedSession }> {
  const { uuid, orgId, email, role } = invitation
  // The link proves access to the mailbox, not to its account: an existing owner must sign in first.
  if ((await findUserByEmail(people, email)) !== undefined) throw accountExists()
  const passwordHash = await hashPassword(password)
  return people.transaction(undefined, async (tx) => {
    if (!(await acceptInvitation(tx, uuid))) throw ended()
    const userUuid = await createUser(tx, { email, name, passwordHash })
    await refuseSurplusMember(tx, orgId)
    await addMember(tx, orgId, { userUuid, role })
    return { orgId, opened: await openSession(tx, userUuid, from, true) }
  })
}

async function createUser(
  tx: Tx,
  person: { email: string; name: string; passwordHash: string },
): Promise<string> {
  const uuid = tx.newUuid()
  // A disabled account keeps its address.
  if (!(await insertUser(tx, { uuid, ...person }))) throw accountExists()
  return uuid
}

const ended = () => new ApiError('not_found', 'This invitation was used, withdrawn or has expired.')
const accountExists = () =>
  new ApiError('conflict', 'An account with this address already exists. Sign in to accept.')
