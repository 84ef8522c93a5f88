// Transactions: the results of checks, and the changes people make. Every function here runs inside one transaction and
// decides only through the domain.
import { heartbeatDueAt, startClock } from '../../src/domain/monitors/heartbeat.ts'
import {
  applyVerdict,
  type Fate,
  type JudgedResult,
  type MonitorPosition,
  type PositionChange,
  pause,
  type ResultTransition,
  remove,
  resume,
  retarget,
} from '../../src/domain/monitors/monitor-state.ts'
import {
  afterCheck,
  catchUp,
  type MissedRange,
  shardOf,
  voidKeepsSlot,
} from '../../src/domain/monitors/schedule.ts'
import type { RegionProof } from '../../src/domain/regions/reach.ts'
import { writeProofs } from './proofs.ts'
import {
  type MonitorRow,
  Refused,
  type ReportedAttempt,
  type ResultKind,
  type ResultRow,
  resultKey,
  type Tx,
} from './store.ts'
import type { World } from './world.ts'

export const SHARDS = 16

export type SimResult = JudgedResult & {
  uuid: string
  kind: ResultKind
  firstAt: Date
  failedSince: Date
  endedAt: Date
  sentJobs: readonly string[]
  answeredJobs: readonly (string | null)[]
  sampled: boolean
  attempts: readonly ReportedAttempt[]
  reason: string | null
  readAt: number
  beganMs: number
  /** What regions learned with it. */
  proofs: readonly RegionProof[]
  /** The scheduler's snapshot of the monitor when it sent the check. */
  positionThen: MonitorPosition
  /** The epoch it was sent in, as stored in the row. */
  sentEpoch: number
}

export function shardKey(uuid: string): number {
  return shardOf(uuid) % SHARDS
}

/** `record-results`: checks the token, applies results in order of arrival, and writes everything that follows. */
export function applyResults(
  world: World,
  tx: Tx,
  token: number,
  results: readonly SimResult[],
): void {
  for (const { uuid } of results)
    if (tx.tables.shards.get(shardKey(uuid)) !== token && world.guards('fencing'))
      throw new Refused(`shard of ${uuid.slice(-4)} belongs to another lease`)

  for (const [uuid, own] of Map.groupBy(results, (result) => result.uuid)) {
    const row = tx.tables.monitors.get(uuid)
    if (row === undefined) continue // deleted meanwhile: discarded
    const fresh = own.filter((result) => isFresh(world, tx, row, result))
    const start = world.guards('state-lock')
      ? row.position
      : (fresh[0]?.positionThen ?? row.position)
    applyInOrder(world, tx, { row, start, results: fresh, token })
    for (const result of own) advance(world, tx, result)
  }
}

function isFresh(world: World, tx: Tx, row: MonitorRow, result: SimResult): boolean {
  const isVoid = result.sentEpoch !== row.position.epoch
  if (isVoid && !voidKeepsSlot(result.slot, row.nextDueAt) && world.guards('void-slot'))
    return false
  return !world.guards('slot-unique') || !isSettled(tx, result)
}

// A slot is recorded as a row, or inside a missed range.
function isSettled(tx: Tx, { uuid, slot }: SimResult): boolean {
  if (tx.tables.results.has(resultKey(uuid, slot))) return true
  const ranges = tx.tables.missed.get(uuid) ?? []
  return ranges.some(({ fromSlot, toSlot }) => fromSlot <= slot && slot <= toSlot)
}

type FreshResults = {
  row: MonitorRow
  start: MonitorPosition
  results: readonly SimResult[]
  token: number | null
}

export function applyInOrder(
  world: World,
  tx: Tx,
  { row, start, results, token }: FreshResults,
): void {
  let position = start
  let { incidentId, lastCheckedAt, changedAt } = row
  for (const result of results) {
    const epoch = world.guards('epoch') ? result.sentEpoch : start.epoch
    const step = applyVerdict(position, { ...result, epoch })
    const context = { row, from: position, incidentId, token }
    incidentId = writeTransition(world, tx, context, { result, step })
    if (step.fate === 'FOLDED') writeProofs(tx, row.uuid, result.proofs)
    if (step.position.state !== position.state) changedAt = result.endedAt
    if (step.fate === 'FOLDED' && result.verdict !== 'INCONCLUSIVE') lastCheckedAt = result.endedAt
    position = step.position
  }
  const before = tx.tables.monitors.get(row.uuid) ?? row
  tx.put(tx.tables.monitors, row.uuid, {
    ...before,
    position,
    incidentId,
    lastCheckedAt,
    changedAt,
  })
}

type TransitionContext = {
  row: MonitorRow
  from: MonitorPosition
  incidentId: number | null
  token: number | null
}

function writeTransition(
  world: World,
  tx: Tx,
  context: TransitionContext,
  { result, step }: { result: SimResult; step: ResultTransition },
) {
  const { fate, incident, announced } = step
  const { state } = step.position
  const { from } = context
  const { uuid, slot } = result
  const { name } = context.row
  writeResult(tx, result, fate, context.token)
  const why = result.reason === null ? '' : ` (${result.reason})`
  const asked = result.attempts.map(({ region, outcome }) => `${region} ${outcome}`).join(', ')
  const what = `${result.kind} ${slot.toISOString()} ${result.verdict}${why} ${fate}`
  world.log('store', `${name} ${what}, asked: ${asked}`)
  if (announced) emit(tx, uuid, `monitor.${state.toLowerCase()}`)
  if (state !== from.state || incident !== 'NONE') {
    tx.append({ atMs: tx.nowMs, uuid, what: 'MOVED', from: from.state, to: state, incident })
    world.log('store', `${name} ${from.state} -> ${state}, incident ${incident}`)
  }
  if (incident === 'OPEN') return openIncident(tx, uuid, result.failedSince)
  if (incident === 'RESOLVE') return resolveIncident(tx, context.incidentId, result.endedAt)
  return context.incidentId
}

function writeResult(tx: Tx, result: SimResult, fate: Fate, token: number | null): void {
  const { uuid, slot, kind, verdict } = result
  const shardToken = tx.tables.shards.get(shardKey(uuid)) ?? null
  const { inMaintenance, firstAt, sentJobs, answeredJobs, sampled } = result
  const { attempts, reason, readAt, beganMs } = result
  const how = { attempts, reason, readAt, beganMs }
  const seen = { inMaintenance, firstAt, sentJobs, answeredJobs, sampled, ...how }
  const epoch = result.sentEpoch
  const row: ResultRow = { uuid, slot, kind, verdict, epoch, fate, ...seen, token, shardToken }
  tx.put(tx.tables.results, resultKey(uuid, slot), row)
  tx.append({ atMs: tx.nowMs, uuid, what: 'RESULT', row })
}

function openIncident(tx: Tx, uuid: string, startedAt: Date): number {
  const id = tx.nextNumber('incident')
  tx.put(tx.tables.incidents, id, { id, uuid, startedAt, resolvedAt: null })
  emit(tx, uuid, 'incident.opened')
  return id
}

function resolveIncident(tx: Tx, id: number | null, resolvedAt: Date): null {
  const incident = id === null ? undefined : tx.tables.incidents.get(id)
  if (incident === undefined) return null
  tx.put(tx.tables.incidents, incident.id, { ...incident, resolvedAt })
  emit(tx, incident.uuid, 'incident.resolved')
  return null
}

// The event and its delivery, in the transaction of the change.
function emit(tx: Tx, uuid: string, type: string): void {
  const id = tx.nextNumber('event')
  tx.put(tx.tables.events, id, { id, uuid, type })
  const delivery = { eventId: id, status: 'PENDING' as const, attempts: 0, claimedUntilMs: 0 }
  tx.put(tx.tables.deliveries, id, { ...delivery, nextAttemptMs: tx.nowMs })
}

// Only the result of a slot advances the schedule, and only if the slot is still the next one.
function advance(world: World, tx: Tx, result: SimResult): void {
  const row = tx.tables.monitors.get(result.uuid)
  if (row?.nextDueAt == null || result.kind !== 'SCHEDULED') return
  if (result.sentEpoch !== row.position.epoch || result.slot < row.nextDueAt) return
  const { missed } = catchUp(row, row.nextDueAt, result.slot)
  const { nextDueAt, overlapped } = afterCheck(row, result)
  if (missed && world.guards('missed-range')) writeMissed(tx, row.uuid, missed, 'ENGINE_DOWN')
  if (overlapped) writeMissed(tx, row.uuid, overlapped, 'OVERLAP')
  tx.put(tx.tables.monitors, row.uuid, { ...row, nextDueAt })
}

function writeMissed(tx: Tx, uuid: string, range: MissedRange, reason: string): void {
  const before = tx.tables.missed.get(uuid) ?? []
  tx.put(tx.tables.missed, uuid, [...before, { uuid, ...range, reason }])
}

export function createMonitor(
  tx: Tx,
  row: Omit<
    MonitorRow,
    'position' | 'nextDueAt' | 'clock' | 'incidentId' | 'targetNo' | 'lastCheckedAt' | 'changedAt'
  >,
): void {
  const now = new Date(tx.nowMs)
  const position: MonitorPosition = {
    state: 'PENDING',
    incidentOpen: false,
    epoch: 1,
    lastSlot: null,
  }
  const clock = row.type === 'CRON' ? startClock(now) : null
  const nextDueAt = clock === null ? now : heartbeatDueAt(row, clock)
  const begun = {
    position,
    clock,
    nextDueAt,
    incidentId: null,
    targetNo: 1,
    lastCheckedAt: null,
    changedAt: now,
  }
  tx.put(tx.tables.monitors, row.uuid, { ...row, ...begun })
  tx.append({ atMs: tx.nowMs, uuid: row.uuid, what: 'CREATED' })
}

const CHANGES = { PAUSED: pause, RESUMED: resume, RETARGETED: retarget, DELETED: remove } as const
export type ChangeName = keyof typeof CHANGES

/** A person's change: applies to the monitor immediately and voids what is still in flight. */
export function changeMonitor(tx: Tx, uuid: string, name: ChangeName): void {
  const row = tx.tables.monitors.get(uuid)
  if (row === undefined) return
  const { resolution, state, epoch }: PositionChange = CHANGES[name](row.position)
  if (epoch === row.position.epoch) return
  writeOffDue(tx, row)
  tx.append({ atMs: tx.nowMs, uuid, what: name })
  const now = new Date(tx.nowMs)
  const incidentId = resolution ? resolveIncident(tx, row.incidentId, now) : row.incidentId
  const clock = row.clock && name === 'RESUMED' ? startClock(now) : row.clock
  const next = clock === null ? now : heartbeatDueAt(row, clock)
  const nextDueAt = state === 'PAUSED' ? null : next
  if (name === 'DELETED' || name === 'RETARGETED') tx.remove(tx.tables.proofs, uuid)
  if (name === 'DELETED') return tx.remove(tx.tables.monitors, uuid)
  tx.put(tx.tables.monitors, uuid, {
    ...row,
    targetNo: row.targetNo + Number(name === 'RETARGETED'),
    position: { ...row.position, state, epoch, incidentOpen: incidentId !== null },
    incidentId,
    clock,
    nextDueAt,
    changedAt: now,
  })
}

// Slots that were due before the change and will not be checked anymore. The newest may be in flight: it is left to its
// own result, which will be SUPERSEDED.
function writeOffDue(tx: Tx, row: MonitorRow): void {
  if (row.type === 'CRON' || row.nextDueAt === null || row.nextDueAt.getTime() > tx.nowMs) return
  const { missed } = catchUp(row, row.nextDueAt, new Date(tx.nowMs))
  if (missed) writeMissed(tx, row.uuid, missed, 'ENGINE_DOWN')
}
