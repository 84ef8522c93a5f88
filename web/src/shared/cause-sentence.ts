// The cause of an incident as people read it. Pure.

// Everyone expects these, so they explain nothing.
const DEFAULT_STATUSES = ', expected 200-206, 301, 302, 307, 308'
const EXPECTED = ', expected '

/** `HTTP 503` without the default list of statuses, and ranges with a dash. */
export function causeSentence(cause: string): string {
  if (!cause.startsWith('HTTP ')) return cause
  if (cause.endsWith(DEFAULT_STATUSES)) return cause.slice(0, -DEFAULT_STATUSES.length)
  const [found, expected] = cause.split(EXPECTED)
  return expected === undefined ? cause : `${found}${EXPECTED}${expected.replaceAll('-', '–')}`
}
