// Records up to when pings could be received: the process that receives them writes it, and schedulers read it.
import type { PingReceipt } from '../../domain/monitors/heartbeat.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { readReceipt, recordReceiving } from '../../store/monitors/ping-receipt.ts'
import { every, type Loop } from '../every.ts'

const RECORD_INTERVAL_MS = 500
const READ_AGAIN_MS = 200
const POLL_MS = 300
const QUICK_POLLS = 20
const SLOW_POLL_MS = 3000

/** Runs in the process that receives pings, as long as it receives them. */
export async function startReceiptRecorder(
  database: Database,
  region: string,
  log: Log,
): Promise<Loop> {
  let isFailing = false
  const note = async () => {
    await recordReceiving(database, region)
    if (isFailing) log.info('receiving pings is on record again')
    isFailing = false
  }
  const onError = (err: unknown) => {
    if (!isFailing) log.warn({ err }, 'receiving pings cannot be recorded')
    isFailing = true
  }
  await note().catch(onError)
  return every(RECORD_INTERVAL_MS, note, onError)
}

/** When a deadline that waits for the record is judged again: later while nobody receives pings and all deadlines wait. */
export function receiptPollMs(polls: number): number {
  return polls < QUICK_POLLS ? POLL_MS : SLOW_POLL_MS
}

/** Thousands of simultaneous deadlines share one read. */
export class ReceiptReader {
  readonly #database: Database
  #reading: Promise<PingReceipt> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  read(): Promise<PingReceipt> {
    this.#reading ??= this.#start()
    return this.#reading
  }

  #start(): Promise<PingReceipt> {
    const reading = readReceipt(this.#database)
    const forget = () => {
      this.#reading = undefined
    }
    reading.then(() => setTimeout(forget, READ_AGAIN_MS).unref(), forget)
    return reading
  }
}
