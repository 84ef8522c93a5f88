import { type Db, sql } from './db.ts'

// For a limited number of rows, the planner would read a table from its start and hope to find them soon. If there are
// none, it reads all of it.
const AVOID = sql`select set_config('enable_seqscan', 'off', true)`

/** For the rest of the transaction, no table is read as a whole if it has an index for what is asked. */
export async function avoidWholeTables(tx: Db): Promise<void> {
  await tx.query(AVOID)
}
