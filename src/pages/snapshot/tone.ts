// Maps a state to one of five tones: its color, its mark and its bar.
import type { ComponentState } from '../../domain/status-pages/page-state.ts'
import type { Impact } from '../../domain/status-pages/status-incident.ts'

export type StateTone = 'up' | 'degraded' | 'down' | 'maint' | 'none'

const TONES: Readonly<Record<ComponentState, StateTone>> = {
  OPERATIONAL: 'up',
  DEGRADED: 'degraded',
  PARTIAL_OUTAGE: 'down',
  MAJOR_OUTAGE: 'down',
  MAINTENANCE: 'maint',
  UNKNOWN: 'none',
}
const BADNESS: readonly ComponentState[] = [
  'UNKNOWN',
  'OPERATIONAL',
  'MAINTENANCE',
  'DEGRADED',
  'PARTIAL_OUTAGE',
  'MAJOR_OUTAGE',
]
const BY_IMPACT: Readonly<Record<Impact, ComponentState>> = {
  NONE: 'OPERATIONAL',
  MINOR: 'DEGRADED',
  MAJOR: 'PARTIAL_OUTAGE',
  CRITICAL: 'MAJOR_OUTAGE',
}

export const toneOf = (state: ComponentState): StateTone => TONES[state]

export function worse<S extends ComponentState>(a: S, b: S): S {
  return BADNESS.indexOf(b) > BADNESS.indexOf(a) ? b : a
}

export const isBad = (state: ComponentState): boolean =>
  BADNESS.indexOf(state) >= BADNESS.indexOf('DEGRADED')

/** The state that an incident shows: the worst of its components, or else the one of its impact. */
export function stateOfIncident(incident: {
  impact: Impact
  components: readonly { state: ComponentState }[]
}): ComponentState {
  const worst = incident.components.reduce<ComponentState>(
    (sofar, { state }) => worse(sofar, state),
    'UNKNOWN',
  )
  return isBad(worst) ? worst : BY_IMPACT[incident.impact]
}
