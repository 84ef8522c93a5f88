// The channels an alert can be sent through.
export const CONTACT_CHANNELS = [
  'EMAIL',
  'SLACK',
  'DISCORD',
  'TEAMS',
  'TELEGRAM',
  'GOOGLE_CHAT',
  'PAGERDUTY',
  'OPSGENIE',
  'NTFY',
  'PUSHOVER',
  'WEBHOOK',
] as const
export type ContactChannel = (typeof CONTACT_CHANNELS)[number]

/** Display names. */
export const CHANNEL_NAMES: Record<ContactChannel, string> = {
  EMAIL: 'e-mail',
  SLACK: 'Slack',
  DISCORD: 'Discord',
  TEAMS: 'Microsoft Teams',
  TELEGRAM: 'Telegram',
  GOOGLE_CHAT: 'Google Chat',
  PAGERDUTY: 'PagerDuty',
  OPSGENIE: 'Opsgenie',
  NTFY: 'ntfy',
  PUSHOVER: 'Pushover',
  WEBHOOK: 'webhook',
}
