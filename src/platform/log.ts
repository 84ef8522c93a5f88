// One event, one line of JSON. Lines are gathered for a moment before they are written, so that logging
// never waits for the disk; the last ones are written out when the process ends.
import pino, { type Logger } from 'pino'
import type { LogLevel } from './config.ts'

export type Log = Logger

const GATHER_BYTES = 4096
const FLUSH_MS = 500

export type OpenLog = { log: Log; close(): void }

export function openLog(level: LogLevel, fileDescriptor: 1 | 2 = 1): OpenLog {
  const destination = pino.destination({
    fd: fileDescriptor,
    sync: false,
    minLength: GATHER_BYTES,
    periodicFlush: FLUSH_MS,
  })
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  return { log, close: () => destination.flushSync() }
}
