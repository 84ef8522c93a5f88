/** Whether an alert about a monitor would reach anyone, and if not, why. */
export const ALERTING = ['ON', 'CONTACTS_OFF', 'NO_CONTACTS'] as const
export type Alerting = (typeof ALERTING)[number]
