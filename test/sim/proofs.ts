// What regions know of targets: written with the result of a check, or after a try in a transaction of its own.
import {
  proofsAfter,
  type RegionFinding,
  type RegionProof,
} from '../../src/domain/regions/reach.ts'
import type { Region } from './nature.ts'
import type { MonitorRow, Tx } from './store.ts'
import type { World } from './world.ts'

export function writeProofs(tx: Tx, uuid: string, proofs: readonly RegionProof[]): void {
  if (proofs.length === 0) return
  const known = tx.tables.proofs.get(uuid) ?? []
  const regions = new Set(proofs.map(({ region }) => region))
  const kept = known.filter(({ region }) => !regions.has(region))
  const merged = proofs.map((proof) => {
    const before = known.find(({ region }) => region === proof.region)
    return before === undefined ? proof : merge(before, proof)
  })
  tx.put(tx.tables.proofs, uuid, [...kept, ...merged])
}

// As the statement does it: a try and a check of the same region may end at the same time.
function merge(before: RegionProof, after: RegionProof): RegionProof {
  const passedAt = later(before.passedAt, after.passedAt)
  const lostAt = later(before.lostAt, after.lostAt)
  return {
    ...after,
    passedAt,
    lostAt: lostAt !== null && passedAt !== null && lostAt > passedAt ? lostAt : null,
    decidedAt: later(before.decidedAt, after.decidedAt),
    triedAt: later(before.triedAt, after.triedAt),
  }
}

function later(a: Date | null, b: Date | null): Date | null {
  return a === null || (b !== null && b > a) ? b : a
}

type FinishedTry = {
  /** As it was read before the check. */
  monitor: MonitorRow
  proofs: readonly RegionProof[]
  region: Region
  finding: RegionFinding | undefined
  now: Date
}

/** Not tied to a lease: a try of a former owner is as true. */
export function applyTry(world: World, tx: Tx, done: FinishedTry): void {
  const { monitor, proofs, region, finding, now } = done
  const row = tx.tables.monitors.get(monitor.uuid)
  const isCurrent = row?.position.epoch === monitor.position.epoch
  if (row === undefined || (!isCurrent && world.guards('try-epoch'))) return
  const mayProve = !finding?.isPrivate || !world.guards('private-try')
  const isProof = finding?.passed === true && mayProve
  const before = proofs.find((proof) => proof.region === region) ?? { ...NEVER, region }
  const [after = before] = isProof ? proofsAfter(proofs, [finding], { counts: false, now }) : []
  writeProofs(tx, row.uuid, [{ ...after, triedAt: now }])
  const { targetNo } = monitor
  tx.append({ atMs: tx.nowMs, uuid: row.uuid, what: 'TRIED', region, passed: isProof, targetNo })
}

const NEVER = {
  passedAt: null,
  decidedAt: null,
  lostAt: null,
  triedAt: null,
  address: null,
  port: null,
  isPrivate: false,
}
