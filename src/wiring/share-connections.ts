// How the APIs' connections are shared. The limit stands where a connection is taken, so whatever takes none holds no
// slot: a request whose body is still coming in, a check that waits for its result, an event stream, a slow reader.
import { KeyedConcurrencyLimit } from '../platform/limits/keyed-concurrency-limit.ts'
import type { Database } from '../store/core/db.ts'
import type { Context } from './context.ts'

// A burst of 120 requests with several statements each waits; it is never refused.
const MAX_WAITING = 1_000
const MAX_WAIT_MS = 10_000

type Share = { pool: string; total: number; perOrganization: number }

/** Every organization has a few connections at a time, and the others wait for theirs in turn. */
export function shareAmongOrganizations(
  database: Database,
  { metrics }: Pick<Context, 'metrics'>,
  { pool, total, perOrganization }: Share,
): Database {
  // One organization never has them all.
  const limit = limitOf(total, Math.min(perOrganization, Math.max(1, total - 1)))
  metrics.watchQueue(pool, () => limit.stats)
  return database.admittedBy((orgId = '') => limit.acquire(orgId))
}

/** `name` is whoever a request counts for: a person, or the network of somebody who has not signed in. */
type DatabaseFor = (name: string) => Database

/** Nobody has more than `perName` of them at a time, and the others wait for theirs in turn. */
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
