// The dashboard's event streams.
import { type BoundOperation, bind } from '../../api/http/bind.ts'
import { Streams } from '../../api/private/streams/streams.ts'
import { streamChanges } from '../../contract/private/stream.ts'
import type { Part } from '../../platform/process/lifecycle.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { Tenants } from '../../store/core/tenants.ts'
import { type Context, openPool } from '../context.ts'

// Only to poll for changes, one poll at a time.
const CONNECTIONS = 1
// Reads what a follower missed. Streams join one by one, so none may wait for its organization's other requests.
const REPLAY_CONNECTIONS = 1

export function startStreams(
  context: Context,
  { sessions, secrets }: { sessions: Database; secrets: OrganizationSecrets },
): {
  operations: readonly BoundOperation[]
  findStart: () => Promise<string | undefined>
  part: Part
} {
  const { config, log, metrics } = context
  const engine = openPool(context, 'streams', 'upvane_engine', CONNECTIONS)
  const replay = openPool(context, 'stream_replay', 'upvane_app', REPLAY_CONNECTIONS)
  const tenants = new Tenants(replay, secrets)
  const limits = config.streams
  const streams = new Streams({ engine, people: sessions, tenants, limits, log, metrics })
  return {
    operations: [
      bind(streamChanges, (_input, { follow, response }) => streams.open(follow, response)),
    ],
    findStart: () => streams.findStart(),
    part: {
      name: 'streams',
      async stop() {
        await streams.stop()
        await Promise.all([engine.close(), replay.close()])
      },
    },
  }
}
