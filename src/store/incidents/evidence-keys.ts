// The key pair that signs this installation's evidence files. People pin its public key, so it never changes.
import type { MasterKeys } from '../../platform/crypto/encryption.ts'
import {
  type EvidenceKey,
  newEvidenceSecret,
  toEvidenceKey,
} from '../../platform/crypto/evidence-key.ts'
import type { Db } from '../core/db.ts'
import { ServiceKey } from '../core/service-keys.ts'

const NAME = 'evidence'

export class EvidenceKeys {
  readonly #key: ServiceKey
  #keys: EvidenceKey | undefined

  constructor(masterKeys: MasterKeys) {
    this.#key = new ServiceKey(masterKeys, NAME, newEvidenceSecret)
  }

  async get(db: Db): Promise<EvidenceKey> {
    this.#keys ??= toEvidenceKey(await this.#key.get(db))
    return this.#keys
  }

  /** Rewraps the private key with the current master key. */
  async rotate(db: Db): Promise<void> {
    await this.#key.rotate(db)
  }
}
