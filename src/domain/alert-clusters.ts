// Which troubles are one: what fails together is told together, and so it waits a little for the rest.
import type { Trouble } from './alerting.ts'

export type Timing = {
  /** Nothing is told before it has stood for so long without company. */
  holdMs: number
  /** Nothing waits longer for company. */
  togetherMs: number
}

export type Cluster = { troubles: Trouble[]; readyAt: Date }

// From so many on they are one outage, wherever they are.
const MANY = 3

/** Of troubles of one kind: each belongs to exactly one. */
export function clustersOf(troubles: readonly Trouble[], timing: Timing): Cluster[] {
  const waiting = troubles.toSorted((a, b) => a.noticedAt.getTime() - b.noticedAt.getTime())
  const clusters: Trouble[][] = []
  for (const trouble of waiting) {
    const found = clusters.find((cluster) => belongs(trouble, cluster, timing))
    if (found === undefined) clusters.push([trouble])
    else found.push(trouble)
  }
  return clusters.map((cluster) => ({ troubles: cluster, readyAt: readyAt(cluster, timing) }))
}

function belongs(trouble: Trouble, cluster: readonly Trouble[], timing: Timing): boolean {
  const atMs = trouble.noticedAt.getTime()
  const firstMs = cluster[0]?.noticedAt.getTime() ?? atMs
  const newestMs = cluster.at(-1)?.noticedAt.getTime() ?? atMs
  if (atMs - firstMs > timing.togetherMs) return false
  const isNeighbour = trouble.host !== null && cluster.some(({ host }) => host === trouble.host)
  return isNeighbour || atMs - newestMs <= timing.holdMs
}

function readyAt(cluster: readonly Trouble[], { holdMs, togetherMs }: Timing): Date {
  const times = cluster.map(({ noticedAt }) => noticedAt.getTime())
  const latestMs = Math.min(...times) + togetherMs
  if (cluster.some(({ awaitsHost }) => awaitsHost)) return new Date(latestMs)
  return new Date(Math.min(latestMs, Math.max(...times) + holdMs))
}

/** The messages that tell of a cluster: one for many, else one for each host. */
export function messagesOf(troubles: readonly Trouble[]): Trouble[][] {
  const monitors = new Set(troubles.map(({ monitorUuid }) => monitorUuid))
  if (monitors.size >= MANY) return [[...troubles]]
  return [...Map.groupBy(troubles, ({ host, monitorUuid }) => host ?? monitorUuid).values()]
}
