// The key pair by which push services recognize this installation. Browsers subscribe with its public key, so it never
// changes: a new one would invalidate every subscription.
import type { MasterKeys } from '../../platform/crypto/encryption.ts'
import { newVapidSecret, toVapidKeys, type VapidKeys } from '../../platform/crypto/vapid.ts'
import type { Db } from '../core/db.ts'
import { ServiceKey } from '../core/service-keys.ts'

const NAME = 'web-push'

export class PushKeys {
  readonly #key: ServiceKey
  #keys: VapidKeys | undefined

  constructor(masterKeys: MasterKeys) {
    this.#key = new ServiceKey(masterKeys, NAME, newVapidSecret)
  }

  async get(db: Db): Promise<VapidKeys> {
    this.#keys ??= toVapidKeys(await this.#key.get(db))
    return this.#keys
  }

  /** Rewraps the private key with the current master key. */
  async rotate(db: Db): Promise<void> {
    await this.#key.rotate(db)
  }
}
