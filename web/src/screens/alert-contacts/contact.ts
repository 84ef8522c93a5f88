// How contacts are labeled.
import { CHANNELS } from '../../../../src/domain/alerts/channels.ts'
import type { ItemOf } from '../../api/contract.ts'
import { contactsText as TEXT } from '../../messages/connections/contacts.ts'
import { plural } from '../../time/figures.ts'
import type { State } from '../../ui/state.tsx'

export type ContactView = ItemOf<'GET /alert-contacts'>
type ContactAlertState = ContactView['states'][number]

export const STATE_LABELS: Record<ContactAlertState, string> = TEXT.states
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
    return { state: 'PENDING', word: TEXT.status.unconfirmed, at: contact.confirmationSentAt }
  if (!enabled) return { state: 'PAUSED', word: TEXT.status.off, at: null }
  if (givenUp) return { state: 'DOWN', word: TEXT.status.givenUp, at: lastFailureAt }
  if (failingSince !== null) return { state: 'DOWN', word: TEXT.status.failing, at: lastFailureAt }
  if (lastSuccessAt !== null) return { state: 'UP', word: TEXT.status.delivered, at: lastSuccessAt }
  return { state: 'UNKNOWN', word: TEXT.status.nothing, at: null }
}

export const delayLabel = (minutes: number): string =>
  minutes === 0 ? TEXT.immediately : TEXT.after({ minutes })

export function reminderLabel(minutes: number | null): string {
  if (minutes === null) return TEXT.noReminder
  return minutes % 60 === 0
    ? TEXT.everyHours({ hours: minutes / 60 })
    : TEXT.everyMinutes({ minutes })
}
