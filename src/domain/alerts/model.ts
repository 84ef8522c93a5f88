// The types of alert planning: conditions, contacts, notifications and messages.
import type { AlertKind } from './alert.ts'
import type { ContactChannel } from './channels.ts'
import type { QuietHours } from './quiet-hours.ts'

export type Notification = {
  conditionUuid: string
  contactUuid: string
  thread: string
  toldAt: Date
  remindedAt: Date | null
  endToldAt: Date | null
}
export type AlertMessage = {
  contactUuid: string
  kind: AlertKind
  thread: string
  /** The conditions it reports. A partial recovery also lists those still open. */
  conditionUuids: readonly string[]
  openUuids: readonly string[]
  /** The step of an escalation that it is sent by. */
  escalated?: EscalatedContact
}

/** A contact that is alerted if nobody acknowledges in time. */
export type EscalatedContact = { contactUuid: string; step: number; afterMinutes: number }

export const ALERT_STATES = [
  'DOWN',
  'DEGRADED',
  'RECOVERED',
  'EXPIRING',
  'DNS_CHANGED',
  'WEBHOOK_FAILING',
] as const
export type AlertState = (typeof ALERT_STATES)[number]
export type AlertConditionKind = Exclude<AlertState, 'RECOVERED'>
export type AlertRules = {
  states: readonly AlertState[]
  delayMinutes: number
  reminderMinutes: number | null
  quiet: QuietHours | null
}
/** Something contacts may be notified of. */
export type AlertCondition = {
  uuid: string
  kind: AlertConditionKind
  /** For WEBHOOK_FAILING, the UUID of the endpoint. */
  monitorUuid: string
  host: string | null
  noticedAt: Date
  endedAt: Date | null
  /** Null if unknown. */
  resolution: string | null
  acknowledgedAt: Date | null
  /** In a maintenance window: the first alert and reminders wait. */
  isSilent: boolean
  /** Other monitors of its host have not been checked since, and may be down too. */
  awaitsHost: boolean
  /** Set if it began while its region's own network may have been down: all of one doubt are one message. */
  doubt?: ConditionDoubt | null
  contactUuids: readonly string[]
  /** Who follows without an acknowledgement. Only for outages. */
  escalation: readonly EscalatedContact[]
}

type ConditionDoubt = {
  uuid: string
  /** The network has not passed yet, or the monitor has not been checked since it did. */
  isOpen: boolean
}

export type Contact = {
  uuid: string
  channel: ContactChannel
  enabled: boolean
  rules: AlertRules
}
