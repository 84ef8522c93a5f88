import type { Change } from '../../domain/people/audit-entry.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { touchPages } from '../../store/status-pages/followed-tags.ts'
import { findLedgerStart, startLedger, stopLedger } from '../../store/status-pages/ledger.ts'
import { lockPage } from '../../store/status-pages/status-pages.ts'

/** Since when the page shows a ledger, or null. Undefined if the page does not exist. */
export async function setLedger(
  tx: TenantTx,
  pageUuid: string,
  isShown: boolean,
): Promise<Change<Date | null> | undefined> {
  if ((await lockPage(tx, pageUuid)) === undefined) return undefined
  const before = (await findLedgerStart(tx, pageUuid)) ?? null
  if (isShown) await startLedger(tx, pageUuid)
  else await stopLedger(tx, pageUuid)
  // Rendered pages are kept until something of them changes.
  await touchPages(tx, [pageUuid])
  return { before, after: (await findLedgerStart(tx, pageUuid)) ?? null }
}
