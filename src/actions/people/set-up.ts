import { isRecentSetUpToken, toSetUpToken } from '../../domain/people/set-up-token.ts'
import { MAX_LINKS_PER_ADDRESS } from '../../domain/people/sign-in.ts'
import { networkOf } from '../../domain/values/network.ts'
import { validationError } from '../../platform/api-error.ts'
import { hashPassword } from '../../platform/crypto/password.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { addMember } from '../../store/people/members.ts'
import {
  claimSetup,
  completeSetup,
  isSetupLink,
  listUnowned,
  offerSetup,
  type Unowned,
} from '../../store/people/setup.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { insertUser } from '../../store/people/users.ts'
import { createFirstOrganization } from './create-organization.ts'
import { limitTries } from './limit-tries.ts'
import { type OpenedSession, openSession, type SessionOrigin } from './open-session.ts'

const MAX_OFFERED = 50

/** What the first person will own: a new organization of this name, or one that was created by command. */
export type FirstOrganization = { name: string } | { id: string }

type FirstPerson = {
  email: string
  name: string
  password: string
  organization: FirstOrganization
}

type Deps = { people: Database; secrets: OrganizationSecrets }

/** The token of a link that creates the first account, within an hour. Undefined once there is an account. */
export async function beginSetup(people: Database): Promise<string | undefined> {
  const token = toSetUpToken(newToken(), new Date())
  return (await offerSetup(people, hashToken(token))) ? token : undefined
}

/** The organizations that the first person can own, at most 50. Undefined if the link is invalid or no longer works. */
export async function readSetup(
  people: Database,
  token: string,
  address: string,
): Promise<Unowned[] | undefined> {
  const subject = subjectOf('link', networkOf(address))
  return limitTries(people, [{ subject, limit: MAX_LINKS_PER_ADDRESS }], async () => {
    if (!(await works(people, token))) return undefined
    return listUnowned(people, { limit: MAX_OFFERED })
  })
}

/** Opens the first person's session. Undefined if the link is invalid or no longer works. */
export async function setUp(
  { people, secrets }: Deps,
  token: string,
  person: FirstPerson,
  from: SessionOrigin,
): Promise<OpenedSession | undefined> {
  const subject = subjectOf('link', networkOf(from.address))
  return limitTries(people, [{ subject, limit: MAX_LINKS_PER_ADDRESS }], async () => {
    if (!(await works(people, token))) return undefined
    const passwordHash = await hashPassword(person.password)
    return people.transaction(undefined, async (tx) => {
      if (!(await completeSetup(tx, hashToken(token)))) return undefined
      return openSession(tx, await insertFirst(tx, secrets, person, passwordHash), from, true)
    })
  })
}

async function works(people: Database, token: string): Promise<boolean> {
  return isRecentSetUpToken(token, new Date()) && isSetupLink(people, hashToken(token))
}

/**
 * Creates the first account from the configuration. False if an account exists. Reuses an organization of that name
 * that was created by command.
 */
export async function setUpFromConfig(
  { people, secrets }: Deps,
  person: Omit<FirstPerson, 'organization'> & { organization: string },
): Promise<boolean> {
  const passwordHash = await hashPassword(person.password)
  return people.transaction(undefined, async (tx) => {
    if (!(await claimSetup(tx))) return false
    const { organization: name } = person
    const [unowned] = await listUnowned(tx, { name, limit: 1 })
    const organization = unowned === undefined ? { name } : { id: unowned.id }
    await insertFirst(tx, secrets, { ...person, organization }, passwordHash)
    return true
  })
}

async function insertFirst(
  tx: Tx,
  secrets: OrganizationSecrets,
  { email, name, organization }: FirstPerson,
  passwordHash: string,
): Promise<string> {
  const uuid = tx.newUuid()
  if (!(await insertUser(tx, { uuid, email, name, passwordHash })))
    throw new Error('Nobody exists, and yet the address has an account')
  if ('id' in organization) await joinUnowned(tx, organization.id, uuid)
  else await createFirstOrganization(tx, secrets, { name: organization.name, ownerUuid: uuid })
  return uuid
}

/**
 * If the organization got a member or was deleted since it was offered, everything is rolled back and the link stays
 * valid.
 */
async function joinUnowned(tx: Tx, id: string, userUuid: string): Promise<void> {
  const [found] = await listUnowned(tx, { id, limit: 1 })
  if (found === undefined)
    throw validationError([
      { path: 'organizationId', message: 'must be an organization without members' },
    ])
  await addMember(tx, id, { userUuid, role: 'OWNER' })
}
