// The channels an alert can be sent through, one row each. Types, lists, settings and the form in the dashboard are
// derived from the rows. How a channel sends is in src/channels/alerts.

export type SettingField = {
  /** URL: an address of the organization's choice, validated like a webhook's. */
  kind: 'URL' | 'EMAIL' | 'TEXT'
  /** Only the last characters of a secret are shown. */
  secret: boolean
  optional?: true
  /** Of TEXT: one of these. */
  options?: readonly string[]
  /** Of TEXT: a format of its own. */
  format?: { pattern: RegExp; message: string }
  /** In the dashboard's form. */
  label: string
  hint?: string
}

type ChannelRow = {
  label: string
  /** The label inside a sentence, if it differs. */
  inSentence?: string
  fields: Readonly<Record<string, SettingField>>
  /** Where the provider is reached, if that is the same for all customers. The variable <CHANNEL>_URL replaces it. */
  origin?: string
  /** The provider keeps an alarm open until it is closed. */
  keepsAlarm?: true
  /** Belongs to a member, who creates it by turning on notifications. */
  isPersonal?: true
}

const TEXT = { kind: 'TEXT', secret: false } as const
const SECRET = { kind: 'TEXT', secret: true } as const
// The URL of a chat webhook is all it takes to post there, so it is a secret too.
const HOOK = { kind: 'URL', secret: true, label: 'Webhook URL' } as const

const ROWS = {
  EMAIL: {
    label: 'Email',
    inSentence: 'email',
    fields: { address: { kind: 'EMAIL', secret: false, label: 'Email address' } },
  },
  SLACK: {
    label: 'Slack',
    // Only for subscribers of status pages. A contact has its own URL.
    origin: 'https://hooks.slack.com',
    fields: {
      url: { ...HOOK, hint: "In Slack: Apps → Incoming Webhooks → copy the channel's URL." },
    },
  },
  DISCORD: {
    label: 'Discord',
    fields: {
      url: {
        ...HOOK,
        hint: 'In Discord: channel settings → Integrations → Webhooks → copy the URL.',
      },
    },
  },
  TEAMS: {
    label: 'Microsoft Teams',
    fields: {
      url: {
        ...HOOK,
        hint: 'In the channel, add the “Post when a webhook request is received” workflow and copy its URL.',
      },
    },
  },
  TELEGRAM: {
    label: 'Telegram',
    origin: 'https://api.telegram.org',
    fields: {
      botToken: { ...SECRET, label: 'Bot token', hint: 'From @BotFather.' },
      chatId: { ...TEXT, label: 'Chat ID', hint: 'The bot must be a member of the chat.' },
    },
  },
  GOOGLE_CHAT: {
    label: 'Google Chat',
    fields: {
      url: { ...HOOK, hint: 'In the space: Apps & integrations → Webhooks → copy the URL.' },
    },
  },
  PAGERDUTY: {
    label: 'PagerDuty',
    origin: 'https://events.pagerduty.com',
    keepsAlarm: true,
    fields: {
      routingKey: {
        ...SECRET,
        format: { pattern: /^[A-Za-z0-9]{32}$/, message: 'must be 32 letters and digits' },
        label: 'Integration key',
        hint: 'From an Events API v2 integration.',
      },
    },
  },
  OPSGENIE: {
    label: 'Opsgenie',
    origin: 'https://api.opsgenie.com',
    keepsAlarm: true,
    fields: {
      apiKey: { ...SECRET, label: 'API key' },
      region: { ...TEXT, options: ['US', 'EU'], label: 'Region' },
    },
  },
  NTFY: {
    label: 'ntfy',
    fields: {
      server: { kind: 'URL', secret: false, label: 'Server', hint: 'For example https://ntfy.sh.' },
      topic: { ...TEXT, label: 'Topic' },
      token: { ...SECRET, optional: true, label: 'Access token' },
    },
  },
  PUSHOVER: {
    label: 'Pushover',
    origin: 'https://api.pushover.net',
    fields: {
      appToken: { ...SECRET, label: 'Application token' },
      userKey: { ...SECRET, label: 'User key' },
    },
  },
  WEBHOOK: {
    label: 'Webhook',
    inSentence: 'webhook',
    fields: {
      url: { ...HOOK, hint: 'Receives each alert as signed JSON.' },
      // Generated with the contact unless the user brings their own.
      secret: {
        ...SECRET,
        optional: true,
        format: {
          pattern:
            /^whsec_(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
          message: 'must be whsec_ and 24 to 64 bytes in base64',
        },
        label: 'Signing secret',
        hint: 'Leave empty to generate one (shown once).',
      },
    },
  },
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
type SettingValue<Field> = Field extends { optional: true }
  ? string | null
  : Field extends { options: readonly (infer Option)[] }
    ? Option
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
