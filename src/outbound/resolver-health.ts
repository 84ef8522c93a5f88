// Tells "this name gets no answer" from "our resolver answers nobody": one control question, the
// name servers of the root, which every working resolver knows.

type ResolverHealth = {
  /** Asks, or repeats an answer that is at most 5 s old. Never rejects. */
  isAnswering(): Promise<boolean>
}

const KEEP_MS = 5_000

export function watchResolver(askRoot: () => Promise<boolean>): ResolverHealth {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(false)
  return {
    isAnswering() {
      if (performance.now() - askedAt > KEEP_MS) {
        askedAt = performance.now()
        answer = askRoot()
      }
      return answer
    },
  }
}
