// Seals and unseals the secrets of people, who belong to no organization. They share one key, wrapped like an
// organization's key.
import { createHmac } from 'node:crypto'
import {
  type MasterKeys,
  newOrganizationKey,
  seal,
  unseal,
  unwrapKey,
  wrapKey,
} from '../../platform/crypto/encryption.ts'
import { type Db, sql } from '../core/db.ts'
import type { Cipher, SecretLocation } from '../core/organization-secrets.ts'

const NAME = 'people'
const FIND = sql`select kid, wrapped from service_keys where name = $1`
const INSERT = sql`
  insert into service_keys (name, kid, wrapped) values ($1, $2, $3) on conflict do nothing`
const UPDATE = sql`update service_keys set kid = $2, wrapped = $3 where name = $1`

type KeyRow = { kid: string; wrapped: Buffer }

export class PeopleSecrets {
  readonly #masterKeys: MasterKeys
  #key: Buffer | undefined

  constructor(masterKeys: MasterKeys) {
    this.#masterKeys = masterKeys
  }

  async cipher(people: Db): Promise<Cipher> {
    this.#key ??= await this.#load(people)
    const key = this.#key
    return {
      seal: (location, plain) => seal(key, address(location), Buffer.from(plain)),
      unseal: (location, value) => unseal(key, address(location), value).toString(),
    }
  }

  /** A separate key for each purpose, for signing or for hashing values too short for a plain hash. */
  async macKey(people: Db, purpose: string): Promise<Buffer> {
    this.#key ??= await this.#load(people)
    return createHmac('sha256', this.#key).update(`upvane ${purpose}`).digest()
  }

  /** Rewraps the key with the current master key. */
  async rotate(db: Db): Promise<void> {
    const [row] = await db.query<KeyRow>(FIND, [NAME])
    if (row === undefined || row.kid === this.#masterKeys.current) return
    const { kid, wrapped } = wrapKey(this.#masterKeys, NAME, unwrapKey(this.#masterKeys, NAME, row))
    await db.query(UPDATE, [NAME, kid, wrapped])
  }

  async #load(people: Db): Promise<Buffer> {
    const [cached] = await people.query<KeyRow>(FIND, [NAME])
    if (cached !== undefined) return unwrapKey(this.#masterKeys, NAME, cached)
    const { kid, wrapped } = wrapKey(this.#masterKeys, NAME, newOrganizationKey())
    await people.query(INSERT, [NAME, kid, wrapped])
    // Another process may have stored a key first; the stored key counts.
    const [created] = await people.query<KeyRow>(FIND, [NAME])
    if (created === undefined) throw new Error('The key of people was not stored')
    return unwrapKey(this.#masterKeys, NAME, created)
  }
}

const address = ({ table, row, column }: SecretLocation): string =>
  `${NAME}|${table}|${row}|${column}`
