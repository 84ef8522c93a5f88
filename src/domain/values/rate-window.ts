// The fixed rate-limit window of a key: what it still allows, and the response headers that say so.

const POLICY_NAME = 'public-api'
export const WINDOW_SECONDS = 60

export type RateWindow = { quota: number; used: number; resetSeconds: number }

/** For a request without a key, which uses up no quota. */
export function unusedWindow(quota: number): RateWindow {
  return { quota, used: 0, resetSeconds: WINDOW_SECONDS }
}

export const isOverLimit = ({ quota, used }: RateWindow): boolean => used > quota

/** Whole seconds until the window ends. At least 1, so that a client that waits never comes too early. */
export function secondsLeft({ resetSeconds }: RateWindow): number {
  return Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(resetSeconds)))
}

export function rateHeaders(window: RateWindow): Record<string, string> {
  const remaining = Math.max(0, window.quota - window.used)
  const seconds = secondsLeft(window)
  return {
    'RateLimit-Limit': String(window.quota),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(seconds),
    RateLimit: `${POLICY_NAME};r=${remaining};t=${seconds}`,
    'RateLimit-Policy': `${POLICY_NAME};q=${window.quota};w=${WINDOW_SECONDS}`,
  }
}
