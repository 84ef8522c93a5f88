import type { Change } from '../../domain/people/audit-entry.ts'
import {
  type Binding,
  type BindingChange,
  type BindingWish,
  claimedResources,
  MAX_SOURCES,
  mergeBindings,
  nextRevision,
  unknownResourceProblems,
} from '../../domain/sources/binding.ts'
import { storageRefusal } from '../../domain/values/storage-limits.ts'
import { ApiError, validationError } from '../../platform/api-error.ts'
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
): Promise<BindingChange & { revision: number; count: Change<number> }> {
  // Parallel requests for different sources could otherwise exceed what all sources may have together.
  const { storage } = await lockUsage(tx)
  const { revision: current } = await lockOrCreate(tx, source)
  if (current !== revision)
    throw new ApiError('conflict', `The source is at revision ${current}, not ${revision}.`)
  const next = nextRevision(current, tx.now)
  const known = await store.listBindings(tx, source)
  const change = mergeBindings(known, bindings, next)
  await refuseUnknown(tx, { known, bindings, change })
  await refuseTaken(tx, source, change)
  await refuseTooMany(tx, change, storage.bindings)
  await store.writeBindings(tx, source, { known, ...change }).catch((error: unknown) => {
    // Another source took it while this transaction ran.
    throw isUniqueViolation(error) ? taken('another source') : error
  })
  await store.updateSource(tx, source, next)
  const count = { before: known.length, after: bindings.length }
  return { ...change, revision: next, count }
}

async function lockOrCreate(tx: TenantTx, source: string): Promise<store.Source> {
  const known = await store.lockSource(tx, source)
  if (known !== undefined) return known
  if ((await store.countSources(tx)) >= MAX_SOURCES)
    throw new ApiError('plan_limit', `There may be ${MAX_SOURCES} sources.`)
  await store.insertSource(tx, source)
  const created = await store.lockSource(tx, source)
  if (created === undefined) throw new Error('The source was not inserted')
  return created
}

type Wished = { known: Binding[]; bindings: readonly BindingWish[]; change: BindingChange }

/** A resource that was deleted may stay bound. One of another organization is as unknown as one that never was. */
async function refuseUnknown(tx: TenantTx, { known, bindings, change }: Wished): Promise<void> {
  const claimed = claimedResources(known, change)
  if (claimed.length === 0) return
  const existing = await store.findExisting(tx, claimed)
  const unknown = claimed.filter(({ uuid }) => !existing.has(uuid))
  if (unknown.length === 0) return
  const addresses = new Set(unknown.map(({ address }) => address))
  throw validationError(unknownResourceProblems(bindings, addresses))
}

async function refuseTooMany(
  tx: TenantTx,
  { added, removed }: BindingChange,
  limit: number,
): Promise<void> {
  if (added <= removed.length) return
  const wanted = (await store.countAllBindings(tx)) + added - removed.length
  const refusal = storageRefusal('bindings in all sources', limit, wanted)
  if (refusal !== undefined) throw new ApiError('plan_limit', refusal)
}

async function refuseTaken(tx: TenantTx, source: string, change: BindingChange): Promise<void> {
  const uuids = change.changed.flatMap(({ resource }) => resource?.uuid ?? [])
  const place = uuids.length > 0 && (await store.findElsewhere(tx, source, uuids))
  if (place) throw taken(`${place.address} of the source ${place.source}`)
}

const taken = (by: string): ApiError =>
  new ApiError('conflict', `A resource is already managed by ${by}.`)
