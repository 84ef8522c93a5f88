import { type OwnedDomain, type Proof, settleDomain as settle } from '../domain/custom-domain.ts'
import type { Database } from '../store/db.ts'
import { lockDomain, saveDomain } from '../store/page-domains.ts'

export type Settled = { before: OwnedDomain['status']; after: OwnedDomain['status'] }

/** Writes down what the domain's DNS said. A domain that was changed meanwhile is left as it is. */
export function settleDomain(
  database: Database,
  { pageUuid, domain }: { pageUuid: string; domain: string },
  proof: Proof,
): Promise<Settled | undefined> {
  return database.transaction(undefined, async (tx) => {
    const owned = await lockDomain(tx, pageUuid, domain)
    const after = owned && settle(owned, proof, tx.now)
    if (owned === undefined || after === undefined) return undefined

    await saveDomain(tx, pageUuid, after)
    return { before: owned.status, after: after.status }
  })
}
