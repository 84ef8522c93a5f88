// A page with its ledger, if it shows one.
import { toLedger } from '../../domain/status-pages/ledger.ts'
import type { Tenant } from '../../store/core/tenants.ts'
import { findLedger } from '../../store/status-pages/ledger.ts'
import { type BuildOptions, buildSnapshot } from './build-snapshot.ts'
import type { PageSnapshot } from './snapshot.ts'

/** Undefined if the page was deleted or is no longer published. */
export async function buildPage(
  tenant: Tenant,
  pageId: string,
  options: BuildOptions,
): Promise<PageSnapshot | undefined> {
  const [snapshot, found] = await Promise.all([
    buildSnapshot(tenant, pageId, options),
    findLedger(tenant, pageId),
  ])
  if (snapshot === undefined || found === undefined) return snapshot
  const { since, outages, overrides } = found
  return { ...snapshot, ledger: { since, entries: toLedger(outages, overrides) } }
}
