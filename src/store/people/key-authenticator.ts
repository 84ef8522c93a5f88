// Authenticates API keys and counts their requests. Requests that arrive while a statement is running share the next
// one: one round trip and one commit for all. Each still gets its own number in its key's window.
import { WINDOW_SECONDS } from '../../domain/values/rate-window.ts'
import { beingMoved } from '../../platform/api-error.ts'
import { type Database, sql } from '../core/db.ts'
import type { KeyHolder } from './api-keys.ts'

// One statement is in transit while another runs. More would only make the batches smaller.
const MAX_IN_FLIGHT = 2
const MAX_BATCH = 100

const AUTHENTICATE = sql`
  select hash, key_id as "keyId", key_name as "keyName", org_id as "orgId", access,
         subscription_active as "subscriptionActive", requests, used, reset_seconds as "resetSeconds"
    from authenticate_keys($1, $2, $3)`
const FIND_MOVED = sql`select moved_keys($1) as hash`

const MOVING =
  'The organization of this API key is being moved to another installation. Try again in a few minutes.'

type Row = KeyHolder & { hash: Buffer; requests: number }
type PendingRequest = {
  hash: Buffer
  resolve(holder: KeyHolder | undefined): void
  reject(error: unknown): void
}

export class KeyAuthenticator {
  readonly #database: Database
  readonly #quota: number
  #pending: PendingRequest[] = []
  #inFlight = 0

  constructor(database: Database, quota: number) {
    this.#database = database
    this.#quota = quota
  }

  /** Finds the key and counts the request. Both are committed when it returns. Rejects if its organization moves. */
  authenticate(hash: Buffer): Promise<KeyHolder | undefined> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ hash, resolve, reject })
      this.#startBatch()
    })
  }

  #startBatch(): void {
    if (this.#inFlight >= MAX_IN_FLIGHT || this.#pending.length === 0) return
    const batch = this.#pending.splice(0, MAX_BATCH)
    this.#inFlight += 1
    void this.#authenticateBatch(batch).finally(() => {
      this.#inFlight -= 1
      this.#startBatch()
    })
  }

  async #authenticateBatch(batch: readonly PendingRequest[]): Promise<void> {
    try {
      const hashes = batch.map(({ hash }) => hash)
      const values = [hashes, this.#quota, WINDOW_SECONDS]
      const rows = await this.#database.query<Row>(AUTHENTICATE, values)
      const byHash = new Map(rows.map((row) => [row.hash.toString('latin1'), row]))
      const moved = await this.#findMoved(
        hashes.filter((hash) => !byHash.has(hash.toString('latin1'))),
      )
      for (const { hash, resolve, reject } of batch)
        if (moved.has(hash.toString('latin1'))) reject(beingMoved(MOVING))
        else resolve(nextHolder(byHash.get(hash.toString('latin1'))))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** Only for keys that were not found, and so rare. */
  async #findMoved(hashes: readonly Buffer[]): Promise<ReadonlySet<string>> {
    if (hashes.length === 0) return new Set()
    const rows = await this.#database.query<{ hash: Buffer }>(FIND_MOVED, [hashes])
    return new Set(rows.map(({ hash }) => hash.toString('latin1')))
  }
}

/** The next of the numbers that the requests of one key were given together. */
function nextHolder(row: Row | undefined): KeyHolder | undefined {
  if (row === undefined) return undefined
  row.requests -= 1
  const { hash: _, requests, ...holder } = row
  return { ...holder, used: row.used - requests }
}
