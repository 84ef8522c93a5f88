// Which troubles are one: what fails together is told together, and so it waits a little for the rest.
import type { AlertCondition } from './model.ts'

export type Timing = {
  /** Nothing is told before it has stood for so long without company. */
  holdMs: number
  /** Nothing waits longer for company. */
  togetherMs: number
}

/** What one message tells of. */
export type Cluster = { conditions: AlertCondition[]; readyAt: Date }

/**
 * Of troubles of one kind, none of which is told: each belongs to exactly one. `told` are those the contact has heard
 * of: what comes within a minute of them is gathered until it is over, so that a wave of failures is two messages
 * and not one for each.
 */
export function clustersOf(
  conditions: readonly AlertCondition[],
  notified: readonly AlertCondition[],
  timing: Timing,
): Cluster[] {
  const clusters: AlertCondition[][] = []
  for (const condition of conditions.toSorted((a, b) => msOf(a) - msOf(b))) {
    const last = clusters.at(-1)
    const [first] = last ?? []
    if (last && first && msOf(condition) - msOf(first) <= timing.togetherMs) last.push(condition)
    else clusters.push([condition])
  }
  return clusters.map((cluster) => ({
    conditions: cluster,
    readyAt: readyAt(cluster, notified, timing),
  }))
}

function readyAt(
  cluster: readonly AlertCondition[],
  notified: readonly AlertCondition[],
  { holdMs, togetherMs }: Timing,
): Date {
  const firstMs = Math.min(...cluster.map(msOf))
  const latestMs = firstMs + togetherMs
  if (cluster.some(({ awaitsHost }) => awaitsHost)) return new Date(latestMs)
  const quietMs = Math.max(...cluster.map(msOf)) + holdMs
  const wavesMs = notified
    .map(msOf)
    .filter((ms) => ms <= firstMs && firstMs - ms <= togetherMs)
    .map((ms) => ms + togetherMs)
  return new Date(Math.min(latestMs, Math.max(quietMs, ...wavesMs)))
}

const msOf = ({ noticedAt }: AlertCondition) => noticedAt.getTime()
