// One event, one line of JSON. Lines are buffered briefly, so that logging never waits for the disk; the last ones are
// flushed when the process ends.
import pino, { type Logger } from 'pino'
import type { LogLevel } from '../config/config.ts'
import { RepeatLimit } from '../limits/repeat-limit.ts'
import { kindOfError, toLoggedError } from './log-error.ts'

export type Log = Logger

const GATHER_BYTES = 4096
const FLUSH_MS = 500
const REPORT_SUPPRESSED_MS = 10_000
const WARN = 40
// Fields that distinguish failures with the same message.
const KIND_FIELDS = ['reason', 'type', 'task', 'name', 'problem', 'part'] as const

type OpenLog = { log: Log; close(): void }

export function openLog(level: LogLevel, fileDescriptor: 1 | 2 = 1): OpenLog {
  const destination = pino.destination({
    fd: fileDescriptor,
    sync: false,
    minLength: GATHER_BYTES,
    periodicFlush: FLUSH_MS,
  })
  return limitedLog(level, destination)
}

/** Warnings and errors of one kind are written a few times per minute, then counted. */
export function limitedLog(
  level: LogLevel,
  destination: { write(line: string): void; flushSync(): void },
): OpenLog {
  const limit = new RepeatLimit()
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => toLoggedError(error) },
      hooks: {
        logMethod(args, method, atLevel) {
          const isRepeat =
            atLevel >= WARN && limit.decide(kindOf(args), performance.now()) === 'SUPPRESS'
          if (!isRepeat) method.apply(this, args)
        },
      },
    },
    destination,
  )
  const reportSuppressed = (nowMs: number) => {
    for (const { kind, count } of limit.takeEnded(nowMs))
      log.info({ kind, count }, 'similar lines were suppressed')
  }
  setInterval(() => reportSuppressed(performance.now()), REPORT_SUPPRESSED_MS).unref()
  return {
    log,
    close() {
      reportSuppressed(Number.POSITIVE_INFINITY)
      destination.flushSync()
    },
  }
}

function kindOf(args: readonly unknown[]): string {
  const [first, message] = args
  if (typeof first !== 'object' || first === null) return String(first)
  const fields = first as Record<string, unknown>
  const apart = KIND_FIELDS.flatMap((name) =>
    typeof fields[name] === 'string' ? fields[name] : [],
  )
  return [message, kindOfError(fields['err']), ...apart].filter(Boolean).join(' · ')
}
