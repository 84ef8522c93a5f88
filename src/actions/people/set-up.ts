import { MAX_LINKS_PER_ADDRESS } from '../../domain/people/sign-in.ts'
import { networkOf } from '../../domain/values/network.ts'
import { hashPassword } from '../../platform/crypto/password.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { claimSetup, completeSetup, isSetupLink, offerSetup } from '../../store/people/setup.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { insertUser } from '../../store/people/users.ts'
import { limitTries } from './limit-tries.ts'
import { makeFirstOrganization } from './make-organization.ts'
import { newUuid } from './new-uuid.ts'
import { type From, type Opened, openSession } from './open-session.ts'

type FirstPerson = { email: string; name: string; password: string; organization: string }

type Deps = { people: Database; secrets: OrganizationSecrets }

/** The token of a link that makes the first account; undefined once there is one. */
export async function beginSetup(people: Database): Promise<string | undefined> {
  const token = newToken()
  return (await offerSetup(people, hashToken(token))) ? token : undefined
}

/** Opens the first person's session; undefined when the link is not, or no longer, good. */
export async function setUp(
  { people, secrets }: Deps,
  token: string,
  person: FirstPerson,
  from: From,
): Promise<Opened | undefined> {
  const tokenHash = hashToken(token)
  const subject = subjectOf('link', networkOf(from.address))
  return limitTries(people, [{ subject, limit: MAX_LINKS_PER_ADDRESS }], async () => {
    if (!(await isSetupLink(people, tokenHash))) return undefined
    const passwordHash = await hashPassword(person.password)
    return people.transaction(undefined, async (tx) => {
      if (!(await completeSetup(tx, tokenHash))) return undefined
      return openSession(tx, await insertFirst(tx, secrets, person, passwordHash), from, true)
    })
  })
}

/** The first account as the configuration names it. False once there is somebody. */
export async function setUpFromConfig(
  { people, secrets }: Deps,
  person: FirstPerson,
): Promise<boolean> {
  const passwordHash = await hashPassword(person.password)
  return people.transaction(undefined, async (tx) => {
    if (!(await claimSetup(tx))) return false
    await insertFirst(tx, secrets, person, passwordHash)
    return true
  })
}

async function insertFirst(
  tx: Tx,
  secrets: OrganizationSecrets,
  { email, name, organization }: FirstPerson,
  passwordHash: string,
): Promise<string> {
  const uuid = newUuid(tx)
  if (!(await insertUser(tx, { uuid, email, name, passwordHash })))
    throw new Error('Nobody exists, and yet the address has an account')
  await makeFirstOrganization(tx, secrets, { name: organization, ownerUuid: uuid })
  return uuid
}
