// What is known about the pings of a CRON monitor.
type Ping = { at: Date; passed: boolean }

/** A run that said `/start` and has not ended. Runs without a `rid` share null as theirs. */
export type JobRun = { rid: string | null; startedAt: Date; lostMs?: number }

export type HeartbeatClock = {
  /** The latest of created, resumed and type change. */
  startedAt: Date
  /** The last success or failure since then. */
  lastPing: Ping | null
  runs: readonly JobRun[]
  /** The deadline that was missed and told; the clock stands still until the next call. */
  missedAt: Date | null
  /** Our own downtime since the last ping, or since the start of the clock. A run has its own. */
  lostMs?: number
}
