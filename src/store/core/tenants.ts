// The database as one organization sees it. Store functions take a Tenant, so a query always knows whose rows it reads
// and whose secrets it unseals.
import { randomBytes } from 'node:crypto'
import { uuidV7 } from '../../domain/values/id.ts'
import type { Database, Db, Tx } from './db.ts'
import type { Cipher, OrganizationSecrets } from './organization-secrets.ts'

export type Tenant = Db & { readonly orgId: string; cipher(): Promise<Cipher> }

/** A transaction of one organization, with its clock and ids that sort by creation order. */
export type TenantTx = Tenant & {
  readonly now: Date
  newUuid(): string
  /** Counts the slots that this transaction writes off, after it commits. */
  slotsMissed(reason: string, slots: number): void
}

type OnSlotsMissed = (reason: string, slots: number) => void

export class Tenants {
  readonly #database: Database
  readonly #secrets: OrganizationSecrets
  readonly #onSlotsMissed: OnSlotsMissed

  constructor(
    database: Database,
    secrets: OrganizationSecrets,
    onSlotsMissed: OnSlotsMissed = () => {},
  ) {
    this.#database = database
    this.#secrets = secrets
    this.#onSlotsMissed = onSlotsMissed
  }

  of(orgId: string): Tenant {
    return this.#tenant(orgId, this.#database.of(orgId))
  }

  async transaction<T>(orgId: string, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    let missed: Parameters<OnSlotsMissed>[] = []
    const result = await this.#database.transaction(orgId, (tx) => {
      missed = []
      const slotsMissed: OnSlotsMissed = (...slots) => void missed.push(slots)
      return work({ ...this.#tenantTx(orgId, tx), slotsMissed })
    })
    for (const slots of missed) this.#onSlotsMissed(...slots)
    return result
  }

  #tenant(orgId: string, db: Db): Tenant {
    return { orgId, query: db.query, cipher: () => this.#secrets.cipherOf(db, orgId) }
  }

  #tenantTx(orgId: string, tx: Tx): Omit<TenantTx, 'slotsMissed'> {
    const unixMicros = BigInt(tx.now.getTime()) * 1000n
    let sequence = 0
    return {
      ...this.#tenant(orgId, tx),
      now: tx.now,
      newUuid: () => uuidV7({ unixMicros, sequence: sequence++, random: randomBytes(8) }),
    }
  }
}
