// Decides what an apply of a file does. Reads nothing and writes nothing.
import type { Configuration, FileResource } from '../file/configuration.ts'
import { hasSameSecrets, wasApplied } from '../model/digest.ts'
import { addressOf, RESOURCE_KINDS, type ResourceKind } from '../model/kinds.ts'
import type { LiveResource, LiveResources } from '../model/live.ts'
import { type Resolve, toWanted, type WantedState } from '../model/wanted.ts'
import { diffFields, newFields, type PlannedChange } from './diff-fields.ts'
import type {
  ConfigPlan,
  Drift,
  KnownBindings,
  PlannedStep,
  PlanOptions,
  SourceBinding,
} from './plan.ts'
import { removalRefusals, toRemovals } from './removals.ts'
import { findTwins, sortTwins, type Twins, twinRefusal } from './twins.ts'

type PlanInput = {
  configuration: Configuration
  live: LiveResources
  bindings: KnownBindings
  options: PlanOptions
  now: number
}

/** An announced create can be repeated safely for as long as the API remembers it. A margin of an hour. */
const REPEATABLE_MS = 23 * 3_600_000

export function makePlan(input: PlanInput): ConfigPlan {
  const { configuration, bindings, live, options } = input
  const known = new Set(bindings.bindings.map(({ address }) => address))
  const bound = applyMoves(bindings.bindings, configuration)
  const inFile = new Set(configuration.resources.map(({ address }) => address))
  const own = ownAddresses(bound, inFile)
  const identities = configuration.resources.map((resource) =>
    identify(resource, { bound, own }, input),
  )
  const resolve = resolver(identities)
  const steps = identities.map((identity) => planResource(identity, resolve, input))
  const left = [...bound.values()].filter(({ address }) => !inFile.has(address))
  const removals = toRemovals(left, live, options.prune)
  return {
    source: configuration.source,
    revision: bindings.revision,
    steps: [...inOrder(steps), ...inOrder(removals).reverse()],
    bindings: [...bound.values()],
    hasMoves: [...bound.keys()].some((address) => !known.has(address)),
    refusals: removalRefusals(removals, bindings.bindings.length, options),
  }
}

function inOrder(steps: PlannedStep[]): PlannedStep[] {
  return RESOURCE_KINDS.flatMap((kind) => steps.filter((step) => step.kind === kind))
}

/** Bindings by the addresses that they have in this file. */
function applyMoves(
  bindings: readonly SourceBinding[],
  { moved }: Pick<Configuration, 'moved'>,
): Map<string, SourceBinding> {
  const byAddress = new Map(bindings.map((binding) => [binding.address, binding]))
  for (const { from, to } of moved) {
    const binding = byAddress.get(from)
    if (binding === undefined || byAddress.has(to)) continue
    byAddress.delete(from)
    byAddress.set(to, { ...binding, address: to })
  }
  return byAddress
}

/** By id: the address of a resource of this source that left the file, and null for one that is in it. */
function ownAddresses(
  bound: ReadonlyMap<string, SourceBinding>,
  inFile: ReadonlySet<string>,
): Map<string, string | null> {
  const entries = [...bound.values()].flatMap(({ id, address }): [string, string | null][] =>
    id === null ? [] : [[id, inFile.has(address) ? null : address]],
  )
  return new Map(entries)
}

type Known = {
  bound: ReadonlyMap<string, SourceBinding>
  own: ReadonlyMap<string, string | null>
}
type Identity = {
  resource: FileResource
  binding: SourceBinding | undefined
  live: LiveResource | undefined
  notes: string[]
  refusal: string | null
}

function identify(
  resource: FileResource,
  { bound, own }: Known,
  { live, options, now }: PlanInput,
): Identity {
  const binding = bound.get(resource.address)
  const found: Identity = { resource, binding, live: undefined, notes: [], refusal: null }
  if (binding !== undefined && binding.id !== null)
    return identifyBound(found, binding.id, live, options)

  const twins = sortTwins(findTwins(resource, live), own)
  const { free, left, foreign } = twins
  // Tags have no time, and their names are taken: a second one is never made.
  const isFresh = free.every(
    ({ createdAt }) => createdAt === null || now - Date.parse(createdAt) < REPEATABLE_MS,
  )
  const isOpen = free.length > 0 || left.length + foreign.length === 0
  if (binding !== undefined && isFresh && isOpen)
    return { ...found, notes: ['continues an apply that was interrupted'] }
  return identifyNew(found, twins, options)
}

function identifyNew(found: Identity, twins: Twins, options: PlanOptions): Identity {
  const { resource } = found
  const { free, left } = twins
  const [only] = free
  if (options.adopt && only !== undefined && free.length === 1 && left.length === 0)
    return { ...found, live: only, notes: [`adopts ${only.id}`] }
  // With --adopt, what looks the same is never there a second time.
  if (options.allowTwins && !options.adopt && resource.kind !== 'tags') return found
  return { ...found, refusal: twinRefusal(resource, twins) }
}

function identifyBound(
  found: Identity,
  id: string,
  live: LiveResources,
  { recreate }: PlanOptions,
): Identity {
  const there = live.find((each) => each.id === id)
  if (there !== undefined) return { ...found, live: there }
  if (recreate) return { ...found, notes: [`${id} is gone: creates it again`] }
  const refusal = `${id} was deleted outside of this file. Pass --recreate to create it again, or remove it from the file.`
  return { ...found, refusal }
}

function resolver(identities: readonly Identity[]): Resolve {
  const ids = new Map(
    identities.map(({ resource, live }) => [resource.address, live?.id ?? `@${resource.address}`]),
  )
  return (kind: ResourceKind, ref: string) => ids.get(addressOf(kind, ref)) ?? ref
}

function planResource(identity: Identity, resolve: Resolve, input: PlanInput): PlannedStep {
  const { resource, binding, live, notes, refusal } = identity
  const { address, kind } = resource
  const wanted = toWanted(resource, resolve)
  const step: PlannedStep = {
    address,
    kind,
    action: 'skip',
    name: nameOf(resource),
    id: live?.id ?? null,
    changes: [],
    notes,
    drift: null,
    refusal,
    wanted,
    live,
    binding,
  }
  if (refusal !== null) return step
  if (live !== undefined) return { ...step, ...planExisting(step, wanted, live, input) }
  if (isOver(kind, wanted, input.now)) return { ...step, notes: ['is over: not created'] }
  return { ...step, action: 'create', changes: newFields(resource, wanted) }
}

function nameOf({ fields, hidden }: FileResource): string {
  const field = fields['name'] === undefined ? 'url' : 'name'
  return hidden.has(field) ? '(hidden)' : String(fields[field] ?? '')
}

function planExisting(
  { address, kind, binding, notes }: PlannedStep,
  wanted: WantedState,
  live: LiveResource,
  { options, bindings }: PlanInput,
): Partial<PlannedStep> {
  const digest = binding?.digest ?? null
  const fields = diffFields(wanted, live)
  const { sent, notes: more } = compareSecrets(wanted, live, digest, options)
  const changes = [...fields, ...sent]
  const isBound = binding?.id === live.id
  const isMoved = isBound && !bindings.bindings.some((each) => each.address === address)
  const isDrift = fields.length > 0 && wasApplied(digest, wanted.body) === true
  return {
    action: changes.length > 0 || isMoved || !isBound ? 'update' : 'none',
    changes,
    notes: [...notes, ...(isMoved ? ['has a new key'] : []), ...more, ...warnings(kind, changes)],
    drift: isDrift ? lastChangeOf(live, binding) : null,
    refusal: refusalOf(kind, changes),
  }
}

function lastChangeOf({ updatedAt }: LiveResource, binding: SourceBinding | undefined): Drift {
  return binding?.lastChange ?? { at: updatedAt, by: null }
}

function refusalOf(kind: ResourceKind, changes: readonly PlannedChange[]): string | null {
  const isNewChannel = kind === 'contacts' && changes.some(({ path }) => path === 'channel')
  return isNewChannel
    ? 'The channel of a contact never changes. Give the new one another key.'
    : null
}

function isOver(kind: ResourceKind, { body }: WantedState, now: number): boolean {
  if (kind !== 'maintenanceWindows' || body['recurrence'] !== null) return false
  return Date.parse(String(body['endsAt'])) <= now
}

/** What cannot be read back is sent if the file has another value than last time, and if it was never stored. */
function compareSecrets(
  wanted: WantedState,
  live: LiveResource,
  digest: string | null,
  { writeSecrets }: PlanOptions,
): { sent: PlannedChange[]; notes: string[] } {
  const names = Object.keys(wanted.writeOnly)
  const same = hasSameSecrets(digest, wanted.writeOnly)
  const isUnknown = same === undefined && !writeSecrets
  const missing = names.filter((path) => isMissing(path, live))
  const sent = isUnknown || same === true ? missing : names
  return {
    sent: sent.map((path) => ({ path, hidden: true })),
    notes: isUnknown ? [`${names.join(', ')} cannot be compared; --write-secrets sends it`] : [],
  }
}

// A setting that was never stored is not shown, not even masked.
function isMissing(path: string, live: LiveResource): boolean {
  const { settings } = live.body
  if (!path.startsWith('settings.') || typeof settings !== 'object' || settings === null)
    return false
  return !Object.hasOwn(settings, path.slice('settings.'.length))
}

function warnings(kind: ResourceKind, changes: readonly PlannedChange[]): string[] {
  const isNewType = kind === 'monitors' && changes.some(({ path }) => path === 'type')
  return isNewType ? ['resets its state and resolves its open incident'] : []
}
