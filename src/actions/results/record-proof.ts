// Keeps what a region found out about a target outside of the regular checks: by a try, or because somebody asked it.
import type { Database } from '../../store/core/db.ts'
import { type ProofWrite, writeProofs } from '../../store/monitors/region-proofs.ts'

export async function recordProofs(database: Database, writes: readonly ProofWrite[]) {
  if (writes.length === 0) return
  await database.transaction(undefined, (tx) => writeProofs(tx, writes))
}
