import { MAX_TAGS, splitByKnown, type Tag } from '../../domain/monitors/tag.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { insertTags, listTags } from '../../store/monitors/tags.ts'

/** Call it while holding the lock of `lockUsage`: parallel requests could otherwise exceed the limit. */
export async function findOrCreateTags(tx: TenantTx, names: readonly string[]): Promise<Tag[]> {
  const known = await listTags(tx)
  const { tags, unknown } = splitByKnown(names, known)
  if (known.length + unknown.length > MAX_TAGS)
    throw new ApiError('plan_limit', `There may be ${MAX_TAGS} tags.`)
  const created = unknown.map((name) => ({ uuid: tx.newUuid(), name }))
  if (created.length > 0) await insertTags(tx, created)
  return [...tags, ...created]
}
