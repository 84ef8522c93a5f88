// A plan: what an apply would do, and why it would not.
import type { JsonValue } from '../model/json.ts'
import type { ResourceKind } from '../model/kinds.ts'
import type { LiveResource } from '../model/live.ts'
import { toRegionsBody } from '../model/regions.ts'
import type { WantedState } from '../model/wanted.ts'
import type { PlannedChange } from './diff-fields.ts'

/** Which resource an address of the file stands for. Held by the server. */
export type SourceBinding = {
  address: string
  /** Null from the moment a create is announced until it is known to have happened. */
  id: string | null
  /** New for every create, so that a create is repeated and never replayed for something that was deleted. */
  generation: number
  /** Null if nothing is remembered, or if the key may not see it. */
  digest: string | null
  /** Who last changed the resource. Missing or null if that is not known. */
  lastChange?: Drift | null
}
export type KnownBindings = {
  source: string
  revision: number
  bindings: SourceBinding[]
  /** Missing from older servers. */
  otherSources?: string[]
}

export type Prune = 'keep' | 'pause' | 'delete'
export type PlanOptions = {
  prune: Prune
  maxRemovals: number | undefined
  /** Bind the only resource that looks the same instead of refusing. */
  adopt: boolean
  allowTwins: boolean
  /** Create again what was deleted outside. */
  recreate: boolean
  /** Send values that cannot be compared. */
  writeSecrets: boolean
}

export type StepAction =
  | 'create'
  | 'update'
  | 'none'
  | 'skip'
  | 'keep'
  | 'pause'
  | 'delete'
  | 'forget'

export type PlannedStep = {
  address: string
  kind: ResourceKind
  action: StepAction
  name: string
  id: string | null
  changes: PlannedChange[]
  notes: string[]
  /** Set if it was changed outside of the file since the last apply. */
  drift: Drift | null
  /** Resources that look the same, or that make the step impossible. The apply is refused. */
  refusal: string | null
  wanted: WantedState | undefined
  live: LiveResource | undefined
  binding: SourceBinding | undefined
}
export type Drift = { at: string | null; by: string | null }

export type ConfigPlan = {
  source: string
  revision: number
  steps: PlannedStep[]
  /** All bindings, by the addresses that they have in this file. */
  bindings: SourceBinding[]
  /** Whether a binding has another address than on the server. */
  hasMoves: boolean
  /** Why the whole is refused. Each ends with what to do. */
  refusals: string[]
}

const CHANGING: readonly StepAction[] = ['create', 'update', 'pause', 'delete', 'forget']

export function isChange({ action }: PlannedStep): boolean {
  return CHANGING.includes(action)
}

const REST: readonly StepAction[] = ['none', 'skip']

type PlanCounts = Record<'create' | 'change' | 'remove' | 'keep' | 'unchanged', number>

export function countSteps({ steps }: ConfigPlan): PlanCounts {
  const count = (...actions: StepAction[]) =>
    steps.filter(({ action }) => actions.includes(action)).length
  return {
    create: count('create'),
    change: count('update'),
    remove: count('pause', 'delete', 'forget'),
    keep: count('keep'),
    unchanged: steps.filter(({ action, refusal }) => REST.includes(action) && refusal === null)
      .length,
  }
}

const CHECKPOINT = 50

/** How many requests an apply sends, about. */
export function estimateRequests(plan: ConfigPlan): number {
  const writes = plan.steps.filter(isChange).map(requestsOf)
  // The bindings are saved before and after, and at each checkpoint.
  return writes.length === 0 ? 0 : sum(writes) + 2 + Math.floor(writes.length / CHECKPOINT)
}

const hasSome = (value: JsonValue | undefined) => (Array.isArray(value) && value.length > 0 ? 1 : 0)

function requestsOf({ action, kind, changes, wanted }: PlannedStep): number {
  if (action === 'forget') return 0
  const { escalation, regions } = wanted?.body ?? {}
  // A new monitor has its tags, contacts and regions from the beginning.
  if (action === 'create')
    return (
      1 + hasSome(escalation) + (kind === 'tags' && toRegionsBody(regions) !== undefined ? 1 : 0)
    )
  if (action !== 'update') return 1
  const names = new Set(changes.map(({ path }) => path.split('.')[0] ?? ''))
  const isPatched = [...names].some((name) => !ONE_BY_ONE.includes(name))
  const actions = ['paused', 'escalation', 'regions'].filter((name) => names.has(name))
  const related = changes.filter(({ path }) => path === 'tagIds' || path === 'contactIds')
  return (isPatched ? 1 : 0) + actions.length + sum(related.map(countDifferent))
}

// They have requests of their own; everything else is one PATCH.
const ONE_BY_ONE = ['paused', 'escalation', 'regions', 'tagIds', 'contactIds']

function countDifferent({ from, to }: PlannedChange): number {
  const [before, after] = [asList(from), asList(to)]
  const missingIn = (list: readonly JsonValue[]) => (item: JsonValue) => !list.includes(item)
  return before.filter(missingIn(after)).length + after.filter(missingIn(before)).length
}

const asList = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])
const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0)
