// What visitors of a status page see: the state of each component, and the state of the page derived from them.
import type { MonitorState } from '../monitors/monitor.ts'

export const COMPONENT_STATES = [
  'OPERATIONAL',
  'DEGRADED',
  'PARTIAL_OUTAGE',
  'MAJOR_OUTAGE',
  'MAINTENANCE',
  'UNKNOWN',
] as const
export type ComponentState = (typeof COMPONENT_STATES)[number]

/** The states a published incident may report for a component. */
export const AFFECTED_STATES = [
  'OPERATIONAL',
  'DEGRADED',
  'PARTIAL_OUTAGE',
  'MAJOR_OUTAGE',
] as const
export type AffectedState = (typeof AFFECTED_STATES)[number]

export type ComponentSources = {
  /** Null without a monitor. */
  monitorState: MonitorState | null
  /** Whether a maintenance window covers the monitor now. */
  inWindow: boolean
  /** The state set by hand for a component without a monitor; null if none was set. */
  manualState: ComponentState | null
  /** States reported by unresolved published incidents. */
  incidentStates: readonly AffectedState[]
}

const STATE_OF: Record<MonitorState, ComponentState> = {
  UP: 'OPERATIONAL',
  DEGRADED: 'DEGRADED',
  DOWN: 'MAJOR_OUTAGE',
  PENDING: 'UNKNOWN',
  PAUSED: 'UNKNOWN',
}

// OPERATIONAL ranks lowest, so an incident that reports it never changes a component's state.
const BADNESS: Record<ComponentState, number> = {
  UNKNOWN: 0,
  OPERATIONAL: 0,
  MAINTENANCE: 1,
  DEGRADED: 2,
  PARTIAL_OUTAGE: 3,
  MAJOR_OUTAGE: 4,
}

export function componentState(sources: ComponentSources): ComponentState {
  return sources.incidentStates.reduce<ComponentState>(
    (worst, state) => (BADNESS[state] > BADNESS[worst] ? state : worst),
    ownState(sources),
  )
}

function ownState({ monitorState, inWindow, manualState }: ComponentSources): ComponentState {
  if (monitorState === null) return manualState ?? 'OPERATIONAL'
  return inWindow ? 'MAINTENANCE' : STATE_OF[monitorState]
}

export function pageState(states: readonly ComponentState[]): ComponentState {
  const known = states.filter((state) => state !== 'UNKNOWN')
  if (known.length === 0) return 'UNKNOWN'
  if (known.every((state) => state === 'MAJOR_OUTAGE')) return 'MAJOR_OUTAGE'
  if (known.some((state) => BADNESS[state] >= BADNESS.PARTIAL_OUTAGE)) return 'PARTIAL_OUTAGE'
  if (known.includes('DEGRADED')) return 'DEGRADED'
  return known.includes('MAINTENANCE') ? 'MAINTENANCE' : 'OPERATIONAL'
}
