// Revokes a probe's access. The record comes first: if NATS is unreachable now, the next process that starts pushes the
// claims.
import type { AuthoritySeeds } from '../../bus/authority.ts'
import type { NatsOptions } from '../../bus/nats-options.ts'
import { pushAccount } from '../../bus/push-account.ts'
import type { Database, Db } from '../../store/core/db.ts'
import { listRevokedKeys, revokeProbe } from '../../store/operating/probes.ts'

const MAX_ROUNDS = 10

/** Undefined if no probe of this name joined with a token. `record` writes the operator log entry. */
export async function recordRevocation(
  database: Database,
  name: string,
  record: (tx: Db, region: string) => Promise<void>,
): Promise<{ region: string } | undefined> {
  return database.transaction(undefined, async (tx) => {
    const region = await revokeProbe(tx, name)
    if (region === undefined) return undefined
    await record(tx, region)
    return { region }
  })
}

/** Of probes, and of tokens that were used. NATS keeps what it was told last, by any process. */
export async function pushRevocations(
  target: Pick<NatsOptions, 'url' | 'caFile'>,
  seeds: AuthoritySeeds,
  database: Database,
): Promise<void> {
  let revoked = await listRevokedKeys(database)
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    await pushAccount(target, seeds, revoked, new Date())
    // Another process may have pushed a longer list meanwhile, which ours replaced.
    const known = revoked
    revoked = await listRevokedKeys(database)
    if (revoked.size === known.size && [...revoked.keys()].every((key) => known.has(key))) return
  }
}
