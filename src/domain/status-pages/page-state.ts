// What readers of a status page see: the state of one component, and of the page from all of them.
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

/** What a published incident may say of a component. */
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
  /** Whether a window covers the monitor now. */
  inWindow: boolean
  /** What people set for a component without a monitor; null: nothing. */
  manualState: ComponentState | null
  /** What published incidents that are not resolved say of it. */
  incidentStates: readonly AffectedState[]
}

const STATE_OF: Record<MonitorState, ComponentState> = {
  UP: 'OPERATIONAL',
  DEGRADED: 'DEGRADED',
  DOWN: 'MAJOR_OUTAGE',
  PENDING: 'UNKNOWN',
  PAUSED: 'UNKNOWN',
}

// An incident that calls a component OPERATIONAL says nothing that would be worse than anything.
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
