// Which responses to an attacker are our fault. Whatever they send must be refused: a 5xx is a fault of ours, except where the
// documents promise one.

type Answer = { path: string; status: number; retryAfter: string | undefined }

const PAGE = /^\/status\/([^/?]+)/

/**
 * Names each response of one attack for its tally. docs/status-pages.md, "Load": while PostgreSQL does not respond within
 * 250 ms, a page that nobody has opened since the start is 503 with `Retry-After`. A page that was served once is not.
 */
export class Outcomes {
  readonly #opened = new Set<string>()

  nameOf({ path, status, retryAfter }: Answer): string {
    const [, page] = PAGE.exec(path) ?? []
    if (page === undefined) return String(status)
    if (status === 200) this.#opened.add(page)
    const isPromised = status === 503 && retryAfter !== undefined && !this.#opened.has(page)
    return isPromised ? '503, as promised' : String(status)
  }
}

/** Those of a tally that are our fault. */
export const ownFaultsIn = (tally: Readonly<Record<string, number>>): string[] =>
  Object.keys(tally).filter((outcome) => / 5\d\d$/.test(outcome))
