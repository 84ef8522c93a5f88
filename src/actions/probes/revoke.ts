// A probe that may not sign in any more. The record comes first: if NATS cannot be reached now, the claims are pushed
// by the next process that starts.
import type { AuthoritySeeds, Revoked } from '../../bus/authority.ts'
import type { NatsOptions } from '../../bus/nats-options.ts'
import { pushAccount } from '../../bus/push-account.ts'
import type { Database, Db } from '../../store/core/db.ts'
import { listRevokedKeys, revokeProbe } from '../../store/operating/probes.ts'

/** Undefined: no probe of this name joined by a token. `record` writes the operator's line. */
export async function recordRevocation(
  database: Database,
  name: string,
  record: (tx: Db, region: string) => Promise<void>,
): Promise<{ region: string; revoked: Revoked; now: Date } | undefined> {
  return database.transaction(undefined, async (tx) => {
    const region = await revokeProbe(tx, name)
    if (region === undefined) return undefined
    await record(tx, region)
    return { region, revoked: await listRevokedKeys(tx), now: tx.now }
  })
}

/** Whether NATS knows now who is revoked. */
export async function pushRevocations(
  target: Pick<NatsOptions, 'url' | 'caFile'>,
  seeds: AuthoritySeeds,
  { revoked, now }: { revoked: Revoked; now: Date },
): Promise<void> {
  await pushAccount(target, seeds, revoked, now)
}
