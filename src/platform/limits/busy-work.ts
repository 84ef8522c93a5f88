// Work that blocks the whole process for milliseconds, such as rendering a page. It runs one piece at a time,
// organizations in turn, and after each piece everything else gets more time than the piece took.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { KeyedConcurrencyLimit } from './keyed-concurrency-limit.ts'

/** The target duration of a piece, if the work can be divided. */
const PIECE_MS = 3
// After a long piece, other work gets this many times as long.
const REST_FACTOR = 3
const MAX_REST_MS = 200
const MAX_WAITING_OF_ORGANIZATION = 2_000
const MAX_WAIT_MS = 60_000

const limit = new KeyedConcurrencyLimit({
  total: 1,
  perKey: 1,
  maxWaitingPerKey: MAX_WAITING_OF_ORGANIZATION,
  maxWaitMs: MAX_WAIT_MS,
})

/** Runs `work` when it is this organization's turn. */
export function runInTurn<T>(orgId: string, work: () => T): Promise<T> {
  return limit.run(orgId, async () => {
    await nextTurn()
    const startedMs = performance.now()
    const result = work()
    const tookMs = performance.now() - startedMs
    if (tookMs > PIECE_MS) await sleep(Math.min(tookMs * REST_FACTOR, MAX_REST_MS))
    return result
  })
}

/** Runs it to its end, in pieces. */
export async function finishInTurn<T>(orgId: string, work: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = await runInTurn(orgId, () => {
      const endMs = performance.now() + PIECE_MS
      let taken = work.next()
      while (!taken.done && performance.now() < endMs) taken = work.next()
      return taken
    })
    if (step.done) return step.value
  }
}

/** Collects everything that `items` computes, in pieces. */
export async function collectInTurn<T>(orgId: string, items: Iterable<T>): Promise<T[]> {
  const taken: T[] = []
  const iterator = items[Symbol.iterator]()
  for (let isOver = false; !isOver; )
    isOver = await runInTurn(orgId, () => {
      const endMs = performance.now() + PIECE_MS
      do {
        const { value, done } = iterator.next()
        if (done) return true
        taken.push(value)
      } while (performance.now() < endMs)
      return false
    })
  return taken
}
