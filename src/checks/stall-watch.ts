// Notices when this process itself stood still: a time measured across such a gap is ours, not the target's.

export type StallWatch = {
  /** Whether the event loop stood still at any moment since then (`performance.now()` time). */
  hasStalledSince(ms: number): boolean
  stop(): void
}

const TICK_MS = 50
const STALL_MS = 200

/** One timer for the whole process, however many attempts ask. */
export function startStallWatch(): StallWatch {
  let tickedMs = performance.now()
  let stalledMs = Number.NEGATIVE_INFINITY
  const isLate = () => performance.now() - tickedMs > TICK_MS + STALL_MS
  const timer = setInterval(() => {
    if (isLate()) stalledMs = performance.now()
    tickedMs = performance.now()
  }, TICK_MS)
  timer.unref()
  return {
    // An attempt may end before the late tick runs, so lateness itself counts too.
    hasStalledSince: (ms) => stalledMs >= ms || isLate(),
    stop: () => clearInterval(timer),
  }
}
