// How far this process's clock is from the database's. Everything durable uses the database's clock, so an offset
// changes no check; log lines, certificates and signatures of this host are wrong by it.
import type { Db } from '../../store/core/db.ts'
import { readClock } from '../../store/history/retention.ts'
import { every, type Loop } from '../every.ts'

const EVERY_MS = 10_000

/** Seconds, positive when this process is ahead; exact to half of the round trip. */
export async function measureClockOffset(db: Db, now: () => number = Date.now): Promise<number> {
  const askedMs = now()
  const databaseMs = await readClock(db)
  return ((askedMs + now()) / 2 - databaseMs) / 1000
}

/** A database that does not answer leaves the last offset: readiness reports that. */
export function startClockWatch(db: Db, onOffset: (seconds: number) => void): Loop {
  const round = async () => onOffset(await measureClockOffset(db))
  void round().catch(() => {})
  return every(EVERY_MS, round, () => {})
}
