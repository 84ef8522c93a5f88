// Groups conditions that begin together into one message. Each condition waits a little for others to join.
import type { AlertCondition } from './model.ts'

export type Timing = {
  /** Time without a new condition before a message is ready. */
  holdMs: number
  /** The longest a condition waits for others. */
  togetherMs: number
}

/** The conditions of one message. */
export type Cluster = { conditions: AlertCondition[]; readyAt: Date }

/**
 * All conditions are of one kind and not yet reported; each ends up in exactly one cluster. `notified` are those the
 * contact already knows: a condition that begins within `togetherMs` of one waits until that time is up, so a wave of
 * failures makes two messages instead of one each.
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
