// With synchronous replication a commit waits for a standby. If the wait is canceled, by an operator or a shutdown, PostgreSQL
// reports success with a warning, although only this server has the data. We treat that as a failure.
import type pg from 'pg'

/** Where PostgreSQL raises the warning. Unlike its text, the name is never translated. */
const WAIT_ROUTINE = 'SyncRepWaitForLSN'

/** The commit may be lost if this server is. Callers handle it like a lost response. */
export class UnreplicatedError extends Error {}

const unreplicated = new WeakSet<pg.ClientBase>()

export function watchReplication(client: pg.ClientBase): void {
  client.on('notice', ({ routine }) => {
    if (routine === WAIT_ROUTINE) unreplicated.add(client)
  })
}

/** Call it when a commit has returned. */
export function assertReplicated(client: pg.ClientBase): void {
  if (unreplicated.delete(client))
    throw new UnreplicatedError('No standby confirmed this commit in time.')
}
