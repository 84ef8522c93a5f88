// The channels an alert can be sent through, one row each. Types, lists, settings and the form in the dashboard are
// derived from the rows. How a channel sends is in src/channels/alerts.
import { CHATS } from './channels/chats.ts'
import { PAGERS } from './channels/pagers.ts'
import { PUSH_SERVICES } from './channels/push.ts'
import type { ChannelRow } from './channels/row.ts'
import { WEBHOOKS } from './channels/webhooks.ts'

// In the order of the form.
const ROWS = {
  EMAIL: {
    label: 'Email',
    inSentence: 'email',
    acknowledgesByLink: true,
    fields: { address: { kind: 'EMAIL', secret: false, label: 'Email address' } },
  },
  ...CHATS,
  ...PAGERS,
  ...PUSH_SERVICES,
  ...WEBHOOKS,
  WEB_PUSH: {
    label: 'Browser notifications',
    inSentence: 'browser notification',
    isPersonal: true,
    fields: {},
  },
} as const satisfies Record<string, ChannelRow>

type Rows = typeof ROWS
export type ContactChannel = keyof Rows

export const CHANNELS: Readonly<Record<ContactChannel, ChannelRow>> = ROWS

// Safe because these are the keys of the rows.
export const CONTACT_CHANNELS = Object.keys(ROWS) as readonly ContactChannel[]

/** What an organization's admins can create. */
export const SHARED_CHANNELS = CONTACT_CHANNELS.filter((channel) => !CHANNELS[channel].isPersonal)

/** The settings that a channel is sent with. */
export type SettingsOf<C extends ContactChannel> = {
  readonly [Name in keyof Rows[C]['fields']]: SettingValue<Rows[C]['fields'][Name]>
}
type SettingValue<Field> = Field extends { options: readonly (infer Option)[] }
  ? Option | (Field extends { optional: true } ? null : never)
  : Field extends { optional: true }
    ? string | null
    : string

type OriginChannel = {
  [C in ContactChannel]: Rows[C] extends { origin: string } ? C : never
}[ContactChannel]

/** Where providers with one address for all customers are reached. */
export type Origins = Readonly<Record<OriginChannel, string>>

export function mapOrigins(toOrigin: (channel: string, origin: string) => string): Origins {
  const origins = Object.entries(CHANNELS).flatMap(([channel, { origin }]) =>
    origin === undefined ? [] : [[channel, toOrigin(channel, origin)]],
  )
  // Safe because the type lists the rows that have one.
  return Object.fromEntries(origins) as Origins
}
