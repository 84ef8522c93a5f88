// When a delivery is retried, when an endpoint gets a pause, and when it is disabled.

/** Waits between attempts: ten attempts in about 71 hours. */
export const DEFAULT_SCHEDULE_SECONDS = [
  5, 30, 120, 600, 3_600, 14_400, 36_000, 72_000, 129_600,
] as const

export type DeliveryFailure = {
  /** Null if no response came. */
  status: number | null
  timedOut: boolean
  retryAfterSeconds: number | null
}

const JITTER = 0.2
const BUSY_STATUSES = new Set([429, 502, 503, 504])
const BUSY_MIN_SECONDS = 60
const QUICK_ATTEMPTS = 3
const MAX_RETRY_AFTER_SECONDS = 86_400
const DEFAULT_FIRST_SECONDS = 5

/**
 * How long to wait before the next attempt; undefined after the last one. `attemptsMade` includes the failed one,
 * `random` is 0..1.
 */
export function nextDelayMs(
  scheduleSeconds: readonly number[],
  attemptsMade: number,
  failure: DeliveryFailure,
  random: number,
): number | undefined {
  const plannedSeconds = scheduleSeconds[attemptsMade - 1]
  if (plannedSeconds === undefined) return undefined
  const jitteredSeconds = plannedSeconds * (1 - JITTER + 2 * JITTER * random)
  const asked = Math.min(failure.retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS)
  const minSeconds = isOverloaded(failure, attemptsMade)
    ? BUSY_MIN_SECONDS * scale(scheduleSeconds)
    : 0
  return Math.round(Math.max(jitteredSeconds, minSeconds, asked) * 1000)
}

// A receiver under load gets a minute. Only attempts 2 and 3 may come sooner, because most blips end within seconds,
// and only if the receiver sent no Retry-After.
function isOverloaded(
  { status, timedOut, retryAfterSeconds }: DeliveryFailure,
  attemptsMade: number,
): boolean {
  const busy = timedOut || (status !== null && BUSY_STATUSES.has(status))
  return busy && (attemptsMade + 1 > QUICK_ATTEMPTS || retryAfterSeconds !== null)
}

// A shorter schedule, as tests use, shortens the fixed times with it: a first wait of 5 s means a scale of 1.
function scale([firstSeconds = DEFAULT_FIRST_SECONDS]: readonly number[]): number {
  return firstSeconds / DEFAULT_FIRST_SECONDS
}

const STARVED_SECONDS = 10
const OVERDUE_SECONDS = 60
// An overloaded machine must not look like one that delivers nothing.
const MIN_SECONDS = 4

/** How long a receiver may wait before it counts as starved, and how long before deliveries as a whole are overdue. */
export function waitLimitsMs(scheduleSeconds: readonly number[]): {
  starvedMs: number
  overdueMs: number
} {
  const scaled = (seconds: number) =>
    Math.max(seconds * scale(scheduleSeconds), Math.min(seconds, MIN_SECONDS)) * 1000
  return { starvedMs: scaled(STARVED_SECONDS), overdueMs: scaled(OVERDUE_SECONDS) }
}

/** `Retry-After` as whole seconds from `now`, given as seconds or as an HTTP date; null if it is neither. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text)
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const ms = Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? null : Math.max(0, Math.ceil(ms / 1000))
}

/** Redirects are not followed: anything but 2xx is a failure. */
export function outcomeOf(status: number): 'SUCCEEDED' | 'FAILED' | 'GONE' {
  if (status === 410) return 'GONE'
  return status >= 200 && status < 300 ? 'SUCCEEDED' : 'FAILED'
}

/** Health of an endpoint since its last success. */
export type EndpointHealth = {
  failuresInARow: number
  failingSince: Date | null
  /** Set while the breaker is open: nothing is sent before then. */
  nextProbeAt: Date | null
  probeSeconds: number | null
}

export const HEALTHY: EndpointHealth = {
  failuresInARow: 0,
  failingSince: null,
  nextProbeAt: null,
  probeSeconds: null,
}

const BREAKER_FAILURES = 10
const BREAKER_SPAN_SECONDS = 60
const FIRST_PROBE_SECONDS = 30
const MAX_PROBE_SECONDS = 900

/**
 * After ten failures in a row over at least a minute, the breaker opens: one delivery is sent after 30 s, then less and
 * less often, down to one every 15 min. The first success closes it (HEALTHY).
 */
export function afterFailure(
  health: EndpointHealth,
  at: Date,
  scheduleSeconds: readonly number[],
): EndpointHealth {
  const failingSince = health.failingSince ?? at
  const failuresInARow = health.failuresInARow + 1
  const failing = { failuresInARow, failingSince }
  const spanMs = BREAKER_SPAN_SECONDS * scale(scheduleSeconds) * 1000
  const isOpen =
    failuresInARow >= BREAKER_FAILURES && at.getTime() - failingSince.getTime() >= spanMs
  if (!isOpen) return { ...failing, nextProbeAt: null, probeSeconds: null }

  // Deliveries in flight when the breaker opened fail too, but are not probes.
  if (health.nextProbeAt !== null && at < health.nextProbeAt) return { ...health, ...failing }
  const probeSeconds =
    health.probeSeconds === null
      ? FIRST_PROBE_SECONDS * scale(scheduleSeconds)
      : Math.min(health.probeSeconds * 2, MAX_PROBE_SECONDS * scale(scheduleSeconds))
  return { ...failing, probeSeconds, nextProbeAt: new Date(at.getTime() + probeSeconds * 1000) }
}

/**
 * FREE: send everything due. PROBE: send one delivery. HOLD: send none; deliveries stay PENDING and use up no attempt.
 */
export function breakerOf(health: EndpointHealth, now: Date): 'FREE' | 'PROBE' | 'HOLD' {
  if (health.nextProbeAt === null) return 'FREE'
  return now >= health.nextProbeAt ? 'PROBE' : 'HOLD'
}

const WARN_AFTER_MS = 86_400_000
const DISABLE_AFTER_MS = 5 * 86_400_000
const DISABLE_FAILURES = 20

/**
 * Measured from the first failure after the last success: an endpoint that had nothing to receive for a week must not
 * be disabled over its first bad hour.
 */
export function fateOf(health: EndpointHealth, now: Date): 'KEEP' | 'WARN' | 'DISABLE' {
  const { failingSince, failuresInARow } = health
  if (failingSince === null) return 'KEEP'
  const failingMs = now.getTime() - failingSince.getTime()
  if (failingMs >= DISABLE_AFTER_MS && failuresInARow >= DISABLE_FAILURES) return 'DISABLE'
  return failingMs >= WARN_AFTER_MS ? 'WARN' : 'KEEP'
}
