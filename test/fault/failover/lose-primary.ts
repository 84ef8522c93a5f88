// Loses the primary of a cluster with its disk, and measures until there is another one.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterNode } from '../../../tools/cluster/cluster-node.ts'
import type { PostgresCluster } from '../../../tools/cluster/postgres-cluster.ts'

/** MACHINE: Patroni is gone too. POSTGRES: it survives and notices. */
export type Loss = 'MACHINE' | 'POSTGRES'

type LostPrimary = {
  lostMs: number
  writableMs: number
  /** Brings the node back with an empty disk, and waits until the cluster could lose its primary again. */
  repair(): Promise<void>
}

const POLL_MS = 100
const GIVE_UP_MS = 120_000

export async function losePrimary(cluster: PostgresCluster, how: Loss): Promise<LostPrimary> {
  const primary = await cluster.findPrimary()
  assert.ok(primary, 'there is no primary')
  const lostMs = Date.now()
  await (how === 'MACHINE' ? primary.loseMachine() : primary.losePostgres())
  const writableMs = await until('a new primary', () => isWritable(cluster, primary, how))
  const repair = async () => {
    if (how === 'MACHINE') primary.start()
    await cluster.whole()
  }
  return { lostMs, writableMs, repair }
}

/** Returns when it was done. */
export async function until(
  what: string,
  isDone: () => Promise<boolean>,
  withinMs = GIVE_UP_MS,
): Promise<number> {
  const deadlineMs = Date.now() + withinMs
  while (!(await isDone())) {
    assert.ok(Date.now() < deadlineMs, `no ${what} within ${withinMs} ms`)
    await sleep(POLL_MS)
  }
  return Date.now()
}

async function isWritable(
  cluster: PostgresCluster,
  lost: ClusterNode,
  how: Loss,
): Promise<boolean> {
  if (how === 'POSTGRES' && (await lost.isPrimary())) return false
  const rows = await cluster
    .query<{ writable: boolean }>('select not pg_is_in_recovery() as writable')
    .catch(() => [])
  return rows[0]?.writable === true
}
