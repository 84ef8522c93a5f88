// Which of a monitor's and its incident's states of alerting is a warning.
import type { Alerting, IncidentAlerting } from '../../../src/domain/alerts/alerting-state.ts'

type Silent = Exclude<IncidentAlerting, 'ON' | 'ALERTED' | 'ACKNOWLEDGED'>

/** Nobody learned about it, and nobody will. */
export const isSilent = (alerting: IncidentAlerting): alerting is Silent =>
  alerting !== 'ON' && alerting !== 'ALERTED' && alerting !== 'ACKNOWLEDGED'

type OfMonitor = { alerting: Alerting; incidentAlerting: IncidentAlerting | null }

/** What a monitor's page warns of: the outage that nobody was alerted about, or else the next one. */
export const warningOf = ({ alerting, incidentAlerting }: OfMonitor) =>
  incidentAlerting !== null && isSilent(incidentAlerting)
    ? { alerting: incidentAlerting, isOutage: true }
    : { alerting, isOutage: false }
