/** Runs a generator that only pauses to its end. */
export function finish<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
