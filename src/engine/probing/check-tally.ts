// Counts how many recent checks reached a conclusion about their target.
import type { Checks } from '../../domain/operating/self-watch.ts'

const BUCKET_MS = 10_000
const SHORT_BUCKETS = 3
const LONG_BUCKETS = 12
// With fewer checks in the short period, the long one is used.
const ENOUGH = 10

type Bucket = Checks & { no: number }

export class CheckTally {
  #buckets: Bucket[] = []

  note(isDecided: boolean, nowMs: number): void {
    const no = Math.floor(nowMs / BUCKET_MS)
    let last = this.#buckets.at(-1)
    if (last?.no !== no) {
      last = { no, decided: 0, inconclusive: 0 }
      this.#buckets = [...this.#buckets.slice(-LONG_BUCKETS), last]
    }
    if (isDecided) last.decided += 1
    else last.inconclusive += 1
  }

  recent(nowMs: number): Checks {
    const short = this.#sum(nowMs, SHORT_BUCKETS)
    return short.decided + short.inconclusive >= ENOUGH ? short : this.#sum(nowMs, LONG_BUCKETS)
  }

  #sum(nowMs: number, buckets: number): Checks {
    const from = Math.floor(nowMs / BUCKET_MS) - buckets
    const recent = this.#buckets.filter(({ no }) => no > from)
    return {
      decided: recent.reduce((sum, { decided }) => sum + decided, 0),
      inconclusive: recent.reduce((sum, { inconclusive }) => sum + inconclusive, 0),
    }
  }
}
