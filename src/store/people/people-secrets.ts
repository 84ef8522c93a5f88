// Seals and unseals the secrets of people, who belong to no organization. They share one key.
import { createHmac } from 'node:crypto'
import {
  type MasterKeys,
  newOrganizationKey,
  seal,
  unseal,
} from '../../platform/crypto/encryption.ts'
import type { Db } from '../core/db.ts'
import type { Cipher, SecretLocation } from '../core/organization-secrets.ts'
import { ServiceKey } from '../core/service-keys.ts'

const NAME = 'people'

export class PeopleSecrets {
  readonly #key: ServiceKey

  constructor(masterKeys: MasterKeys) {
    this.#key = new ServiceKey(masterKeys, NAME, newOrganizationKey)
  }

  async cipher(people: Db): Promise<Cipher> {
    const key = await this.#key.get(people)
    return {
      seal: (location, plain) => seal(key, address(location), Buffer.from(plain)),
      unseal: (location, value) => unseal(key, address(location), value).toString(),
    }
  }

  /** A separate key for each purpose, for signing or for hashing values too short for a plain hash. */
  async macKey(people: Db, purpose: string): Promise<Buffer> {
    const key = await this.#key.get(people)
    return createHmac('sha256', key).update(`upvane ${purpose}`).digest()
  }

  /** Rewraps the key with the current master key. */
  async rotate(db: Db): Promise<void> {
    await this.#key.rotate(db)
  }
}

const address = ({ table, row, column }: SecretLocation): string =>
  `${NAME}|${table}|${row}|${column}`
