// Changes the region that an organization's checks start from. Checks that start after this use it.
import { validationError } from '../../platform/api-error.ts'
import { listRegionNames, setHomeRegion } from '../../store/core/regions.ts'
import type { TenantTx } from '../../store/core/tenants.ts'

/** Null leaves the choice to the installation: its oldest region that has probes. */
export async function changeHomeRegion(
  tx: Pick<TenantTx, 'orgId' | 'query'>,
  region: string | null,
): Promise<void> {
  if (await setHomeRegion(tx, region)) return
  const known = (await listRegionNames(tx)).join(', ')
  throw validationError([{ path: 'region', message: `must be one of: ${known}` }])
}
