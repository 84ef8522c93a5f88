// What a check result, a pause, a resume and a change do to a monitor's state and its incident. Nothing else changes
// them: scheduled checks, POST /check, pings and deadlines all end up here.
import type { MonitorState } from './monitor.ts'
import type { Verdict } from './verdict.ts'

export type IncidentEffect = 'NONE' | 'OPEN' | 'RESOLVE'

/** `lastSlot`: the newest slot applied. `epoch` counts the changes that invalidate older results. */
export type MonitorPosition = {
  state: MonitorState
  incidentOpen: boolean
  epoch: number
  lastSlot: Date | null
}

/** `announced`: the change is published as `monitor.up`, `monitor.degraded` or `monitor.down`. */
export type StateChange = { state: MonitorState; incident: IncidentEffect; announced: boolean }

const STATE_AFTER = { PASSED: 'UP', SLOW: 'DEGRADED', FAILED: 'DOWN' } as const

export function transition(
  from: Pick<MonitorPosition, 'state' | 'incidentOpen'>,
  verdict: Verdict,
  inMaintenance: boolean,
): StateChange {
  // Only resume leaves PAUSED. INCONCLUSIVE is our own fault and changes nothing.
  if (from.state === 'PAUSED' || verdict === 'INCONCLUSIVE')
    return { state: from.state, incident: 'NONE', announced: false }

  const state = STATE_AFTER[verdict]
  const announced = state !== from.state && !inMaintenance
  return { state, incident: incidentEffect(from.incidentOpen, verdict, inMaintenance), announced }
}

// Depends on the open incident, not on the previous state: a monitor that went down in a maintenance window is already
// DOWN when the window ends, and its next failure must still open an incident.
function incidentEffect(open: boolean, verdict: Verdict, inMaintenance: boolean): IncidentEffect {
  if (verdict === 'FAILED') return open || inMaintenance ? 'NONE' : 'OPEN'
  return open ? 'RESOLVE' : 'NONE'
}

/** `inMaintenance`: its first attempt (CRON: its deadline) lies inside an active window. */
export type JudgedResult = { slot: Date; epoch: number; verdict: Verdict; inMaintenance: boolean }

/**
 * FOLDED was applied. SUPERSEDED belongs to a monitor that was paused, resumed or retargeted since; LATE is older than
 * a result already applied. Those two are stored but change nothing.
 */
export type Fate = 'FOLDED' | 'SUPERSEDED' | 'LATE'

export type ResultTransition<R extends JudgedResult> = {
  result: R
  fate: Fate
  from: MonitorPosition
} & StateChange

/** Applies several results of one monitor in the order of their slots, whatever order they arrived in. */
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

/** The effect of a user's change. `resolved` is how an open incident ends with it. */
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

/** A different type measures something else, so earlier results no longer count. */
export function changeType(from: MonitorPosition): PositionChange {
  return ending(from, from.state === 'PAUSED' ? 'PAUSED' : 'PENDING', 'MONITOR_CHANGED')
}

/** A new target of the same type: the state stays until the next check, but results in flight are void. */
export function retarget(from: MonitorPosition): PositionChange {
  return { position: { ...from, epoch: from.epoch + 1 } }
}

/** The monitor is deleted; its open incident is reported as resolved. */
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
