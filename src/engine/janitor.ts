// Keeps the house: makes tomorrow's partitions, forgets stored answers that nobody can ask for any more.
import type { Log } from '../platform/log.ts'
import type { Database } from '../store/db.ts'
import { ensurePartitions, forgetExpiredAnswers } from '../store/upkeep.ts'

const ROUND_MS = 60_000
const DAYS_AHEAD = 7
const BATCH = 5_000
const MAX_BATCHES = 200

export type JanitorDeps = { database: Database; log: Log }

export function startJanitor({ database, log }: JanitorDeps): { stop(): Promise<void> } {
  let stopped = false
  let wake = () => {}
  const running = (async () => {
    while (!stopped) {
      await round(database, log).catch((err: unknown) => log.error({ err }, 'upkeep failed'))
      if (stopped) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ROUND_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  })()
  return {
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}

async function round(database: Database, log: Log): Promise<void> {
  const made = await ensurePartitions(database, DAYS_AHEAD)
  if (made > 0) log.info({ made }, 'partitions made')
  let forgotten = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const count = await forgetExpiredAnswers(database, BATCH)
    forgotten += count
    if (count < BATCH) break
  }
  if (forgotten > 0) log.info({ forgotten }, 'stored answers forgotten')
}
