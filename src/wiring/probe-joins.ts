// Lets probes join by token, and makes sure that NATS knows which probes were revoked while it was away.
import { findAuthority } from '../actions/probes/bus-authority.ts'
import { joinProbe } from '../actions/probes/join.ts'
import { pushRevocations } from '../actions/probes/revoke.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Part } from '../platform/process/lifecycle.ts'
import type { Database } from '../store/core/db.ts'
import { listRevokedKeys } from '../store/operating/probes.ts'
import { PeopleSecrets } from '../store/people/people-secrets.ts'
import { type Context, openPool } from './context.ts'

const CONNECTIONS = 1

/** Nothing to do without NATS: then this process's own probe is the only one. */
export async function startProbeJoins(context: Context): Promise<Part[]> {
  const { config, bus, log } = context
  if (config.natsUrl === undefined) return []
  const database = openPool(context, 'joining', 'upvane_engine', CONNECTIONS)
  const secrets = new PeopleSecrets(config.masterKeys)
  const serving = await bus.serveRequests('join', async (body) => {
    try {
      return { joined: await join(database, secrets, body) }
    } catch (error) {
      if (error instanceof ApiError) return { refused: error.message }
      log.error({ err: error }, 'a probe could not join')
      return { refused: 'The installation has a problem; its log says which. Try again later.' }
    }
  })
  await pushAtStart(context, database, secrets)
  return [
    { name: 'joining database', stop: () => database.close() },
    { name: 'joining', stop: () => serving.stop() },
  ]
}

async function join(database: Database, secrets: PeopleSecrets, body: unknown) {
  const seeds = await findAuthority(database, secrets)
  if (seeds === undefined) throw new ApiError('forbidden', 'Run upvane nats setup first.')
  return joinProbe(database, seeds, body)
}

async function pushAtStart({ config, log }: Context, database: Database, secrets: PeopleSecrets) {
  const { natsUrl: url, natsCaFile: caFile, natsCredsFile } = config
  // Without our credentials the server is not in operator mode, and has no one to revoke.
  if (url === undefined || natsCredsFile === undefined) return
  try {
    const seeds = await findAuthority(database, secrets)
    const revoked = await listRevokedKeys(database)
    if (seeds === undefined || revoked.size === 0) return
    const target = { url, ...(caFile === undefined ? {} : { caFile }) }
    await pushRevocations(target, seeds, { revoked, now: new Date() })
  } catch (err) {
    log.warn({ err }, 'NATS could not be told which probes are revoked')
  }
}
