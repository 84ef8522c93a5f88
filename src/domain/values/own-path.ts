// Where to go after signing in, taken from a link. Only our own pages are allowed, so that a link to us cannot lead
// elsewhere.

const MAX_LENGTH = 1000
// Any origin will do: a path that leaves it would also leave ours.
const ORIGIN = 'http://own.invalid'

/** The path as a browser reads it; undefined if it is not one of ours. */
export function toOwnPath(text: string): string | undefined {
  if (!text.startsWith('/') || text.length > MAX_LENGTH) return undefined
  const url = URL.parse(text, ORIGIN)
  if (url === null || url.origin !== ORIGIN) return undefined
  const path = `${url.pathname}${url.search}`
  // Dot segments may have been removed: the rest must not name a host.
  return /^\/(?![/\\])/.test(path) && !isService(url.pathname) ? path : undefined
}

/** Not a page: it would start signing in again, or show an API response. */
const isService = (path: string): boolean => /^\/(?:app|api)(?:\/|$)/.test(path)
