// The cause of an incident as people read it. Pure.

// Everyone expects these, so they explain nothing.
const DEFAULT_STATUSES = ', expected 200-206, 301, 302, 307, 308'
const EXPECTED = ', expected '

/** `HTTP 503` without the default list of statuses, and ranges with a dash. */
export const causeSentence = (cause: string): string =>
  cause.startsWith('HTTP ') && cause.endsWith(DEFAULT_STATUSES)
    ? cause.slice(0, -DEFAULT_STATUSES.length)
    : wholeCause(cause)

/** With every expected status, and ranges with a dash as in the settings. */
export function wholeCause(cause: string): string {
  if (!cause.startsWith('HTTP ')) return cause
  const [found, expected] = cause.split(EXPECTED)
  return expected === undefined ? cause : `${found}${EXPECTED}${expected.replaceAll('-', '–')}`
}
