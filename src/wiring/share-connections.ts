// How the APIs' connections are shared. The limit applies where a connection is acquired, so work without one holds no
// slot: a request whose body is still arriving, a check that waits for its result, an event stream, a slow client.
import { KeyedConcurrencyLimit } from '../platform/limits/keyed-concurrency-limit.ts'
import type { Database } from '../store/core/db.ts'
import type { Context } from './context.ts'

// A burst of 120 requests with several statements each waits; it is never refused.
const MAX_WAITING = 1_000
const MAX_WAIT_MS = 10_000

type Share = { pool: string; total: number; perOrganization: number }

/** Each organization has a few connections at a time; its other work waits in turn. */
export function shareAmongOrganizations(
  database: Database,
  { metrics }: Pick<Context, 'metrics'>,
  { pool, total, perOrganization }: Share,
): Database {
  // One organization never has all of them.
  const limit = limitOf(total, Math.min(perOrganization, Math.max(1, total - 1)))
  metrics.watchQueue(pool, () => limit.stats)
  return database.admittedBy((orgId = '') => limit.acquire(orgId))
}

/** `name`: what a request counts against, a person or the network of a visitor who is not signed in. */
type DatabaseFor = (name: string) => Database

/** No one has more than `perName` connections at a time; the rest waits in turn. */
export function shareAmong(database: Database, total: number, perName: number): DatabaseFor {
  const limit = limitOf(total, perName)
  return (name) => database.admittedBy(() => limit.acquire(name))
}

function limitOf(total: number, perKey: number): KeyedConcurrencyLimit {
  return new KeyedConcurrencyLimit({
    total,
    perKey,
    maxWaitingPerKey: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  })
}
