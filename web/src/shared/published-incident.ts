// What a published incident is called, and the state it shows.
import type { AffectedState } from '../../../src/domain/status-pages/page-state.ts'
import {
  IMPACTS,
  type Impact,
  type StatusIncidentStatus,
} from '../../../src/domain/status-pages/status-incident.ts'
import { publishedLabels } from '../messages/publishing/incidents.ts'

export const STATUS_LABELS: Record<StatusIncidentStatus, string> = publishedLabels.statuses
export const IMPACT_LABELS: Record<Impact, string> = publishedLabels.impacts

const BADNESS: readonly AffectedState[] = [
  'OPERATIONAL',
  'DEGRADED',
  'PARTIAL_OUTAGE',
  'MAJOR_OUTAGE',
]
const BY_IMPACT: Record<Impact, AffectedState> = {
  NONE: 'OPERATIONAL',
  MINOR: 'DEGRADED',
  MAJOR: 'PARTIAL_OUTAGE',
  CRITICAL: 'MAJOR_OUTAGE',
}

type Shown = {
  status: StatusIncidentStatus
  impact: Impact
  components: readonly { state: AffectedState }[]
}

/** What it is or was for visitors, by the same scale as components. */
export function severityLabel({ impact, components }: Omit<Shown, 'status'>): string {
  const state = stateOfIncident({ status: 'INVESTIGATING', impact, components })
  const [named] = IMPACTS.filter((one) => BY_IMPACT[one] === state)
  return IMPACT_LABELS[named ?? impact]
}

/** The state of the worst component, or else the author's impact. A resolved incident is operational. */
export function stateOfIncident({ status, impact, components }: Shown): AffectedState {
  if (status === 'RESOLVED') return 'OPERATIONAL'
  const worst = Math.max(0, ...components.map(({ state }) => BADNESS.indexOf(state)))
  return worst === 0 ? BY_IMPACT[impact] : (BADNESS[worst] ?? 'OPERATIONAL')
}
