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
type StateChange = { state: MonitorState; incident: IncidentEffect; announced: boolean }

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

/** What a result does. `position` is the monitor's afterwards. */
export type ResultTransition = {
  fate: Fate
  position: MonitorPosition
  incident: IncidentEffect
  announced: boolean
}

export function applyVerdict(from: MonitorPosition, result: JudgedResult): ResultTransition {
  const fate = fateOf(from, result)
  if (fate !== 'FOLDED') return { fate, position: from, incident: 'NONE', announced: false }
  const { state, incident, announced } = transition(from, result.verdict, result.inMaintenance)
  const incidentOpen = incident === 'NONE' ? from.incidentOpen : incident === 'OPEN'
  return {
    fate,
    position: { ...from, state, incidentOpen, lastSlot: result.slot },
    incident,
    announced,
  }
}

function fateOf(from: MonitorPosition, { epoch, slot }: JudgedResult): Fate {
  if (epoch !== from.epoch) return 'SUPERSEDED'
  return from.lastSlot !== null && slot <= from.lastSlot ? 'LATE' : 'FOLDED'
}

/** The changes that end an incident, as its resolution names them. */
export type ChangeResolution = 'MONITOR_PAUSED' | 'MONITOR_CHANGED' | 'MONITOR_DELETED'

type Position = Pick<MonitorPosition, 'state' | 'epoch'>

/** The effect of a user's change. An open incident ends with its `resolution`; if that is null, it stays open. */
export type PositionChange<R = ChangeResolution | null> = Position & { resolution: R }

/** Pausing a paused monitor changes nothing. */
export function pause({ state, epoch }: Position): PositionChange<'MONITOR_PAUSED' | null> {
  if (state === 'PAUSED') return { state, epoch, resolution: null }
  return { state: 'PAUSED', epoch: epoch + 1, resolution: 'MONITOR_PAUSED' }
}

/** Resuming a monitor that is not paused changes nothing. A paused one has no open incident. */
export function resume({ state, epoch }: Position): PositionChange<null> {
  if (state !== 'PAUSED') return { state, epoch, resolution: null }
  return { state: 'PENDING', epoch: epoch + 1, resolution: null }
}

/** A different type measures something else, so earlier results no longer count. */
export function changeType({ state, epoch }: Position): PositionChange<'MONITOR_CHANGED'> {
  const next = state === 'PAUSED' ? 'PAUSED' : 'PENDING'
  return { state: next, epoch: epoch + 1, resolution: 'MONITOR_CHANGED' }
}

/** A new target of the same type: the state stays until the next check, but results in flight are void. */
export function retarget({ state, epoch }: Position): PositionChange<null> {
  return { state, epoch: epoch + 1, resolution: null }
}

/** The monitor is deleted; its open incident is reported as resolved. */
export function remove({ state, epoch }: Position): PositionChange<'MONITOR_DELETED'> {
  return { state, epoch: epoch + 1, resolution: 'MONITOR_DELETED' }
}
