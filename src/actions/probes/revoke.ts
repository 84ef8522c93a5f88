// Revokes a probe's access. The record comes first: if NATS is unreachable now, the next process that starts pushes the
// claims.
import type { AuthoritySeeds, Revoked } from '../../bus/authority.ts'
import type { NatsOptions } from '../../bus/nats-options.ts'
import { pushAccount } from '../../bus/push-account.ts'
import type { Database, Db } from '../../store/core/db.ts'
import { listRevokedKeys, revokeProbe } from '../../store/operating/probes.ts'

/** Undefined if no probe of this name joined with a token. `record` writes the operator log entry. */
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

export async function pushRevocations(
  target: Pick<NatsOptions, 'url' | 'caFile'>,
  seeds: AuthoritySeeds,
  { revoked, now }: { revoked: Revoked; now: Date },
): Promise<void> {
  await pushAccount(target, seeds, revoked, now)
}
