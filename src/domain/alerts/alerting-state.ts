/** Whether an outage of a monitor would alert anyone, and if not, why. MIXED: its contacts have different reasons. */
export const ALERTING = [
  'ON',
  'NO_CONTACTS',
  'CONTACTS_OFF',
  'UNCONFIRMED',
  'NO_DEVICE',
  'NOT_FOR_OUTAGES',
  'MIXED',
] as const
export type Alerting = (typeof ALERTING)[number]

/**
 * The same of one incident, which alerts only the contacts that its monitor had when it began. ALERTED: someone was;
 * ACKNOWLEDGED: only its escalation would have alerted, and that has ended.
 */
export const INCIDENT_ALERTING = [...ALERTING, 'ALERTED', 'ADDED_LATER', 'ACKNOWLEDGED'] as const
export type IncidentAlerting = (typeof INCIDENT_ALERTING)[number]
