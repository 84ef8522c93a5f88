// The jobs for the probes of one region. How many may be sent and not yet accepted is limited, and the limit follows what
// the probes say: a busy one halves what may be sent and pauses the region, an accepted job raises it. Without that, every job that finds
// the probes busy would be sent again and again, and probes would do nothing but read and refuse them.

/** `queuedMs`: since when it waits to be accepted. */
type Queued = { queuedMs: number }

const FIRST_WINDOW = 1000
// A packet is accepted or refused as a whole, and a probe may have room for a single job.
const MIN_WINDOW = 1
const MAX_WINDOW = 4000
const FIRST_PAUSE_MS = 100
const LAST_PAUSE_MS = 500

/** All times are from `performance.now()`. */
export class RegionQueue<Job extends Queued> {
  /** The oldest first. */
  #waiting: Job[] = []
  #unanswered = 0
  #window = FIRST_WINDOW
  #pauseMs = 0
  #pausedUntilMs = 0

  /** Jobs that no probe has accepted yet. */
  get size(): number {
    return this.#waiting.length + this.#unanswered
  }

  add(job: Job): void {
    this.#waiting.push(job)
  }

  /** Removes and returns the jobs to send now. All of them must be answered. */
  take(nowMs: number): Job[] {
    if (nowMs < this.#pausedUntilMs) return []
    const jobs = this.#waiting.splice(0, Math.max(0, this.#window - this.#unanswered))
    this.#unanswered += jobs.length
    return jobs
  }

  accepted(count: number): void {
    this.#unanswered -= count
    this.#pauseMs = 0
    this.#window = Math.min(MAX_WINDOW, this.#window + count)
  }

  /** Nobody answered, or nobody was there. */
  lost(count: number): void {
    this.#unanswered -= count
  }

  /** A busy probe refused a packet. `jobs` are those of them that are still wanted; they are sent again first. */
  refused(count: number, jobs: readonly Job[], nowMs: number): void {
    const sent = Math.min(this.#window, this.#unanswered)
    this.#unanswered -= count
    this.#waiting.unshift(...jobs)
    // Packets that were sent together are refused together.
    if (nowMs < this.#pausedUntilMs) return
    this.#window = Math.max(MIN_WINDOW, sent >> 1)
    this.#pauseMs = Math.min(LAST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * this.#pauseMs))
    this.#pausedUntilMs = nowMs + this.#pauseMs
  }

  /** How long until waiting jobs may be sent; undefined if there are none, or if others must be answered first. */
  sendsInMs(nowMs: number): number | undefined {
    if (this.#waiting.length === 0 || this.#unanswered >= this.#window) return undefined
    return Math.max(0, this.#pausedUntilMs - nowMs)
  }

  /** Removes and returns waiting jobs that were queued before then. */
  dropOlder(thanMs: number): Job[] {
    const kept = this.#waiting.findIndex(({ queuedMs }) => queuedMs >= thanMs)
    return this.#waiting.splice(0, kept < 0 ? this.#waiting.length : kept)
  }
}
