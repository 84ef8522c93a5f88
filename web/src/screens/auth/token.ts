// Links in emails carry their token after the `#`, which never reaches a server or its logs.

/** The token of this page's link. Kept for this tab only, and removed from the address bar and the history. */
export function readToken(page: string): string | undefined {
  const key = `token:${page}`
  const { hash, pathname, search } = window.location
  if (hash.length > 1) {
    sessionStorage.setItem(key, hash.slice(1))
    window.history.replaceState(window.history.state, '', pathname + search)
  }
  return sessionStorage.getItem(key) ?? undefined
}

export function dropToken(page: string): void {
  sessionStorage.removeItem(`token:${page}`)
}
