// Configuration files and what they manage: a source is a file, a binding one of its entries with the resource it
// represents.
import { fromPublicId, type IdPrefix, toPublicId } from '../values/id.ts'
import type { Problem } from '../values/problem.ts'

export const MAX_SOURCES = 100
export const MAX_BINDINGS = 5_000
const MAX_SOURCE_CHARACTERS = 100
export const MAX_ADDRESS_CHARACTERS = 200
export const MAX_DIGEST_CHARACTERS = 200
/** How many entries of the audit log are searched for changes of bound resources. */
export const LATEST_CHANGES = 10_000

const BOUND_PREFIXES = [
  'mon',
  'act',
  'tag',
  'sp',
  'mw',
  'whe',
] as const satisfies readonly IdPrefix[]
type BoundPrefix = (typeof BOUND_PREFIXES)[number]
export type BoundResource = { prefix: BoundPrefix; uuid: string }

export type Binding = {
  address: string
  /** Null if it is still to be created, or was deleted on purpose. */
  resource: BoundResource | null
  /** Part of the idempotency key of its creation, so that one deleted on purpose is created again and not replayed. */
  generation: number
  digest: string | null
}

/** What is left out stays as it is. */
export type BindingWish = {
  address: string
  id: string | null
  generation?: number
  digest?: string | null
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ALPHANUMERIC = new Set(`${LETTERS}${LETTERS.toUpperCase()}0123456789`)
const IN_NAMES = new Set([...ALPHANUMERIC, ...'._/@:-'])

export function sourceProblems(name: string): Problem[] {
  const characters = [...name]
  const fits =
    characters.length <= MAX_SOURCE_CHARACTERS && characters.every((c) => IN_NAMES.has(c))
  if (fits && ALPHANUMERIC.has(name.charAt(0))) return []
  const message = `must start with a letter or digit and have at most ${MAX_SOURCE_CHARACTERS} letters, digits and ._/@:-`
  return [{ path: 'source', message }]
}

export function bindingProblems(wishes: readonly BindingWish[]): Problem[] {
  const addresses = new Set<string>()
  const ids = new Set<string>()
  return wishes.flatMap(({ address, id, digest }, at) => {
    const problems: Problem[] = []
    const refuse = (field: string, message: string) =>
      problems.push({ path: `bindings.${at}.${field}`, message })
    if (!isAddress(address)) refuse('address', 'must look like monitors.checkout')
    else if (addresses.has(address)) refuse('address', 'must be there only once')
    addresses.add(address)
    if (id !== null) {
      if (toResource(id) === undefined) refuse('id', 'must be the id of a resource that has one')
      else if (ids.has(id)) refuse('id', 'must be there only once')
      ids.add(id)
    }
    if (digest && !isVisible(digest)) refuse('digest', 'must be visible ASCII characters')
    return problems
  })
}

/** A kind and a key: `monitors.checkout`. */
function isAddress(text: string): boolean {
  const dot = text.indexOf('.')
  return dot > 0 && dot < text.length - 1 && isVisible(text)
}

const VISIBLE = /^[!-~]*$/
const isVisible = (text: string): boolean => VISIBLE.test(text)

/** Undefined if it is no id, or of something that no file manages. */
export function toResource(id: string): BoundResource | undefined {
  for (const prefix of BOUND_PREFIXES) {
    const uuid = fromPublicId(prefix, id)
    if (uuid !== undefined) return { prefix, uuid }
  }
  return undefined
}

export const toResourceId = ({ prefix, uuid }: BoundResource): string => toPublicId(prefix, uuid)

/** By the clock, so that a source that is deleted and made again never repeats a revision or a generation. */
export function nextRevision(previous: number, now: Date): number {
  return Math.max(previous + 1, now.getTime())
}

/** `renewed`: changed ones that got a generation here. `added`: how many addresses are new. */
export type BindingChange = {
  changed: Binding[]
  renewed: ReadonlySet<string>
  removed: string[]
  added: number
}

/** Resources that the source did not have before. */
export function claimedResources(
  known: readonly Binding[],
  { changed }: Pick<BindingChange, 'changed'>,
): (BoundResource & { address: string })[] {
  const had = new Set(known.flatMap(({ resource }) => (resource ? toResourceId(resource) : [])))
  return changed.flatMap(({ address, resource }) =>
    resource === null || had.has(toResourceId(resource)) ? [] : [{ ...resource, address }],
  )
}

/** In the order of the wishes, by the path of each. */
export function unknownResourceProblems(
  wishes: readonly BindingWish[],
  unknown: ReadonlySet<string>,
): Problem[] {
  return wishes.flatMap(({ address }, at) =>
    unknown.has(address)
      ? [{ path: `bindings.${at}.id`, message: 'is not a resource of this organization' }]
      : [],
  )
}

// A response says what the sender cannot know. As long as it is short, it says everything that changed.
export const MAX_ECHOED = 100

export function shownChanges({
  changed,
  renewed,
}: Pick<BindingChange, 'changed' | 'renewed'>): Binding[] {
  if (changed.length <= MAX_ECHOED) return changed
  return changed
    .filter(({ address }) => renewed.has(address))
    .map((binding) => ({ ...binding, digest: null }))
}

/** What must be written so that the source has exactly the wished bindings. */
export function mergeBindings(
  known: readonly Binding[],
  wishes: readonly BindingWish[],
  revision: number,
): BindingChange {
  const byAddress = new Map(known.map((binding) => [binding.address, binding]))
  const changed = wishes.flatMap((wish) => {
    const old = byAddress.get(wish.address)
    const binding = toBinding(wish, old, revision)
    return old !== undefined && isSame(old, binding) ? [] : [binding]
  })
  const kept = new Set(wishes.map(({ address }) => address))
  const removed = known.flatMap(({ address }) => (kept.has(address) ? [] : [address]))
  const renewed = changed.flatMap(({ address, generation }) =>
    generation === revision ? [address] : [],
  )
  const added = wishes.length - (known.length - removed.length)
  return { changed: changed.toSorted(byAddressOrder), renewed: new Set(renewed), removed, added }
}

function toBinding(wish: BindingWish, old: Binding | undefined, revision: number): Binding {
  const resource = wish.id === null ? null : (toResource(wish.id) ?? null)
  const startsAgain = old === undefined || (old.resource !== null && resource === null)
  return {
    address: wish.address,
    resource,
    generation: wish.generation ?? (startsAgain ? revision : old.generation),
    digest: wish.digest === undefined ? (old?.digest ?? null) : wish.digest,
  }
}

function isSame(one: Binding, other: Binding): boolean {
  return (
    one.resource?.prefix === other.resource?.prefix &&
    one.resource?.uuid === other.resource?.uuid &&
    one.generation === other.generation &&
    one.digest === other.digest
  )
}

function byAddressOrder(one: Binding, other: Binding): number {
  return one.address < other.address ? -1 : 1
}
