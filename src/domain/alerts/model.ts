import type { AlertKind } from './alert.ts'
import type { ContactChannel } from './channels.ts'
import type { QuietHours } from './quiet-hours.ts'

export type Notification = {
  troubleUuid: string
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
  /** What it tells of; of a partial end also what goes on. */
  troubleUuids: readonly string[]
  openUuids: readonly string[]
}

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
/** Something contacts may be told of. */

export type AlertCondition = {
  uuid: string
  kind: AlertConditionKind
  /** Of WEBHOOK_FAILING the endpoint's. */
  monitorUuid: string
  host: string | null
  noticedAt: Date
  endedAt: Date | null
  /** How it ended, where that is known. */
  resolution: string | null
  acknowledgedAt: Date | null
  /** In a maintenance window: its beginning waits, and so do reminders. */
  isSilent: boolean
  /** Other monitors of its host have not been looked at since: they may be down too. */
  awaitsHost: boolean
  contactUuids: readonly string[]
}

export type Contact = {
  uuid: string
  channel: ContactChannel
  enabled: boolean
  rules: AlertRules
}
