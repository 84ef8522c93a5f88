// Which troubles are one: what fails together is told together, and so it waits a little for the rest.
import type { Trouble } from './alerting.ts'

export type Timing = {
  /** Nothing is told before it has stood for so long without company. */
  holdMs: number
  /** Nothing waits longer for company. */
  togetherMs: number
}

/** What one message tells of. */
export type Cluster = { troubles: Trouble[]; readyAt: Date }

/**
 * Of troubles of one kind, none of which is told: each belongs to exactly one. `told` are those the contact has heard
 * of: what comes within a minute of them is gathered until it is over, so that a wave of failures is two messages
 * and not one for each.
 */
export function clustersOf(
  troubles: readonly Trouble[],
  told: readonly Trouble[],
  timing: Timing,
): Cluster[] {
  const clusters: Trouble[][] = []
  for (const trouble of troubles.toSorted((a, b) => msOf(a) - msOf(b))) {
    const last = clusters.at(-1)
    const [first] = last ?? []
    if (last && first && msOf(trouble) - msOf(first) <= timing.togetherMs) last.push(trouble)
    else clusters.push([trouble])
  }
  return clusters.map((cluster) => ({ troubles: cluster, readyAt: readyAt(cluster, told, timing) }))
}

function readyAt(
  cluster: readonly Trouble[],
  told: readonly Trouble[],
  { holdMs, togetherMs }: Timing,
): Date {
  const firstMs = Math.min(...cluster.map(msOf))
  const latestMs = firstMs + togetherMs
  if (cluster.some(({ awaitsHost }) => awaitsHost)) return new Date(latestMs)
  const quietMs = Math.max(...cluster.map(msOf)) + holdMs
  const wavesMs = told
    .map(msOf)
    .filter((ms) => ms <= firstMs && firstMs - ms <= togetherMs)
    .map((ms) => ms + togetherMs)
  return new Date(Math.min(latestMs, Math.max(quietMs, ...wavesMs)))
}

const msOf = ({ noticedAt }: Trouble) => noticedAt.getTime()
