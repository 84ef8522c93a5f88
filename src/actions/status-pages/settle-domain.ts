import {
  type OwnedDomain,
  type Proof,
  type Settlement,
  settleDomain as settle,
} from '../../domain/status-pages/custom-domain.ts'
import type { Database } from '../../store/core/db.ts'
import { isServedElsewhere, lockDomain, saveDomain } from '../../store/status-pages/domains.ts'

type DomainClaim = { pageUuid: string; domain: string }
type SettledDomain = { before: OwnedDomain['status']; after: Settlement['status'] }

/** Stores the result of the domain's DNS check. Ignores a domain that was changed in the meantime. */
export async function settleDomain(
  database: Database,
  claim: DomainClaim,
  proof: Proof,
): Promise<SettledDomain | undefined> {
  const settled = await settleOnce(database, claim, proof)
  // Another page was activated at the same moment, and the unique index admitted only one of the two.
  return settled === 'LOST' ? retryAsHeld(database, claim) : settled
}

async function retryAsHeld(
  database: Database,
  claim: DomainClaim,
): Promise<SettledDomain | undefined> {
  const settled = await settleOnce(database, claim, 'HELD')
  if (settled === 'LOST') throw new Error('A claim that was not activated broke a unique index')
  return settled
}

function settleOnce(
  database: Database,
  { pageUuid, domain }: DomainClaim,
  proof: Proof,
): Promise<SettledDomain | 'LOST' | undefined> {
  return database.transaction(undefined, async (tx) => {
    const owned = await lockDomain(tx, pageUuid, domain)
    if (owned === undefined) return undefined
    const isHeld = proof === 'SEEN' && (await isServedElsewhere(tx, pageUuid, domain))
    const after = settle(owned, isHeld ? 'HELD' : proof, tx.now)
    if (after === undefined) return undefined

    if (!(await saveDomain(tx, pageUuid, after))) return 'LOST'
    return { before: owned.status, after: after.status }
  })
}
