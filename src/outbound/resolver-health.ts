// Tells "this name gets no answer" from "our resolver answers nobody": one control question, the
// name servers of the root, which every working resolver knows.

type ResolverHealth = {
  /** Asks, or repeats an answer that is at most 5 s old. Never rejects. */
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
