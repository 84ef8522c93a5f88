// The keys that sign access to NATS: created once and stored encrypted. Opening them requires MASTER_KEYS.
import { type AuthoritySeeds, newAuthority } from '../../bus/authority.ts'
import type { Db } from '../../store/core/db.ts'
import { findSealedAuthority, insertSealedAuthority } from '../../store/operating/probes.ts'
import type { PeopleSecrets } from '../../store/people/people-secrets.ts'

const LOCATION = { table: 'bus_authority', row: 'only_one', column: 'sealed' }

export async function findAuthority(
  db: Db,
  secrets: PeopleSecrets,
): Promise<AuthoritySeeds | undefined> {
  const sealed = await findSealedAuthority(db)
  if (sealed === undefined) return undefined
  const cipher = await secrets.cipher(db)
  return JSON.parse(cipher.unseal(LOCATION, sealed)) as AuthoritySeeds
}

export async function ensureAuthority(db: Db, secrets: PeopleSecrets): Promise<AuthoritySeeds> {
  const known = await findAuthority(db, secrets)
  if (known !== undefined) return known
  const cipher = await secrets.cipher(db)
  await insertSealedAuthority(db, cipher.seal(LOCATION, JSON.stringify(newAuthority())))
  const created = await findAuthority(db, secrets)
  if (created === undefined) throw new Error('The keys for NATS were not stored')
  return created
}
