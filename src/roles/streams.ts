// The event streams of the dashboard.
import { type AppBound, bindStream } from '../api/app/bind-app.ts'
import { Streams } from '../api/app/streams.ts'
import { streamChanges } from '../contract/app/stream.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Database } from '../store/db.ts'
import type { Tenants } from '../store/tenants.ts'
import { type Context, openPool } from './context.ts'

// Only to look for changes, and only one look at a time.
const CONNECTIONS = 1

export function startStreams(
  context: Context,
  { people, tenants }: { people: Database; tenants: Tenants },
): { operations: readonly AppBound[]; part: Part } {
  const { config, log, metrics } = context
  const engine = openPool(context, 'streams', 'upvane_engine', CONNECTIONS)
  const streams = new Streams({ engine, people, tenants, limits: config.streams, log, metrics })
  return {
    operations: [bindStream(streamChanges, (follow, response) => streams.open(follow, response))],
    part: { name: 'streams', stop: () => streams.stop().then(() => engine.close()) },
  }
}
