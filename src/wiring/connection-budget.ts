// Whether the database has room for all connections that this process may open.
import type { Db } from '../store/core/db.ts'
import { findAllowedConnections } from '../store/history/retention.ts'
import type { Context } from './context.ts'

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
