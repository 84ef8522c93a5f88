// Where to go after signing in, as an address in a link said. Only a page of our own: a link to us must not end
// somewhere else.

const MAX_LENGTH = 1000
// Any origin will do: what leads away from it leads away from ours.
const ORIGIN = 'http://own.invalid'

/** The path as a browser will read it; undefined when it is not one of ours. */
export function toOwnPath(text: string): string | undefined {
  if (!text.startsWith('/') || text.length > MAX_LENGTH) return undefined
  const url = URL.parse(text, ORIGIN)
  if (url === null || url.origin !== ORIGIN) return undefined
  const path = `${url.pathname}${url.search}`
  // Dots may have been folded away: what is left must not name a host.
  return /^\/(?![/\\])/.test(path) && !isService(url.pathname) ? path : undefined
}

/** Not a page: signing in would begin again, or an answer for programs be shown. */
const isService = (path: string): boolean => /^\/(?:app|api)(?:\/|$)/.test(path)
