// How contacts are labeled.
import { CHANNELS } from '../../../../src/domain/alerts/channels.ts'
import type { ItemOf } from '../../api/contract.ts'
import { plural } from '../../time/figures.ts'
import type { State } from '../../ui/state.tsx'

export type ContactView = ItemOf<'GET /alert-contacts'>
type ContactAlertState = ContactView['states'][number]

export const STATE_LABELS: Record<ContactAlertState, string> = {
  DOWN: 'Down',
  DEGRADED: 'Degraded',
  RECOVERED: 'Up again',
  EXPIRING: 'Certificate or domain expires',
  DNS_CHANGED: 'DNS changed',
  WEBHOOK_FAILING: 'Webhook endpoint fails',
}
export const ALERT_STATES = Object.keys(STATE_LABELS) as ContactAlertState[]

/** Distinguishes contacts of one channel: by the address, or by the last characters of the secret. */
export function describeContact({ channel, settings, devices }: ContactView): string {
  const { label, fields } = CHANNELS[channel]
  if (devices !== null) return `${label}, ${plural(devices, 'device')}`
  const values = Object.keys(fields).map((name) => settings[name] ?? '')
  const [first = ''] = values.filter((value) => value !== '')
  return `${label}, ${first}`
}

/** Whether the last message arrived. */
export function appearanceOfContact(contact: ContactView): {
  state: State
  word: string
  at: string | null
} {
  const { enabled, givenUp, failingSince, lastFailureAt, lastSuccessAt } = contact
  if (!contact.confirmed)
    return { state: 'PENDING', word: 'Unconfirmed', at: contact.confirmationSentAt }
  if (!enabled) return { state: 'PAUSED', word: 'Switched off', at: null }
  if (givenUp) return { state: 'DOWN', word: 'Given up', at: lastFailureAt }
  if (failingSince !== null) return { state: 'DOWN', word: 'Not delivered', at: lastFailureAt }
  if (lastSuccessAt !== null) return { state: 'UP', word: 'Delivered', at: lastSuccessAt }
  return { state: 'UNKNOWN', word: 'Nothing sent yet', at: null }
}

export const delayLabel = (minutes: number): string =>
  minutes === 0 ? 'At once' : `After ${minutes} min`

export function reminderLabel(minutes: number | null): string {
  if (minutes === null) return 'no reminder'
  return minutes % 60 === 0 ? `every ${minutes / 60} h` : `every ${minutes} min`
}
