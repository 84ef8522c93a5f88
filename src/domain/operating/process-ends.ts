// What it means that processes ended without being stopped: each leaves its row behind. Pure.
import { type ConditionFinding, listNames } from './condition.ts'

/** A row that expired: its process died, is frozen, or lost the database. */
export type ProcessEnd = { name: string; secondsAgo: number }

const ONCE_IN_PATIENCE = 6
// Longer than the pause that Kubernetes makes between two starts.
const AGAIN_IN_PATIENCE = 30

/** How long an end matters at most. */
export const endsMatterForMs = (patienceMs: number) => AGAIN_IN_PATIENCE * patienceMs

/** At the default settings one end is a condition for two minutes, and several of the same process for ten. */
export function findEnds(ends: readonly ProcessEnd[], patienceMs: number): ConditionFinding[] {
  const isWithin = (factor: number) => (one: ProcessEnd) =>
    one.secondsAgo * 1000 < factor * patienceMs
  const recent = ends.filter(isWithin(AGAIN_IN_PATIENCE))
  const groups = [...Map.groupBy(recent, ({ name }) => withoutId(name))]
  const isLoop = ([, group]: (typeof groups)[number]) => group.length > 1
  const named = groups.filter((one) => isLoop(one) || one[1].some(isWithin(ONCE_IN_PATIENCE)))
  if (named.length === 0) return []
  const names = named.map(([name, { length }]) => (length > 1 ? `${name} (${length} times)` : name))
  const message = `Ended without being stopped: ${listNames(names)}`
  return [{ code: 'PROCESS_DIED', subject: '', message, isCertain: named.some(isLoop) }]
}

/** A name ends with the id of the process, in parentheses. */
const withoutId = (name: string) => name.slice(0, name.lastIndexOf(' ('))
