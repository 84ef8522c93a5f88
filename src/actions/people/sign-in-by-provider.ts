import { isDomainAllowed, type ProvenIdentity } from '../../domain/people/id-token.ts'
import type { Role } from '../../domain/people/role.ts'
import { toLine } from '../../domain/values/email-text.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import { findIdentity, insertIdentity } from '../../store/people/identities.ts'
import { addMember, isInvited } from '../../store/people/members.ts'
import { findAnyUser, insertUser } from '../../store/people/users.ts'
import { type OpenedSession, openFor, openSession, type SessionOrigin } from './open-session.ts'

/** Which unknown people may sign in. */
export type Admission = {
  allowedDomains: readonly string[]
  joins: { orgId: string; role: Role } | undefined
}

/** Why a person known to the provider is refused. The dashboard has a message for each. */
export type SignInRefusal =
  | 'account_closed'
  | 'account_exists'
  | 'address_not_verified'
  | 'domain_not_allowed'
  | 'not_invited'

/**
 * Finds the account only by the provider's subject: an existing account is never linked by its email address, because
 * its creator may not own that address. Its owner links it while signed in. A new account needs a verified address that
 * was invited or is in an allowed domain; invitations stay open, because anyone can send one, and are accepted by link.
 */
export function signInByProvider(
  people: Database,
  identity: ProvenIdentity,
  admission: Admission,
  from: SessionOrigin,
): Promise<OpenedSession | SignInRefusal> {
  return people.transaction(undefined, async (tx) => {
    const userUuid = await findIdentity(tx, identity)
    if (userUuid !== undefined)
      return (await openFor(tx, { uuid: userUuid }, from)) ?? 'account_closed'

    const { email } = identity
    if (email === null) return 'address_not_verified'
    if ((await findAnyUser(tx, email)) !== undefined) return 'account_exists'
    if (!isDomainAllowed(email, admission.allowedDomains)) return 'domain_not_allowed'
    const { joins } = admission
    if (joins === undefined && !(await isInvited(tx, email))) return 'not_invited'
    const createdUuid = await createUser(tx, { ...identity, email })
    if (createdUuid === undefined) return 'account_exists'
    if (joins !== undefined)
      await addMember(tx, joins.orgId, { userUuid: createdUuid, role: joins.role })
    return openSession(tx, createdUuid, from, true)
  })
}

async function createUser(
  tx: Tx,
  identity: ProvenIdentity & { email: string },
): Promise<string | undefined> {
  const uuid = tx.newUuid()
  const { email } = identity
  const name = toLine(identity.name ?? '') || email.slice(0, 120)
  const person = { uuid, email, name, passwordHash: null }
  if (!(await insertUser(tx, person))) return undefined
  if (!(await insertIdentity(tx, identity, uuid)))
    throw new Error('The identity was tied to an account in the same moment')
  return uuid
}
