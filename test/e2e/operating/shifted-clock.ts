// Preloaded into the service: sets the clock of the process 60 s ahead.
const AHEAD_MS = 60_000
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    // Safe because these are the parameters a Date was constructed with.
    if (given.length > 0) super(...(given as [number]))
    else super(RealDate.now() + AHEAD_MS)
  }

  static override now(): number {
    return RealDate.now() + AHEAD_MS
  }
} as DateConstructor
