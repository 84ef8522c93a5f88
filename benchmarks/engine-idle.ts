// What does a process with every role cost while nothing is due, and how often does it wake up?
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openKit, pidOf, readMetric, startPinned } from './engine-kit.ts'
import { reportGoals } from './engine-report.ts'
import { insertMonitors, settleSchedule, slotAddress } from './engine-rows.ts'
import { cpuMicros, familyCpuMicros, watchBusyness } from './machine.ts'

const { values } = parseArgs({
  options: {
    slots: { type: 'string', default: '6' },
    command: { type: 'string', default: 'start' },
    // None of them is due during the measurement.
    monitors: { type: 'string', default: '0' },
  },
})
const MONITORS = Number(values.monitors)
const SLOTS = Number(values.slots)
const SLOT_MS = 10_000
const WARM_UP_MS = 15_000
const INTERVAL_SECONDS = 86_400
const AHEAD_SECONDS = 7200
const POLL_MS = 200
const STATEMENTS = `
  select sum(xact_commit)::float as count from pg_stat_database where datname = current_database()`

type Reading = { nodeUs: number; postgresUs: number; wakeUps: number; transactions: number }

const kit = await openKit({ nats: values.command !== 'start' })
try {
  if (MONITORS > 0) await insertIdle()
  const service = await startPinned(kit, values.command)
  const pid = pidOf(service.process)
  if (MONITORS > 0)
    while ((await readMetric(service, 'upvane_monitors_scheduled')) < MONITORS) await delay(POLL_MS)
  await delay(WARM_UP_MS)
  const busy = watchBusyness()
  const perSecond: Reading[] = []
  let before = await read(pid)
  for (let slot = 0; slot < SLOTS; slot++) {
    await delay(SLOT_MS)
    const after = await read(pid)
    const rate = (key: keyof Reading) => (after[key] - before[key]) / (SLOT_MS / 1000)
    perSecond.push({
      nodeUs: rate('nodeUs'),
      postgresUs: rate('postgresUs'),
      wakeUps: rate('wakeUps'),
      transactions: rate('transactions'),
    })
    before = after
  }
  const least = (key: keyof Reading) => Math.min(...perSecond.map((each) => each[key]))
  const setting = {
    load: `${MONITORS} monitors, none of them due; upvane ${values.command}`,
    pinning: 'product on core 0; PostgreSQL on core 1',
    rounds: `${SLOTS} slots of ${SLOT_MS} ms; the best counts`,
  }
  reportGoals('An idle process', { setting, busy }, [
    { goal: '', measure: 'CPU, Node', unit: 'ms/s', ours: least('nodeUs') / 1000 },
    { goal: '', measure: 'CPU, PostgreSQL', unit: 'ms/s', ours: least('postgresUs') / 1000 },
    { goal: '', measure: 'wake-ups of the main thread', unit: '/s', ours: least('wakeUps') },
    { goal: '', measure: 'transactions', unit: '/s', ours: least('transactions') },
  ])
} finally {
  await kit.close()
}

async function insertIdle(): Promise<void> {
  await insertMonitors(kit.client, {
    kind: 'idle',
    count: MONITORS,
    type: 'HTTP',
    intervalSeconds: INTERVAL_SECONDS,
    timeoutSeconds: 10,
    organizations: 100,
    address: slotAddress('http', kit.ports.http, INTERVAL_SECONDS),
  })
  await settleSchedule(kit.client, AHEAD_SECONDS)
}

async function read(pid: number): Promise<Reading> {
  const { rows } = await kit.client.query<{ count: number }>(STATEMENTS)
  return {
    nodeUs: cpuMicros(pid),
    postgresUs: familyCpuMicros(kit.stack.postgres.pid),
    wakeUps: switchesOf(pid),
    transactions: rows[0]?.count ?? Number.NaN,
  }
}

/** How often the main thread went to sleep by itself. */
function switchesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/task/${pid}/status`, 'utf8')
  return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])
}
