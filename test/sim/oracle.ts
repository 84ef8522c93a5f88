// Judges a finished simulation by what was recorded and what really happened. It shares no code with the engine: the
// rules are repeated here in their simplest form.
import { isWithin, type Spell } from './nature.ts'
import { type Judgment, judgeRegions } from './oracle-regions.ts'
import { replay } from './oracle-replay.ts'
import { oracleOfSlots } from './oracle-slots.ts'
import type { Simulation } from './simulation.ts'
import type { MonitorRow, ResultRow } from './store.ts'

const SKEW_MS = 400
const SETTLING_MS = 150_000
const RECEIPT_SLACK_MS = 2_000
const MAX_SENDS = 2
const MAX_ATTEMPTS = 10

export function judgeSimulation(simulation: Simulation): Judgment {
  const judgment = judgeRegions(simulation)
  return { ...judgment, violations: [...judgment.violations, ...otherViolations(simulation)] }
}

function otherViolations(simulation: Simulation): string[] {
  return [
    ...simulation.monitors.flatMap((monitor) => oracleOfSlots(simulation, monitor)),
    ...simulation.monitors.flatMap((monitor) => replay(simulation, monitor)),
    ...simulation.monitors.flatMap((monitor) => incidents(simulation, monitor)),
    ...results(simulation),
    ...deadlines(simulation),
    ...jobs(simulation),
    ...deliveries(simulation),
    ...endings(simulation),
  ]
}

function allResults({ store }: Simulation): ResultRow[] {
  return store.tables.journal.flatMap((entry) => (entry.what === 'RESULT' ? [entry.row] : []))
}

// At most one is open, and they never overlap.
function incidents({ store }: Simulation, { uuid, name }: MonitorRow): string[] {
  const own = [...store.tables.incidents.values()].filter((incident) => incident.uuid === uuid)
  return own.flatMap(({ id, startedAt, resolvedAt }, i) => {
    const next = own[i + 1]
    const endMs = resolvedAt?.getTime() ?? Number.POSITIVE_INFINITY
    const isBackward = endMs < startedAt.getTime() - SKEW_MS
    const isOverlapping = next !== undefined && endMs > next.startedAt.getTime() + SKEW_MS
    return isBackward || isOverlapping
      ? [`${name}: incident ${id} overlaps or ends before it began`]
      : []
  })
}

// Nothing is caused by a stale token, by a response to another job, or by a fault of our own.
function results(simulation: Simulation): string[] {
  const { nature } = simulation
  return allResults(simulation).flatMap((row) => {
    const where = `${row.uuid.slice(-4)} ${row.slot.toISOString()}`
    const found: string[] = []
    if (row.kind !== 'PING' && row.token !== row.shardToken) found.push(`${where}: stale token`)
    if (row.inMaintenance !== isWithin(nature.maintenance, row.firstAt.getTime()))
      found.push(`${where}: maintenance overlooked`)
    if (row.answeredJobs.some((job, i) => job !== null && job !== row.sentJobs[i]))
      found.push(`${where}: an answer to another job was counted`)
    return found
  })
}

// A deadline is missed only if the last ping before the verdict does not move it, and only after the whole time was
// granted in which a ping could be received. The record of that time is slightly coarser than the truth.
function deadlines(simulation: Simulation): string[] {
  return simulation.monitors.flatMap((monitor) => {
    const allowedMs = ((monitor.expectedPeriodSec ?? 0) + monitor.graceSeconds) * 1000
    let clockMs = 0
    let wrong = 0
    for (const entry of simulation.store.tables.journal) {
      if (entry.uuid !== monitor.uuid) continue
      if (entry.what === 'CREATED' || entry.what === 'RESUMED') clockMs = entry.atMs
      if (entry.what !== 'RESULT') continue
      const { kind, firstAt } = entry.row
      if (kind === 'PING') clockMs = firstAt.getTime()
      if (kind !== 'DEADLINE') continue
      const heardMs = heardBetween(simulation.nature.deaf, clockMs, firstAt.getTime())
      if (heardMs < allowedMs || heardMs > allowedMs + RECEIPT_SLACK_MS) wrong += 1
    }
    return wrong > 0
      ? [
          `${monitor.name}: ${wrong} deadlines fell although a ping or our own downtime had moved them`,
        ]
      : []
  })
}

function heardBetween(deaf: readonly Spell[], fromMs: number, toMs: number): number {
  let heardMs = 0
  let atMs = fromMs
  for (const spell of deaf.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (spell.toMs <= atMs || spell.fromMs >= toMs) continue
    heardMs += Math.max(0, spell.fromMs - atMs)
    atMs = spell.toMs
  }
  return heardMs + Math.max(0, toMs - atMs)
}

// A silent job is sent at most once more, and one with side effects never reaches its target twice.
function jobs({ network }: Simulation): string[] {
  const tooOften = [...network.sends].filter(([, sends]) => sends > MAX_SENDS)
  const twice = network.hits.filter(
    ({ job, isRepeat }) => isRepeat && job.monitor.method === 'POST',
  )
  return [
    ...tooOften.map(([id, sends]) => `job ${id} was sent ${sends} times`),
    ...twice.map(({ job }) => `job ${job.id}: the target saw a POST twice`),
  ]
}

// Every event was received, or its delivery shows every attempt.
function deliveries({ store, received, world }: Simulation): string[] {
  const arrived = new Set(received)
  const { events, deliveries: rows } = store.tables
  const orphans = [...events.keys()].filter((id) => !rows.has(id))
  const wrong = [...rows.values()].flatMap(({ eventId, status, attempts, ...row }) => {
    const isStuck = Math.max(row.nextAttemptMs, row.claimedUntilMs) < world.endMs - SETTLING_MS
    if (status === 'SUCCEEDED' && !arrived.has(eventId)) return [`event ${eventId} never arrived`]
    if (status === 'FAILED' && attempts < MAX_ATTEMPTS) return [`event ${eventId} given up early`]
    return status === 'PENDING' && isStuck ? [`event ${eventId} is stuck`] : []
  })
  return [...orphans.map((id) => `event ${id} has no delivery`), ...wrong]
}

// In the quiet time everything is healthy and nothing breaks: the engine must have noticed.
function endings({ store, world }: Simulation): string[] {
  return [...store.tables.monitors.values()].flatMap(({ timeoutSeconds, ...row }) => {
    const { name, type, position, nextDueAt } = row
    const dueMs = nextDueAt?.getTime() ?? Number.NEGATIVE_INFINITY
    if (type === 'HTTP')
      return dueMs < world.endMs - SETTLING_MS - 2 * timeoutSeconds * 1000
        ? [`${name}: nobody looks at it`]
        : []
    // A job that pings within a millisecond of its deadline may just have missed it.
    const isJustMissed = nextDueAt === null
    return position.state === 'UP' || isJustMissed ? [] : [`${name}: ends ${position.state}`]
  })
}
