// Measures how far this process's clock is from the database's. All durable timestamps use the database's clock, so an
// offset affects no check, but this host's log lines, certificates and signatures are off by it.
import type { Db } from '../../store/core/db.ts'
import { readClock } from '../../store/history/retention.ts'
import { every, type Loop } from '../every.ts'

const EVERY_MS = 10_000

/** In seconds, positive if this process is ahead; accurate to half of the round trip. */
export async function measureClockOffset(db: Db, now: () => number = Date.now): Promise<number> {
  const askedMs = now()
  const databaseMs = await readClock(db)
  return ((askedMs + now()) / 2 - databaseMs) / 1000
}

/** If the database does not respond, the last offset stays: readiness reports the outage. */
export function startClockWatch(db: Db, onOffset: (seconds: number) => void): Loop {
  const round = async () => onOffset(await measureClockOffset(db))
  void round().catch(() => {})
  return every(EVERY_MS, round, () => {})
}
