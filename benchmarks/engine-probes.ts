// What does the bus cost, and does a check cost more when more probe processes share the work?
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Service } from '../tools/stack.ts'
import { type Kit, openKit, pidOf, startPinned } from './engine-kit.ts'
import { reportGoals } from './engine-report.ts'
import { insertMonitors, settleSchedule, slotAddress } from './engine-rows.ts'
import { cpuMicros, pin, watchBusyness } from './machine.ts'

const { values } = parseArgs({
  options: { rate: { type: 'string', default: '200' }, once: { type: 'boolean', default: false } },
})
const RATE = Number(values.rate)
const INTERVAL_SECONDS = 30
const AHEAD_SECONDS = 7
// Every process runs this many checks before it is measured: until V8 has optimized the code, a check costs more.
const WARM_UP_CHECKS = 2000
const SLOTS = 5
const SLOT_MS = 2500
// 0 is one process with every role and no NATS.
const PASS = [0, 1, 2, 4]
const TURNS = values.once ? PASS : [...PASS, ...PASS.toReversed()]

type Cost = { allUs: number; natsUs: number }

const kit = await openKit({ nats: true })
try {
  await insertMonitors(kit.client, {
    kind: 'probes',
    count: RATE * INTERVAL_SECONDS,
    type: 'HTTP',
    intervalSeconds: INTERVAL_SECONDS,
    timeoutSeconds: 10,
    organizations: 100,
    address: slotAddress('https', kit.ports.https, INTERVAL_SECONDS),
  })
  if (kit.stack.nats !== undefined) pin(kit.stack.nats.pid, '0')
  const busy = watchBusyness()
  const costs = new Map<number, Cost[]>()
  for (const probes of TURNS)
    costs.set(probes, [...(costs.get(probes) ?? []), ...(await measure(kit, probes))])
  const best = (probes: number, read: (cost: Cost) => number) =>
    Math.min(...(costs.get(probes) ?? []).map(read))
  const all = (probes: number) => best(probes, ({ allUs }) => allUs)
  const setting = {
    load: `${RATE} HTTPS checks/s; CPU of scheduler, probes and NATS together (PostgreSQL is apart)`,
    pinning: 'scheduler, probes and NATS on core 0; PostgreSQL and target on core 1',
    rounds: `${TURNS.join(' ')} probes in turn, ${SLOTS} slots of ${SLOT_MS} ms each; 0 is one process without NATS`,
  }
  const bus = (100 * (all(1) - all(0))) / all(0)
  reportGoals('Probe processes and the bus', { setting, busy }, [
    { goal: '', measure: 'one process, no NATS', unit: 'us', ours: all(0) },
    { goal: '', measure: 'scheduler + 1 probe', unit: 'us', ours: all(1) },
    {
      goal: 'P13',
      measure: 'scheduler + 2 probes',
      unit: 'us',
      ours: all(2),
      bare: all(1),
      atMost: 1.1,
      by: 'ratio',
    },
    {
      goal: 'P13',
      measure: 'scheduler + 4 probes',
      unit: 'us',
      ours: all(4),
      bare: all(1),
      atMost: 1.1,
      by: 'ratio',
    },
    { goal: '', measure: 'of that NATS server', unit: 'us', ours: best(1, ({ natsUs }) => natsUs) },
    { goal: 'P13', measure: 'bus and NATS by an HTTPS check', unit: '%', ours: bus, atMost: 5 },
  ])
} finally {
  await kit.close()
}

async function measure(kit: Kit, probes: number): Promise<Cost[]> {
  await settleSchedule(kit.client, AHEAD_SECONDS)
  const services = await startAll(kit, probes)
  await delay(1000 * (AHEAD_SECONDS + (WARM_UP_CHECKS * Math.max(1, probes)) / RATE))
  const nats = () => cpuMicros(kit.stack.nats?.pid ?? 0)
  const read = async () => ({
    count: (await kit.target.request({ do: 'count' })).count,
    nats: nats(),
    all: nats() + services.reduce((sum, { process }) => sum + cpuMicros(pidOf(process)), 0),
  })
  const costs: Cost[] = []
  for (let slot = 0; slot < SLOTS; slot++) {
    const before = await read()
    await delay(SLOT_MS)
    const after = await read()
    const checks = after.count - before.count
    const perCheck = (a: number, b: number) => (b - a) / checks
    costs.push({
      allUs: perCheck(before.all, after.all),
      natsUs: perCheck(before.nats, after.nats),
    })
  }
  for (const service of services) await service.stop()
  return costs
}

async function startAll(kit: Kit, probes: number): Promise<Service[]> {
  if (probes === 0) return [await startPinned(kit, 'start', { NATS_URL: '' })]
  const services: Service[] = []
  for (let i = 0; i < probes; i++) services.push(await startPinned(kit, 'probe'))
  return [...services, await startPinned(kit, 'scheduler')]
}
