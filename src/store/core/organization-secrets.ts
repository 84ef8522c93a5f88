// Seals and unseals the secrets of organizations. Each organization has its own key. The unwrapped key is cached in
// memory (only its wrapping ever changes), so reading a secret needs no query.
import { BoundedMap } from '../../platform/bounded-map.ts'
import {
  type MasterKeys,
  newOrganizationKey,
  seal,
  unseal,
  unwrapKey,
  wrapKey,
} from '../../platform/crypto/encryption.ts'
import { type Db, sql } from './db.ts'

/** Where a secret is stored. It cannot be unsealed anywhere else. */
export type SecretLocation = { table: string; row: string; column: string }

export type Cipher = {
  seal(location: SecretLocation, plain: string): Buffer
  unseal(location: SecretLocation, value: Buffer): string
}

type KeyRow = { kid: string; wrapped: Buffer }

const MAX_KEYS_IN_MEMORY = 20_000
const FIND_KEY = sql`select kid, wrapped from organization_keys where org_id = $1`
const INSERT_KEY = sql`insert into organization_keys (org_id, kid, wrapped) values ($1, $2, $3)`
const UPDATE_KEY = sql`
  update organization_keys set kid = $2, wrapped = $3, updated_at = now() where org_id = $1`
const FIND_KEYS_TO_ROTATE = sql`
  select org_id, kid, wrapped from organization_keys where kid <> $1 order by org_id limit $2 for update`
// The oldest and the newest keys: if an old master key is missing, the oldest fail; if the list is wrong, the newest
// fail.
const FIND_SAMPLE = sql`
  (select org_id, kid, wrapped from organization_keys order by org_id limit $1)
  union all
  (select org_id, kid, wrapped from organization_keys order by org_id desc limit $1)`
const SAMPLE = 20

export class OrganizationSecrets {
  readonly #masterKeys: MasterKeys
  readonly #keys = new BoundedMap<string, Buffer>(MAX_KEYS_IN_MEMORY)

  constructor(masterKeys: MasterKeys) {
    this.#masterKeys = masterKeys
  }

  async cipherOf(db: Db, orgId: string): Promise<Cipher> {
    const key = this.#keys.get(orgId) ?? (await this.#load(db, orgId))
    return {
      seal: (location, plain) => seal(key, address(orgId, location), Buffer.from(plain)),
      unseal: (location, value) => unseal(key, address(orgId, location), value).toString(),
    }
  }

  /** Creates the key of a new organization. */
  async create(db: Db, orgId: string): Promise<void> {
    const { kid, wrapped } = wrapKey(this.#masterKeys, orgId, newOrganizationKey())
    await db.query(INSERT_KEY, [orgId, kid, wrapped])
  }

  /** The key itself, for a move to another installation. */
  async reveal(db: Db, orgId: string): Promise<Buffer> {
    return this.#keys.get(orgId) ?? this.#load(db, orgId)
  }

  /** Stores the key of an organization that was moved here. */
  async adopt(db: Db, orgId: string, key: Buffer): Promise<void> {
    const { kid, wrapped } = wrapKey(this.#masterKeys, orgId, key)
    await db.query(INSERT_KEY, [orgId, kid, wrapped])
  }

  /** Rewraps up to `limit` keys with the current master key. Returns how many. */
  async rotate(db: Db, limit: number): Promise<number> {
    const rows = await db.query<KeyRow & { org_id: string }>(FIND_KEYS_TO_ROTATE, [
      this.#masterKeys.current,
      limit,
    ])
    for (const row of rows) {
      const key = unwrapKey(this.#masterKeys, row.org_id, row)
      const { kid, wrapped } = wrapKey(this.#masterKeys, row.org_id, key)
      await db.query(UPDATE_KEY, [row.org_id, kid, wrapped])
    }
    return rows.length
  }

  /** Checks a sample of organization keys. Returns the master key id of the first that does not unwrap. */
  async findUndecryptable(db: Db): Promise<string | undefined> {
    const rows = await db.query<KeyRow & { org_id: string }>(FIND_SAMPLE, [SAMPLE])
    return rows.find((row) => !this.#canDecrypt(row.org_id, row))?.kid
  }

  #canDecrypt(orgId: string, row: KeyRow): boolean {
    try {
      unwrapKey(this.#masterKeys, orgId, row)
      return true
    } catch {
      return false
    }
  }

  async #load(db: Db, orgId: string): Promise<Buffer> {
    const [row] = await db.query<KeyRow>(FIND_KEY, [orgId])
    if (row === undefined) throw new Error(`Organization ${orgId} has no key`)
    const key = unwrapKey(this.#masterKeys, orgId, row)
    this.#keys.set(orgId, key)
    return key
  }
}

function address(orgId: string, { table, row, column }: SecretLocation): string {
  return `${orgId}|${table}|${row}|${column}`
}
