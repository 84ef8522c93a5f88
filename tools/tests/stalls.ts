// Notices when the machine itself stood still, so that a test that judges time failed without a fault.

const TICK_MS = 100
// A process that sleeps gets a processor within some 50 ms, however many others want one. Only a machine that is paused, or
// waits for its disk, wakes it this late.
const STALL_MS = 1000

type Stall = { untilMs: number; ms: number }

/** Gets a tick every `everyMs`, and finds those that came far too late. */
export class Stalls {
  readonly #everyMs: number
  readonly #found: Stall[] = []
  #lastMs: number

  constructor(everyMs: number, nowMs: number) {
    this.#everyMs = everyMs
    this.#lastMs = nowMs
  }

  tick(nowMs: number): void {
    const ms = nowMs - this.#lastMs - this.#everyMs
    if (ms >= STALL_MS) this.#found.push({ untilMs: nowMs, ms })
    this.#lastMs = nowMs
  }

  /** The longest one that ended since then; 0 if there was none. */
  longestSince(startedMs: number): number {
    const since = this.#found.filter(({ untilMs }) => untilMs >= startedMs)
    return Math.max(0, ...since.map(({ ms }) => ms))
  }
}

/** Returns how long the machine stood still at most since a time of `performance.now()`. */
export function watchStalls(): (startedMs: number) => number {
  const stalls = new Stalls(TICK_MS, performance.now())
  setInterval(() => stalls.tick(performance.now()), TICK_MS).unref()
  return (startedMs) => {
    // The tick of a stall that has just ended may still be due.
    stalls.tick(performance.now())
    return stalls.longestSince(startedMs)
  }
}
