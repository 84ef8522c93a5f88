// Packs like a janitor, in small batches and without pauses, until it is killed or nothing is left. Drops the rows of a
// published day at once.
import { env, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Database } from '../../../src/store/core/db.ts'
import { dropPackedRows, packResults } from '../../../src/store/history/packing.ts'

const ROWS = 200
const MAX_STEPS = 100_000
// Another worker or a late result may hold the lock.
const IDLE_MS = 5
const MAX_IDLES = 40

const url = env['DATABASE_URL'] ?? ''
const database = new Database({ url, role: 'upvane_engine', connections: 1 }, () => {})
await dropPackedRows(database, 0)
stdout.write('ready\n')
let idles = 0
for (let step = 0; step < MAX_STEPS && idles < MAX_IDLES; step++) {
  const { idle } = await packResults(database, ROWS)
  await dropPackedRows(database, 0)
  idles = idle ? idles + 1 : 0
  if (idle) await sleep(IDLE_MS)
}
await database.close()
