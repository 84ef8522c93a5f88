// Acme's members, one per role, and the subscribers of its status page.
import { subscribeToPage } from '../../src/actions/status-pages/subscribe.ts'
import type { Role } from '../../src/domain/people/role.ts'
import { fromPublicId } from '../../src/domain/values/id.ts'
import { parseMasterKeys } from '../../src/platform/crypto/encryption.ts'
import { hashPassword } from '../../src/platform/crypto/password.ts'
import { Database } from '../../src/store/core/db.ts'
import { OrganizationSecrets } from '../../src/store/core/organization-secrets.ts'
import { Tenants } from '../../src/store/core/tenants.ts'
import { addPerson, openPeople } from '../accounts.ts'
import type { Stack } from '../stack.ts'

const TEAM: readonly { name: string; email: string; role: Role }[] = [
  { name: 'Tomás Ruiz', email: 'tomas.ruiz@acme.example', role: 'ADMIN' },
  { name: 'Mei Lin', email: 'mei.lin@acme.example', role: 'MEMBER' },
  { name: 'Jonas Weber', email: 'jonas.weber@acme.example', role: 'MEMBER' },
  { name: 'Priya Nair', email: 'priya.nair@acme.example', role: 'ADMIN' },
  { name: 'Sam Okafor', email: 'sam.okafor@acme.example', role: 'READ_ONLY' },
]
const READERS = 23

/** All members have the first person's password. Returns their ids by name. */
export async function addTeam(stack: Stack): Promise<Map<string, string>> {
  const people = openPeople(stack.env['DATABASE_URL'] ?? '')
  const passwordHash = await hashPassword(stack.person.password)
  const team = new Map<string, string>()
  for (const person of TEAM) {
    const uuid = await addPerson(people, stack.organizationId, { ...person, passwordHash })
    team.set(person.name, uuid)
  }
  await people.close()
  return team
}

/** Most have confirmed their address; the last few have not. */
export async function addReaders(stack: Stack, pageIds: readonly string[]): Promise<void> {
  const keys = parseMasterKeys(stack.env['MASTER_KEYS'] ?? '')
  if (typeof keys === 'string') throw new Error(keys)
  const url = stack.env['DATABASE_URL'] ?? ''
  const database = new Database({ url, role: 'upvane_app', connections: 2 }, () => {})
  const tenants = new Tenants(database, new OrganizationSecrets(keys))
  const orgId = fromPublicId('org', stack.organizationId) ?? ''
  for (const [index, pageId] of pageIds.entries()) {
    const pageUuid = fromPublicId('sp', pageId) ?? ''
    const readers = Math.ceil(READERS / (1 + index * 3))
    for (let reader = 1; reader <= readers; reader++) {
      const address = `reader-${reader}@customer-${reader % 7}.example`
      await tenants.transaction(orgId, (tx) =>
        subscribeToPage(tx, { pageUuid, address, componentUuids: null }),
      )
    }
  }
  await database.close()
}
