// What is known about the pings of a CRON monitor.
type Ping = { at: Date; passed: boolean }

/** A run that sent `/start` and has not ended. Runs without a `rid` share null. */
export type JobRun = { rid: string | null; startedAt: Date; lostMs?: number }

export type HeartbeatClock = {
  /** The latest of creation, resume and type change. */
  startedAt: Date
  /** The last success or failure since then. */
  lastPing: Ping | null
  runs: readonly JobRun[]
  /** The missed deadline that was reported. The clock stops until the next ping. */
  missedAt: Date | null
  /** Our own downtime since the last ping, or since the clock started. Each run counts its own. */
  lostMs?: number
  /** The last ping was a success that counts only from then on. */
  recoversAt?: Date
}
