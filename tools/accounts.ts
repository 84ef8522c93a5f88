// The organizations, keys and person that `npm run try` and the test fixtures start with.
import pg from 'pg'
import type { Role } from '../src/domain/people/role.ts'
import { fromPublicId } from '../src/domain/values/id.ts'
import { createKey, stopKey } from '../src/operator/organizations/keys.ts'
import { createOrganization } from '../src/operator/organizations/organizations.ts'
import { parseMasterKeys } from '../src/platform/crypto/encryption.ts'
import { hashPassword } from '../src/platform/crypto/password.ts'
import { Database } from '../src/store/core/db.ts'
import { OrganizationSecrets } from '../src/store/core/organization-secrets.ts'
import { addMember } from '../src/store/people/members.ts'
import { insertUser } from '../src/store/people/users.ts'

/** Owner of the demo organization, for signing in to the dashboard. */
const PERSON = { email: 'demo@example.com', password: 'watch the vane turn' }

type Connection = {
  databaseUrl: string
  /** As the superuser. */
  adminUrl: string
  masterKeys: string
}

export type Demo = {
  organizationId: string
  person: typeof PERSON
  keys: {
    full: string
    full2: string
    readOnly: string
    expired: string
    disabled: string
    otherOrganization: string
    freePlan: string
    noSubscription: string
  }
}

/** Several can share a database if each has its own email address. */
export async function fillDemo(connection: Connection, email = PERSON.email): Promise<Demo> {
  const { database, secrets } = openEngine(connection)
  const organization = async (name: string, plan: string, subscription = 'ACTIVE') =>
    (await createOrganization(database, secrets, { name, plan, subscription })).id
  const key = (org: string, name: string, access = 'FULL') =>
    createKey(database, { org, name, access })
  try {
    const demo = await organization('Demo', 'UNLIMITED')
    const other = await organization('Other organization', 'UNLIMITED')
    const free = await organization('Free plan', 'FREE')
    const lapsed = await organization('No subscription', 'PRO', 'NONE')
    const expired = await key(demo, 'Expired')
    const disabled = await key(demo, 'Disabled')
    await stopKey(database, { id: disabled.id }, 'disable')
    await arrange(connection.adminUrl, {
      expired: expired.id,
      organizations: [demo, other, free, lapsed],
    })
    const person = { ...PERSON, email }
    await addOwner(connection.databaseUrl, demo, person)
    return {
      organizationId: demo,
      person,
      keys: {
        full: (await key(demo, 'Full access')).key,
        full2: (await key(demo, 'Full access, second')).key,
        readOnly: (await key(demo, 'Read only', 'READ_ONLY')).key,
        expired: expired.key,
        disabled: disabled.key,
        otherOrganization: (await key(other, 'Full access')).key,
        freePlan: (await key(free, 'Full access')).key,
        noSubscription: (await key(lapsed, 'Full access')).key,
      },
    }
  } finally {
    await database.close()
  }
}

/** What `upvane org create` does, without a process for it. Returns the id. */
export async function addOrganization(
  connection: Connection,
  fields: { name: string; plan: string; subscription: string },
): Promise<string> {
  const { database, secrets } = openEngine(connection)
  try {
    return (await createOrganization(database, secrets, fields)).id
  } finally {
    await database.close()
  }
}

function openEngine({ databaseUrl: url, masterKeys }: Connection) {
  const keys = parseMasterKeys(masterKeys)
  if (typeof keys === 'string') throw new Error(keys)
  const database = new Database({ url, role: 'upvane_engine', connections: 2 }, () => {})
  return { database, secrets: new OrganizationSecrets(keys) }
}

type NewPerson = { email: string; name: string; role: Role; passwordHash: string }

/** Adds a member to the organization and returns their id. */
export async function addPerson(
  people: Database,
  organizationId: string,
  { role, ...person }: NewPerson,
): Promise<string> {
  const orgId = fromPublicId('org', organizationId) ?? ''
  return people.transaction(undefined, async (tx) => {
    const uuid = tx.newUuid()
    await insertUser(tx, { uuid, ...person })
    await addMember(tx, orgId, { userUuid: uuid, role })
    return uuid
  })
}

export const openPeople = (databaseUrl: string): Database =>
  new Database({ url: databaseUrl, role: 'upvane_people', connections: 1 }, () => {})

async function addOwner(
  databaseUrl: string,
  organizationId: string,
  { email, password }: typeof PERSON,
): Promise<void> {
  const people = openPeople(databaseUrl)
  const passwordHash = await hashPassword(password)
  await addPerson(people, organizationId, { email, name: 'Demo', role: 'OWNER', passwordHash })
  await people.close()
}

// What the product does not offer: a key that is already expired, and private targets on a small plan. Everything here
// runs on loopback, so every organization needs private targets.
async function arrange(
  adminUrl: string,
  { expired, organizations }: { expired: string; organizations: string[] },
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(`update api_keys set expires_at = now() - interval '1 day' where id = $1`, [
    fromPublicId('key', expired),
  ])
  await client.query('update organizations set private_targets = true where id = any($1)', [
    organizations.map((id) => fromPublicId('org', id)),
  ])
  await client.end()
}
