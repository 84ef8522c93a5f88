// Does one organization whose targets all hang delay the checks of the others?
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Kit, openKit, readMetric, readSeries, startSettled, summarize } from './engine-kit.ts'
import { reportGoals } from './engine-report.ts'
import { ADDRESSES, insertMonitors, settleSchedule, slotAddress } from './engine-rows.ts'
import { watchBusyness } from './machine.ts'

const { values } = parseArgs({
  options: {
    hanging: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '60' },
  },
})
const HANGING = Number(values.hanging)
const WATCHED_MS = Number(values.seconds) * 1000
const HEALTHY = 500
const INTERVAL_SECONDS = 30
const WARM_UP_MS = 10_000
// By then all are hanging, and the first have started their second attempt.
const FILL_MS = 40_000

const kit = await openKit({ nats: false })
try {
  const { client, ports } = kit
  const common = { type: 'HTTP', intervalSeconds: INTERVAL_SECONDS } as const
  const address = slotAddress('http', ports.http, INTERVAL_SECONDS)
  const healthy = {
    kind: 'healthy',
    count: HEALTHY,
    timeoutSeconds: 10,
    organizations: 50,
    address,
  }
  await insertMonitors(client, { ...common, ...healthy })
  const service = await startSettled(kit, 'start')
  await delay(WARM_UP_MS)
  const busy = watchBusyness()
  const alone = summarize(await watch(kit))

  const hang = `'http://127.0.0.' || 1 + n % ${ADDRESSES} || ':${ports.http}/hang/' || n`
  const hanging = {
    kind: 'hanging',
    count: HANGING,
    timeoutSeconds: 30,
    organizations: 1,
    address: hang,
  }
  await insertMonitors(client, { ...common, ...hanging })
  await settleSchedule(client, 1, true)
  await delay(FILL_MS)
  const beside = summarize(await watch(kit))
  const inFlight = await readMetric(service, 'upvane_attempts_in_flight')

  const inconclusive = await readSeries(service, 'upvane_checks_inconclusive_total')
  const setting = {
    inconclusive: inconclusive.join(' '),
    load: `${HEALTHY} healthy monitors of 50 organizations every 30 s; ${HANGING} hanging ones of one other`,
    pinning: 'product (one process) on core 0; PostgreSQL and target on core 1',
    columns: 'ours: with the hanging ones; bare: the same process without them',
  }
  const expected = (HEALTHY * WATCHED_MS) / 1000 / INTERVAL_SECONDS
  reportGoals('One organization with hanging targets', { setting, busy }, [
    { goal: 'P10', measure: 'attempts in flight', unit: '', ours: inFlight },
    {
      goal: 'P10',
      measure: 'checks of the others',
      unit: '',
      ours: beside.count,
      bare: alone.count,
      atLeast: expected - 2,
    },
    { goal: 'P10', measure: 'late p50', unit: 'ms', ours: beside.p50, bare: alone.p50 },
    {
      goal: 'P10',
      measure: 'late p99',
      unit: 'ms',
      ours: beside.p99,
      bare: alone.p99,
      atMost: 1.5,
      by: 'ratio',
    },
    { goal: 'P10', measure: 'late max', unit: 'ms', ours: beside.max, bare: alone.max },
  ])
} finally {
  await kit.close()
}

async function watch({ target }: Kit): Promise<number[]> {
  await target.request({ do: 'take' })
  await delay(WATCHED_MS)
  return (await target.request({ do: 'take' })).latenessMs
}
