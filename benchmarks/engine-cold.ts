// After an outage of minutes: how soon are all shards owned and checks on time again, without a thundering herd? Uses
// as many monitors as one core can handle.
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openKit, readMetric, startPinned } from './engine-kit.ts'
import { reportGoals } from './engine-report.ts'
import { insertMonitors, settleSchedule, slotAddress } from './engine-rows.ts'
import { percentile } from './harness.ts'
import { watchBusyness } from './machine.ts'

const { values } = parseArgs({ options: { monitors: { type: 'string', default: '30000' } } })
const MONITORS = Number(values.monitors)
const INTERVAL_SECONDS = 60
const OUTAGE_SECONDS = 300
const WATCHED_SECONDS = 95
const SHARDS = 256
const ON_TIME_MS = 1000

const kit = await openKit({ nats: false })
try {
  await insertMonitors(kit.client, {
    kind: 'cold',
    count: MONITORS,
    type: 'HTTP',
    intervalSeconds: INTERVAL_SECONDS,
    timeoutSeconds: 10,
    organizations: 100,
    address: slotAddress('http', kit.ports.http, INTERVAL_SECONDS),
  })
  await settleSchedule(kit.client, -OUTAGE_SECONDS)
  const busy = watchBusyness()
  const startMs = Date.now()
  const service = await startPinned(kit, 'start')
  while ((await readMetric(service, 'upvane_shards_owned')) < SHARDS) await delay(50)
  const ownedSeconds = (Date.now() - startMs) / 1000
  await delay(WATCHED_SECONDS * 1000 - (Date.now() - startMs))
  const { latenessMs, atMs } = await kit.target.request({ do: 'take' })

  const seconds = bySecond(
    atMs.map((at) => at - startMs),
    latenessMs,
  )
  const onTimeAfter = 1 + seconds.findLastIndex((late) => percentile(late, 0.99) >= ON_TIME_MS)
  const busiest = Math.max(...seconds.map((late) => late.length))
  const steady = MONITORS / INTERVAL_SECONDS
  const { rows } = await kit.client.query<{ missed: number }>(
    `select coalesce(sum(count), 0)::integer as missed from missed where reason = 'ENGINE_DOWN'`,
  )
  const setting = {
    load: `${MONITORS} HTTP monitors every ${INTERVAL_SECONDS} s = ${steady}/s; all due since ${OUTAGE_SECONDS} s`,
    pinning: 'product (one process) on core 0; PostgreSQL and target on core 1',
    perSecond: seconds.map((late) => late.length).join(' '),
  }
  reportGoals('Cold start after an outage', { setting, busy }, [
    { goal: 'P9', measure: 'all shards owned after', unit: 's', ours: ownedSeconds, atMost: 10 },
    { goal: 'P9', measure: 'late p99 below 1 s after', unit: 's', ours: onTimeAfter, atMost: 60 },
    {
      goal: 'P9',
      measure: 'busiest second by steady rate',
      unit: 'x',
      ours: busiest / steady,
      atMost: 2,
    },
    { goal: 'P9', measure: 'slots written off', unit: '', ours: rows[0]?.missed ?? 0 },
  ])
} finally {
  await kit.close()
}

/** The lateness of requests in each second after the start. */
function bySecond(sinceMs: readonly number[], latenessMs: readonly number[]): number[][] {
  const seconds: number[][] = Array.from({ length: WATCHED_SECONDS }, () => [])
  sinceMs.forEach((ms, i) => seconds[Math.floor(ms / 1000)]?.push(latenessMs[i] ?? 0))
  return seconds
}
