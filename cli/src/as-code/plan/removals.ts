// What happens to resources that the file managed and no longer has.
import { kindOf } from '../model/kinds.ts'
import type { LiveResource, LiveResources } from '../model/live.ts'
import type { PlannedStep, PlanOptions, Prune, SourceBinding, StepAction } from './plan.ts'

const FEW = 5
const SHARE = 0.2

export function toRemovals(
  left: readonly SourceBinding[],
  live: LiveResources,
  prune: Prune,
): PlannedStep[] {
  const byId = new Map(live.map((each) => [each.id, each]))
  return left.flatMap((binding): PlannedStep[] => {
    const kind = kindOf(binding.address)
    // Of a newer version of this program.
    if (kind === undefined) return []
    const there = byId.get(binding.id ?? '')
    const action = removalOf(there, prune)
    return [
      {
        address: binding.address,
        kind,
        action,
        name: there?.name ?? '',
        id: binding.id,
        changes: [],
        notes:
          action === 'keep' ? ['not in the file any more; --prune=pause or --prune=delete'] : [],
        drift: null,
        refusal: null,
        wanted: undefined,
        live: there,
        binding,
      },
    ]
  })
}

function removalOf(there: LiveResource | undefined, prune: Prune): StepAction {
  if (there === undefined) return 'forget'
  if (prune === 'delete') return 'delete'
  const canPause = prune === 'pause' && there.kind === 'monitors' && there.body['paused'] === false
  return canPause ? 'pause' : 'keep'
}

/** More than a few removals at once are more often a broken file than a wish. */
export function removalRefusals(
  removals: readonly PlannedStep[],
  bound: number,
  { maxRemovals }: PlanOptions,
): string[] {
  const count = removals.filter(({ action }) => action === 'delete' || action === 'pause').length
  const allowed = maxRemovals ?? Math.min(FEW, Math.floor(bound * SHARE))
  if (count <= allowed) return []
  return [
    `${count} of ${bound} resources would be removed. Pass --max-removals ${count} if that is meant.`,
  ]
}
