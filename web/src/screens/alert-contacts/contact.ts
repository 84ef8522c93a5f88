// Alert channels with their settings, and labels of contacts.
import {
  Bell,
  BellRing,
  Hash,
  type LucideIcon,
  Mail,
  MessageSquare,
  Send,
  Siren,
  Webhook,
} from 'lucide-react'
import type { ItemOf } from '../../api/contract.ts'
import type { State } from '../../ui/state.tsx'

export type ContactView = ItemOf<'GET /alert-contacts'>
export type ContactChannelName = ContactView['channel']
type ContactAlertState = ContactView['states'][number]

type FieldSpec = {
  name: string
  label: string
  hint?: string
  type?: 'url' | 'email'
  optional?: boolean
  /** A choice of these instead of free text. */
  options?: readonly string[]
}
type ChannelSpec = { word: string; icon: LucideIcon; fields: readonly FieldSpec[] }

const hook = (hint: string): FieldSpec[] => [
  { name: 'url', label: 'Webhook address', type: 'url', hint },
]

/** Each channel with the settings the server requires. */
export const CHANNELS: Record<ContactChannelName, ChannelSpec> = {
  EMAIL: {
    word: 'E-mail',
    icon: Mail,
    fields: [{ name: 'address', label: 'Address', type: 'email' }],
  },
  SLACK: {
    word: 'Slack',
    icon: Hash,
    fields: hook('Slack, Apps, Incoming Webhooks: copy the address of a channel.'),
  },
  DISCORD: {
    word: 'Discord',
    icon: MessageSquare,
    fields: hook('Channel settings, Integrations, Webhooks: copy the address.'),
  },
  TEAMS: {
    word: 'Microsoft Teams',
    icon: MessageSquare,
    fields: hook('A workflow of the channel that posts what it receives: copy its address.'),
  },
  TELEGRAM: {
    word: 'Telegram',
    icon: Send,
    fields: [
      { name: 'botToken', label: 'Bot token', hint: 'From @BotFather.' },
      { name: 'chatId', label: 'Chat id', hint: 'The bot has to be a member of that chat.' },
    ],
  },
  GOOGLE_CHAT: {
    word: 'Google Chat',
    icon: MessageSquare,
    fields: hook('Space, Apps and integrations, Webhooks: copy the address.'),
  },
  PAGERDUTY: {
    word: 'PagerDuty',
    icon: Siren,
    fields: [{ name: 'routingKey', label: 'Integration key', hint: 'Of an Events API v2.' }],
  },
  OPSGENIE: {
    word: 'Opsgenie',
    icon: Siren,
    fields: [
      { name: 'apiKey', label: 'API key' },
      { name: 'region', label: 'Region', options: ['US', 'EU'] },
    ],
  },
  NTFY: {
    word: 'ntfy',
    icon: BellRing,
    fields: [
      { name: 'server', label: 'Server', type: 'url', hint: 'Such as https://ntfy.sh.' },
      { name: 'topic', label: 'Topic' },
      { name: 'token', label: 'Access token', optional: true },
    ],
  },
  PUSHOVER: {
    word: 'Pushover',
    icon: Bell,
    fields: [
      { name: 'appToken', label: 'Application token' },
      { name: 'userKey', label: 'User key' },
    ],
  },
  WEBHOOK: {
    word: 'Webhook',
    icon: Webhook,
    fields: [
      ...hook('Gets each alert as JSON, signed.'),
      {
        name: 'secret',
        label: 'Signing secret',
        optional: true,
        hint: 'Leave it empty, and one is made and shown once.',
      },
    ],
  },
}

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
export function describeContact({ channel, settings }: ContactView): string {
  const values = CHANNELS[channel].fields.map(({ name }) => settings[name] ?? '')
  const [first = ''] = values.filter((value) => value !== '')
  return `${CHANNELS[channel].word}, ${first}`
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
