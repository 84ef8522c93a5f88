// Records up to when pings could be received: the process that receives them writes it, and schedulers read it.
import type { PingReceipt } from '../../domain/monitors/heartbeat.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { readReceipt, recordReceiving } from '../../store/monitors/ping-receipt.ts'
import { every, type Loop } from '../every.ts'

const RECORD_INTERVAL_MS = 500
const READ_AGAIN_MS = 200

/** Runs in the process that receives pings, as long as it receives them. */
export async function startReceiptRecorder(database: Database, log: Log): Promise<Loop> {
  let isFailing = false
  const note = async () => {
    await recordReceiving(database)
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
