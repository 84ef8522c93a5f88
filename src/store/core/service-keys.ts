// Keys of the installation itself, wrapped like those of organizations: one row for each purpose, created on first use.
import { type MasterKeys, unwrapKey, wrapKey } from '../../platform/crypto/encryption.ts'
import { type Db, sql } from './db.ts'

const FIND = sql`select kid, wrapped from service_keys where name = $1`
const INSERT = sql`
  insert into service_keys (name, kid, wrapped) values ($1, $2, $3) on conflict do nothing`
const UPDATE = sql`update service_keys set kid = $2, wrapped = $3 where name = $1`

type KeyRow = { kid: string; wrapped: Buffer }

export class ServiceKey {
  readonly #masterKeys: MasterKeys
  readonly #name: string
  readonly #create: () => Buffer
  #key: Buffer | undefined

  /** `create` makes 32 random bytes, or another key of that length. */
  constructor(masterKeys: MasterKeys, name: string, create: () => Buffer) {
    this.#masterKeys = masterKeys
    this.#name = name
    this.#create = create
  }

  async get(db: Db): Promise<Buffer> {
    this.#key ??= (await this.#find(db)) ?? (await this.#insert(db))
    return this.#key
  }

  /** Rewraps the key with the current master key. */
  async rotate(db: Db): Promise<void> {
    const [row] = await db.query<KeyRow>(FIND, [this.#name])
    if (row === undefined || row.kid === this.#masterKeys.current) return
    const key = unwrapKey(this.#masterKeys, this.#name, row)
    const { kid, wrapped } = wrapKey(this.#masterKeys, this.#name, key)
    await db.query(UPDATE, [this.#name, kid, wrapped])
  }

  async #find(db: Db): Promise<Buffer | undefined> {
    const [row] = await db.query<KeyRow>(FIND, [this.#name])
    return row && unwrapKey(this.#masterKeys, this.#name, row)
  }

  async #insert(db: Db): Promise<Buffer> {
    const { kid, wrapped } = wrapKey(this.#masterKeys, this.#name, this.#create())
    await db.query(INSERT, [this.#name, kid, wrapped])
    // Another process may have stored a key first; the stored key counts.
    const stored = await this.#find(db)
    if (stored === undefined) throw new Error(`The key "${this.#name}" was not stored`)
    return stored
  }
}
