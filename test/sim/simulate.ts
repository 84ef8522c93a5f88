// One simulation: a small set of monitors, two schedulers, two dispatchers, and many faults.
import { createMonitor } from './apply.ts'
import { createDispatcher } from './dispatcher.ts'
import { createNature } from './nature.ts'
import { createNetwork } from './network.ts'
import { judgeSimulation } from './oracle.ts'
import {
  startFaults,
  startJob,
  startMoves,
  startOperator,
  startReceiving,
  startRequests,
} from './people.ts'
import { createScheduler } from './scheduler.ts'
import type { Simulation } from './simulation.ts'
import { createStore } from './store.ts'
import { createWorld, type Plant, type World } from './world.ts'

type Report = {
  violations: string[]
  /** Verdicts by the definitions for a judge. What a lying probe caused is counted apart. */
  judged: { falseDown: number; hidden: number; byLies: number }
  trace: readonly string[]
  counts: Readonly<Record<string, number>>
}

const ORGS = ['org-1', 'org-2'] as const
const HTTP_MONITORS = 9
const CRON_MONITORS = 3
const MINUTES = 30
const QUIET_MINUTES = 6

export function simulate(seed: number, plant?: Plant): Report {
  const timing = { minutes: MINUTES, quietMinutes: QUIET_MINUTES }
  const world = createWorld({ seed, ...timing, ...(plant && { plant }) })
  const orgs = world.rng.pick([ORGS, ORGS.slice(0, 1)])
  const drafts = Array.from({ length: HTTP_MONITORS + CRON_MONITORS }, (_, i) =>
    draft(world, i, orgs),
  )
  const nature = createNature(world, drafts)
  const store = createStore(world)
  const network = createNetwork(world, nature)
  const received: number[] = []
  start({ world, store, network, nature, received, monitors: [] }, drafts)
  const monitors = [...store.tables.monitors.values()]
  world.play()

  const simulation = { world, store, network, nature, received, monitors }
  const { violations, ...judged } = judgeSimulation(simulation)
  return { violations, judged, trace: world.trace, counts: count(simulation) }
}

function start(simulation: Simulation, drafts: readonly ReturnType<typeof draft>[]): void {
  const { world, store } = simulation
  startMoves(simulation, [...new Set(drafts.map(({ org }) => org))])
  for (const row of drafts) store.commit((tx) => createMonitor(tx, row))
  const schedulers = ['scheduler-a', 'scheduler-b'].map((name) => createScheduler(simulation, name))
  const dispatchers = ['dispatcher-a', 'dispatcher-b'].map((name) =>
    createDispatcher(simulation, name),
  )
  for (const process of [...schedulers, ...dispatchers]) process.boot()
  startReceiving(simulation)
  for (const { uuid, type } of drafts) if (type === 'CRON') startJob(simulation, uuid)
  startOperator(simulation)
  startRequests(simulation, schedulers)
  startFaults(simulation, [...schedulers, ...schedulers, ...dispatchers])
  world.log('world', 'begins')
}

function draft({ rng }: World, i: number, orgs: readonly string[]) {
  const isHttp = i < HTTP_MONITORS
  const tail = rng.int(0, 2 ** 32 - 1).toString(16)
  return {
    uuid: `019aa000-0000-7000-8000-${tail.padStart(12, '0')}`,
    org: rng.pick(orgs),
    name: `${isHttp ? 'http' : 'cron'}-${i}`,
    type: isHttp ? ('HTTP' as const) : ('CRON' as const),
    method: isHttp ? rng.pick(['GET', 'GET', 'POST']) : null,
    intervalSeconds: rng.pick([30, 60, 90, 120]),
    timeoutSeconds: rng.pick([2, 5, 10, 30, 60]),
    expectedPeriodSec: isHttp ? null : rng.pick([60, 90, 120]),
    graceSeconds: rng.pick([0, 5, 20]),
  }
}

// What a run covered: a simulation in which nothing went wrong proves nothing.
function count({ store, world, network }: Simulation): Record<string, number> {
  const rows = store.tables.journal.flatMap((e) => (e.what === 'RESULT' ? [e.row] : []))
  const logged = (word: string) => world.trace.filter((line) => line.includes(word)).length
  return {
    results: rows.length,
    missed: [...store.tables.missed.values()].flat().length,
    superseded: rows.filter(({ fate }) => fate === 'SUPERSEDED').length,
    late: rows.filter(({ fate }) => fate === 'LATE').length,
    inconclusive: rows.filter(({ verdict }) => verdict === 'INCONCLUSIVE').length,
    inMaintenance: rows.filter(({ inMaintenance }) => inMaintenance).length,
    deadlines: rows.filter(({ kind }) => kind === 'DEADLINE').length,
    ownOutages: store.tables.receipt.get('pings')?.outages.length ?? 0,
    incidents: store.tables.incidents.size,
    events: store.tables.events.size,
    crashes: logged(': crash'),
    freezes: logged(': frozen'),
    refused: logged(': refused:'),
    tries: network.hits.filter(({ job }) => job.kind === 'TRY').length,
    doubts: logged(' is in doubt'),
    egress: rows.filter(({ reason }) => reason === 'EGRESS').length,
    noRoute: rows.filter(({ reason }) => reason === 'NO_ROUTE').length,
    notAllowed: rows.filter(({ reason }) => reason === 'TARGET_NOT_ALLOWED').length,
    probeFaults: rows.filter(({ reason }) => reason === 'PROBE_FAULT').length,
    noProbe: rows.filter(({ reason }) => reason === 'NO_PROBE').length,
    oldProbes: network.hits.filter(({ isOld }) => isOld).length,
    lies: network.hits.filter(({ lied }) => lied).length,
    resent: [...network.sends.values()].filter((sends) => sends > 1).length,
  }
}
