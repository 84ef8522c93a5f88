// Decides whether and when a failed attempt is repeated.
import { ApiError, type UpvaneError } from './errors.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000
const JITTER = 0.25
// Beside these, 409 is repeated only while an earlier attempt with the same key still runs.
const PASSING = [429, 500, 502, 503, 504]

export type RetryLimits = { maxRetries: number; maxRetryWaitMs: number; timeoutMs: number }
/** How a call went so far. `runningMs` is how long the server has been busy with an earlier attempt. */
export type Progress = { retries: number; runningMs: number }

/** Milliseconds to wait before the next attempt, or undefined if there should be none. */
export function retryWait(
  error: UpvaneError,
  progress: Progress,
  limits: RetryLimits,
  random: number,
): number | undefined {
  if (!canRetry(error, progress, limits)) return undefined
  const waitMs = waitFor(error, progress, random)
  return waitMs <= limits.maxRetryWaitMs ? waitMs : undefined
}

function canRetry(error: UpvaneError, progress: Progress, limits: RetryLimits): boolean {
  if (isStillRunning(error)) return limits.maxRetries > 0 && progress.runningMs < limits.timeoutMs
  const isPassing = !(error instanceof ApiError) || PASSING.includes(error.status)
  return isPassing && progress.retries < limits.maxRetries
}

function waitFor(error: UpvaneError, { retries, runningMs }: Progress, random: number): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : null
  // The server asks for one second each time; waiting longer and longer saves the key's quota.
  if (isStillRunning(error))
    return Math.max(asked ?? 1000, Math.min(LONGEST_WAIT_MS, runningMs / 2))
  return asked ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retries) * (1 - JITTER * random)
}

/** An earlier attempt with the same idempotency key is being executed. */
export function isStillRunning(error: UpvaneError): boolean {
  return error instanceof ApiError && error.code === 'idempotency_in_progress'
}

/** Seconds or a date. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null || value.trim() === '') return null
  const seconds = Number(value)
  const waitMs = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs)
}
