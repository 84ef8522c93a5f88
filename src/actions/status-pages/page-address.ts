import { isReservedSlug } from '../../domain/status-pages/slug.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findTakenAddresses } from '../../store/status-pages/status-pages.ts'

type Address = { slug: string | undefined; customDomain: string | null }

/**
 * Reports which part of an address another page uses. Only an active domain counts: an unverified claim blocks no one.
 * The unique indexes prevent races.
 */
export async function refuseTaken(
  tx: TenantTx,
  { slug, customDomain }: Address,
  ownPage: string | null,
): Promise<void> {
  if (slug !== undefined && isReservedSlug(slug)) throw conflictAt('slug', 'This slug is reserved.')
  const wanted = [slug, customDomain].filter((part) => part !== undefined && part !== null)
  const taken = await findTakenAddresses(tx, wanted, ownPage)
  if (slug !== undefined && taken.has(slug)) throw takenError('slug')
  if (taken.size > 0) throw takenError('customDomain')
}

const TAKEN = {
  slug: 'This slug is taken.',
  customDomain: 'This custom domain is in use on another status page.',
}

export function takenError(part: keyof typeof TAKEN): ApiError {
  return conflictAt(part, TAKEN[part])
}

function conflictAt(path: string, message: string): ApiError {
  return new ApiError('conflict', message, { details: [{ path, message }] })
}
