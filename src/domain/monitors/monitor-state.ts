// What a landed check, a pause, a resume and a change do to a monitor's state and its incident.
// Nothing else moves a monitor: scheduled checks, POST /check, pings and deadlines all end up here.
import type { MonitorState } from './monitor.ts'
import type { Verdict } from './verdict.ts'

export type IncidentEffect = 'NONE' | 'OPEN' | 'RESOLVE'

/** `lastSlot`: the newest slot that was folded in. `epoch` counts the changes that make old results void. */
export type Position = {
  state: MonitorState
  incidentOpen: boolean
  epoch: number
  lastSlot: Date | null
}

/** `announced`: the change of state is told by `monitor.up`, `monitor.degraded` or `monitor.down`. */
export type Transition = { state: MonitorState; incident: IncidentEffect; announced: boolean }

const STATE_AFTER = { PASSED: 'UP', SLOW: 'DEGRADED', FAILED: 'DOWN' } as const

export function transition(
  from: Pick<Position, 'state' | 'incidentOpen'>,
  verdict: Verdict,
  inMaintenance: boolean,
): Transition {
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
export type Landed = { slot: Date; epoch: number; verdict: Verdict; inMaintenance: boolean }

/**
 * FOLDED drove the monitor. SUPERSEDED belongs to a monitor that has since been paused, resumed or
 * retargeted; LATE is older than what was already folded. Those two are stored and drive nothing.
 */
export type Fate = 'FOLDED' | 'SUPERSEDED' | 'LATE'

export type FoldStep<R extends Landed> = { result: R; fate: Fate; from: Position } & Transition

/** Several results of one monitor, in the order of their slots whatever the order they landed in. */
export function fold<R extends Landed>(
  start: Position,
  results: readonly R[],
): { position: Position; steps: FoldStep<R>[] } {
  const steps: FoldStep<R>[] = []
  let position = start
  for (const result of results.toSorted((a, b) => a.slot.getTime() - b.slot.getTime())) {
    const step = foldOne(position, result)
    steps.push(step)
    position = after(step)
  }
  return { position, steps }
}

function foldOne<R extends Landed>(from: Position, result: R): FoldStep<R> {
  const fate = fateOf(from, result)
  const moved =
    fate === 'FOLDED'
      ? transition(from, result.verdict, result.inMaintenance)
      : { state: from.state, incident: 'NONE' as const, announced: false }
  return { result, fate, from, ...moved }
}

function fateOf(from: Position, { epoch, slot }: Landed): Fate {
  if (epoch !== from.epoch) return 'SUPERSEDED'
  return from.lastSlot !== null && slot <= from.lastSlot ? 'LATE' : 'FOLDED'
}

function after({ result, fate, from, state, incident }: FoldStep<Landed>): Position {
  if (fate !== 'FOLDED') return from
  const incidentOpen = incident === 'NONE' ? from.incidentOpen : incident === 'OPEN'
  return { ...from, state, incidentOpen, lastSlot: result.slot }
}

/** What a person's change does. `resolved` is how an open incident ends with it. */
export type Change = {
  position: Position
  resolved?: 'MONITOR_PAUSED' | 'MONITOR_CHANGED' | 'MONITOR_DELETED'
}

/** Pausing a paused monitor changes nothing. */
export function pause(from: Position): Change {
  if (from.state === 'PAUSED') return { position: from }
  return ending(from, 'PAUSED', 'MONITOR_PAUSED')
}

/** Resuming a monitor that is not paused changes nothing. */
export function resume(from: Position): Change {
  if (from.state !== 'PAUSED') return { position: from }
  return ending(from, 'PENDING', 'MONITOR_PAUSED')
}

/** Another type is another promise: what was known about the old one no longer counts. */
export function changeType(from: Position): Change {
  return ending(from, from.state === 'PAUSED' ? 'PAUSED' : 'PENDING', 'MONITOR_CHANGED')
}

/** Another target of the same type: the state stands until the next check, results in flight do not. */
export function retarget(from: Position): Change {
  return { position: { ...from, epoch: from.epoch + 1 } }
}

/** The monitor goes; its open incident is told as resolved. */
export function remove(from: Position): Change {
  return ending(from, from.state, 'MONITOR_DELETED')
}

function ending(
  from: Position,
  state: MonitorState,
  resolution: NonNullable<Change['resolved']>,
): Change {
  const position = { ...from, state, incidentOpen: false, epoch: from.epoch + 1 }
  return from.incidentOpen ? { position, resolved: resolution } : { position }
}
