// The database as one organization sees it. Store functions take a Tenant, so a query always knows whose rows it reads
// and whose secrets it unseals.
import type { Database, Db, Tx } from './db.ts'
import type { Cipher, OrganizationSecrets } from './organization-secrets.ts'

export type Tenant = Db & { readonly orgId: string; cipher(): Promise<Cipher> }

/** A transaction of one organization. */
export type TenantTx = Tenant &
  Pick<Tx, 'now' | 'newUuid'> & {
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
    return { ...this.#tenant(orgId, tx), now: tx.now, newUuid: tx.newUuid }
  }
}
