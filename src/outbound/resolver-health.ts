// Distinguishes "this name gets no answer" from "our resolver does not work" with one control query: the root name
// servers, which every working resolver knows.

type ResolverHealth = {
  /** Queries, or repeats a result that is at most 5 s old. Never rejects. */
  isResponding(): Promise<boolean>
}

const KEEP_MS = 5_000

export function watchResolver(queryRoot: () => Promise<boolean>): ResolverHealth {
  let queriedAt = Number.NEGATIVE_INFINITY
  let response = Promise.resolve(false)
  return {
    isResponding() {
      if (performance.now() - queriedAt > KEEP_MS) {
        queriedAt = performance.now()
        response = queryRoot()
      }
      return response
    },
  }
}
