import {
  type BindingChange,
  type BindingWish,
  MAX_SOURCES,
  mergeBindings,
  nextRevision,
} from '../../domain/sources/binding.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { isUniqueViolation } from '../../store/core/unique-violation.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import * as store from '../../store/sources/bindings.ts'

/** `revision` is the one that the wishes are based on. */
type BindingWishes = { revision: number; bindings: readonly BindingWish[] }

/** The source has exactly these bindings afterwards. Refused if it changed since it was read. */
export async function putBindings(
  tx: TenantTx,
  source: string,
  { revision, bindings }: BindingWishes,
): Promise<BindingChange & { revision: number }> {
  const { revision: current } = await lockOrCreate(tx, source)
  if (current !== revision)
    throw new ApiError('conflict', `The source is at revision ${current}, not ${revision}.`)
  const next = nextRevision(current, tx.now)
  const change = mergeBindings(await store.listBindings(tx, source), bindings, next)
  await refuseTaken(tx, source, change)
  await store.writeBindings(tx, source, change).catch((error: unknown) => {
    // Another source took it while this transaction ran.
    throw isUniqueViolation(error) ? taken('another source') : error
  })
  await store.updateSource(tx, source, next)
  return { ...change, revision: next }
}

async function lockOrCreate(tx: TenantTx, source: string): Promise<store.Source> {
  const known = await store.lockSource(tx, source)
  if (known !== undefined) return known
  await lockUsage(tx)
  if ((await store.countSources(tx)) >= MAX_SOURCES)
    throw new ApiError('plan_limit', `There may be ${MAX_SOURCES} sources.`)
  await store.insertSource(tx, source)
  const created = await store.lockSource(tx, source)
  if (created === undefined) throw new Error('The source was not inserted')
  return created
}

async function refuseTaken(tx: TenantTx, source: string, change: BindingChange): Promise<void> {
  const uuids = change.changed.flatMap(({ resource }) => resource?.uuid ?? [])
  const place = uuids.length > 0 && (await store.findElsewhere(tx, source, uuids))
  if (place) throw taken(`${place.address} of the source ${place.source}`)
}

const taken = (by: string): ApiError =>
  new ApiError('conflict', `A resource is already managed by ${by}.`)
