// Who may start and apply the checks of which monitors: leases with fencing tokens, and shards that point to them.
import { SHARDS, shardKey } from './apply.ts'
import type { MonitorRow, Tx } from './store.ts'

const LEASE_MS = 10_000
const HORIZON_MS = 1_500

/** Renews the lease, or takes a new one with a new token; then claims its share of the shards. */
export function renewLease(tx: Tx, owner: string, mine: number | null): number {
  const { leases, shards } = tx.tables
  const held = leases.get(owner)
  const isHeld = held !== undefined && held.token === mine && held.expiresMs > tx.nowMs
  const token = isHeld ? held.token : tx.nextNumber('token')
  tx.put(leases, owner, { owner, token, expiresMs: tx.nowMs + LEASE_MS })

  const live = [...leases.values()].filter((lease) => lease.expiresMs > tx.nowMs)
  const isLive = (holder: number | undefined) => live.some((lease) => lease.token === holder)
  const share = Math.ceil(SHARDS / live.length)
  let own = [...shards.values()].filter((holder) => holder === token).length
  for (let shard = 0; shard < SHARDS; shard++) {
    const holder = shards.get(shard)
    if (holder === token && own > share) {
      tx.remove(shards, shard)
      own -= 1
    } else if (!isLive(holder) && own < share) {
      tx.put(shards, shard, token)
      own += 1
    }
  }
  return token
}

export function findDue(tx: Tx, token: number): MonitorRow[] {
  return [...tx.tables.monitors.values()].filter(
    ({ uuid, nextDueAt }) =>
      nextDueAt !== null &&
      nextDueAt.getTime() <= tx.nowMs + HORIZON_MS &&
      tx.tables.shards.get(shardKey(uuid)) === token,
  )
}
