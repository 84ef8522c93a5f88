// What a landed check, a pause, a resume and a change do to a monitor's state and its incident.
// Nothing else moves a monitor: scheduled checks, POST /check, pings and deadlines all end up here.
import type { MonitorState } from './monitor.ts'
import type { Verdict } from './verdict.ts'

export type IncidentEffect = 'NONE' | 'OPEN' | 'RESOLVE'

/** `lastSlot`: the newest slot that was folded in. `epoch` counts the changes that make old results void. */
export type MonitorPosition = {
  state: MonitorState
  incidentOpen: boolean
  epoch: number
  lastSlot: Date | null
}

/** `announced`: the change of state is told by `monitor.up`, `monitor.degraded` or `monitor.down`. */
export type StateChange = { state: MonitorState; incident: IncidentEffect; announced: boolean }

const STATE_AFTER = { PASSED: 'UP', SLOW: 'DEGRADED', FAILED: 'DOWN' } as const

export function transition(
  from: Pick<MonitorPosition, 'state' | 'incidentOpen'>,
  verdict: Verdict,
  inMaintenance: boolean,
): StateChange {
  // PAUSED is left by resume alone. INCONCLUSIVE is our own fault and moves nobody.
  if (from.state === 'PAUSED' || verdict === 'INCONCLUSIVE')
    return { state: from.state, incident: 'NONE', announced: false }

  const state = STATE_AFTER[verdict]
  const announced = state !== from.state && !inMaintenance
  return { state, incident: incidentEffect(from.incidentOpen, verdict, inMaintenance), announced }
}

// Decided by the open incident, not by the previous state: a monitor that went down inside a window
// is already DOWN when the window ends, and its next failure must still open an incident.
function incidentEffect(open: boolean, verdict: Verdict, inMaintenance: boolean): IncidentEffect {
  if (verdict === 'FAILED') return open || inMaintenance ? 'NONE' : 'OPEN'
  return open ? 'RESOLVE' : 'NONE'
}

/** `inMaintenance`: its first attempt (CRON: its deadline) lies inside an active window. */
export type JudgedResult = { slot: Date; epoch: number; verdict: Verdict; inMaintenance: boolean }

/**
 * FOLDED drove the monitor. SUPERSEDED belongs to a monitor that has since been paused, resumed or
 * retargeted; LATE is older than what was already folded. Those two are stored and drive nothing.
 */
export type Fate = 'FOLDED' | 'SUPERSEDED' | 'LATE'

export type ResultTransition<R extends JudgedResult> = {
  result: R
  fate: Fate
  from: MonitorPosition
} & StateChange

/** Several results of one monitor, in the order of their slots whatever the order they landed in. */
export function applyAll<R extends JudgedResult>(
  start: MonitorPosition,
  results: readonly R[],
): { position: MonitorPosition; steps: ResultTransition<R>[] } {
  const steps: ResultTransition<R>[] = []
  let position = start
  for (const result of results.toSorted((a, b) => a.slot.getTime() - b.slot.getTime())) {
    const step = applyOne(position, result)
    steps.push(step)
    position = after(step)
  }
  return { position, steps }
}

function applyOne<R extends JudgedResult>(from: MonitorPosition, result: R): ResultTransition<R> {
  const fate = fateOf(from, result)
  const moved =
    fate === 'FOLDED'
      ? transition(from, result.verdict, result.inMaintenance)
      : { state: from.state, incident: 'NONE' as const, announced: false }
  return { result, fate, from, ...moved }
}

function fateOf(from: MonitorPosition, { epoch, slot }: JudgedResult): Fate {
  if (epoch !== from.epoch) return 'SUPERSEDED'
  return from.lastSlot !== null && slot <= from.lastSlot ? 'LATE' : 'FOLDED'
}

function after({
  result,
  fate,
  from,
  state,
  incident,
}: ResultTransition<JudgedResult>): MonitorPosition {
  if (fate !== 'FOLDED') return from
  const incidentOpen = incident === 'NONE' ? from.incidentOpen : incident === 'OPEN'
  return { ...from, state, incidentOpen, lastSlot: result.slot }
}

/** What a person's change does. `resolved` is how an open incident ends with it. */
export type PositionChange = {
  position: MonitorPosition
  resolved?: 'MONITOR_PAUSED' | 'MONITOR_CHANGED' | 'MONITOR_DELETED'
}

/** Pausing a paused monitor changes nothing. */
export function pause(from: MonitorPosition): PositionChange {
  if (from.state === 'PAUSED') return { position: from }
  return ending(from, 'PAUSED', 'MONITOR_PAUSED')
}

/** Resuming a monitor that is not paused changes nothing. */
export function resume(from: MonitorPosition): PositionChange {
  if (from.state !== 'PAUSED') return { position: from }
  return ending(from, 'PENDING', 'MONITOR_PAUSED')
}

/** Another type is another promise: what was known about the old one no longer counts. */
export function changeType(from: MonitorPosition): PositionChange {
  return ending(from, from.state === 'PAUSED' ? 'PAUSED' : 'PENDING', 'MONITOR_CHANGED')
}

/** Another target of the same type: the state stands until the next check, results in flight do not. */
export function retarget(from: MonitorPosition): PositionChange {
  return { position: { ...from, epoch: from.epoch + 1 } }
}

/** The monitor goes; its open incident is told as resolved. */
export function remove(from: MonitorPosition): PositionChange {
  return ending(from, from.state, 'MONITOR_DELETED')
}

function ending(
  from: MonitorPosition,
  state: MonitorState,
  resolution: NonNullable<PositionChange['resolved']>,
): PositionChange {
  const position = { ...from, state, incidentOpen: false, epoch: from.epoch + 1 }
  return from.incidentOpen ? { position, resolved: resolution } : { position }
}
