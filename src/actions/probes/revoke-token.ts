// Ends a token that is used for a flood. NATS is told afterwards: the record comes first, as for probes.
import type { Database } from '../../store/core/db.ts'
import { appendOperatorLine } from '../../store/core/operator-log.ts'
import { revokeToken } from '../../store/operating/probes.ts'

/** `token` is an id that NATS vouches for. The region it was for; undefined if there is none to revoke. */
export async function revokeProbeToken(
  database: Database,
  token: string,
): Promise<{ region: string } | undefined> {
  return database.transaction(undefined, async (tx) => {
    const region = await revokeToken(tx, token)
    if (region === undefined) return undefined
    const detail = { region, token }
    await appendOperatorLine(tx, { operator: 'probe', action: 'probe token revoked', detail })
    return { region }
  })
}
