// How many connections the pools of a process may have, and whether the database has room for them.
import { type Config, DATABASE_CONNECTIONS } from '../platform/config/config.ts'
import type { Db } from '../store/core/db.ts'
import { findAllowedConnections } from '../store/history/retention.ts'
import type { Context } from './context.ts'

// Nobody may have more than two of them: one is left for others.
const LEAST = 3

/** Of one of the largest pools: with fewer DATABASE_CONNECTIONS than usual it has fewer, too. */
export function shrinkPool(
  usual: number,
  { databaseConnections }: Pick<Config, 'databaseConnections'>,
): number {
  const share = Math.ceil((usual * databaseConnections) / DATABASE_CONNECTIONS.fallback)
  return Math.min(usual, Math.max(LEAST, share))
}

/** A full server refuses connections only under load, when it hurts most: warn at startup. */
export async function warnOfTooManyConnections(
  { log, metrics }: Pick<Context, 'log' | 'metrics'>,
  database: Db,
): Promise<void> {
  const allowed = await findAllowedConnections(database)
  const wanted = metrics.maxPoolConnections()
  if (wanted > allowed)
    log.warn(
      { wanted, allowed },
      'this process may open more connections than the database allows: lower DATABASE_CONNECTIONS or raise max_connections',
    )
}
