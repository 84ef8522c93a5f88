// Keeps a failing dependency from filling the log: the first lines of a kind are written, further ones in the same
// minute are counted, and the count is reported when the minute ends.

type RepeatDecision = 'WRITE' | 'SUPPRESS'
type Suppressed = { kind: string; count: number }

const WINDOW_MS = 60_000
const LINES_PER_WINDOW = 5
// Beyond this many kinds at once, a line is written rather than tracked.
const MAX_KINDS = 500

type Window = { startedAtMs: number; written: number; suppressed: number }

export class RepeatLimit {
  readonly #windows = new Map<string, Window>()

  decide(kind: string, nowMs: number): RepeatDecision {
    const window = this.#windows.get(kind)
    if (window === undefined || nowMs - window.startedAtMs >= WINDOW_MS) {
      if (window !== undefined || this.#windows.size < MAX_KINDS)
        this.#windows.set(kind, {
          startedAtMs: nowMs,
          written: 1,
          suppressed: window?.suppressed ?? 0,
        })
      return 'WRITE'
    }
    if (window.written < LINES_PER_WINDOW) {
      window.written += 1
      return 'WRITE'
    }
    window.suppressed += 1
    return 'SUPPRESS'
  }

  /** The counts of windows that have ended, which are then forgotten. */
  takeEnded(nowMs: number): Suppressed[] {
    const ended: Suppressed[] = []
    for (const [kind, { startedAtMs, suppressed }] of this.#windows) {
      if (nowMs - startedAtMs < WINDOW_MS) continue
      this.#windows.delete(kind)
      if (suppressed > 0) ended.push({ kind, count: suppressed })
    }
    return ended
  }
}
