// How much memory does a check use while its target is slow?
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openKit, pidOf, readMetric, rssBytes, startSettled } from './engine-kit.ts'
import { reportGoals } from './engine-report.ts'
import { ADDRESSES, insertMonitors, slotAddress } from './engine-rows.ts'
import { watchBusyness } from './machine.ts'

const { values } = parseArgs({ options: { slow: { type: 'string', default: '7500' } } })
const SLOW = Number(values.slow)
const HEALTHY = 3000
const RESPONSE_DELAY_MS = 22_000
const SPREAD_SECONDS = 12
const WARM_UP_MS = 15_000
const SAMPLES = 20

const kit = await openKit({ nats: false })
try {
  const { client, ports } = kit
  const common = { type: 'HTTP', timeoutSeconds: 30, organizations: 100 } as const
  const slow = `'http://127.0.0.' || 1 + n % ${ADDRESSES} || ':${ports.http}/slow/${RESPONSE_DELAY_MS}/' || n`
  const address = slotAddress('http', ports.http, 30)
  await insertMonitors(client, {
    ...common,
    kind: 'healthy',
    count: HEALTHY,
    intervalSeconds: 30,
    address,
  })
  const service = await startSettled(kit, 'start')
  await delay(WARM_UP_MS)
  const busy = watchBusyness()
  const pid = pidOf(service.process)
  const before = rssBytes(pid)
  await insertMonitors(client, {
    ...common,
    kind: 'slow',
    count: SLOW,
    intervalSeconds: 300,
    address: slow,
  })
  await client.query(
    `update monitor_states s set due_unread = true, next_due_at = now() + interval '2 seconds' + $1::integer * random() * interval '1 second'
       from monitors m where m.no = s.monitor_no and m.url like '%/slow/%'`,
    [SPREAD_SECONDS],
  )
  let most = { inFlight: 0, bytes: 0 }
  for (let i = 0; i < SAMPLES; i++) {
    await delay(1000)
    const inFlight = await readMetric(service, 'upvane_attempts_in_flight')
    if (inFlight >= most.inFlight) most = { inFlight, bytes: rssBytes(pid) }
  }
  const setting = {
    load: `${HEALTHY} healthy monitors every 30 s, then ${SLOW} whose targets answer after ${RESPONSE_DELAY_MS} ms`,
    pinning: 'product (one process) on core 0; PostgreSQL and target on core 1',
  }
  const perCheck = (most.bytes - before) / most.inFlight / 1000
  reportGoals('Memory of a check in flight', { setting, busy }, [
    { goal: 'P8', measure: 'in flight', unit: '', ours: most.inFlight, atLeast: 0.9 * SLOW },
    { goal: 'P8', measure: 'RSS before', unit: 'MB', ours: before / 1e6 },
    { goal: 'P8', measure: 'RSS with all in flight', unit: 'MB', ours: most.bytes / 1e6 },
    { goal: 'P8', measure: 'RSS per check in flight', unit: 'kB', ours: perCheck, atMost: 40 },
  ])
} finally {
  await kit.close()
}
