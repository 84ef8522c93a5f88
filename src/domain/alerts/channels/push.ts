// Services that make phones ring or buzz.
import { type ChannelRow, PHONE_NUMBER, SECRET, SERVER, TEXT } from './row.ts'

export const PUSH_SERVICES = {
  NTFY: {
    label: 'ntfy',
    fields: {
      server: { ...SERVER, hint: 'For example https://ntfy.sh.' },
      topic: { ...TEXT, label: 'Topic' },
      token: { ...SECRET, optional: true, label: 'Access token' },
    },
  },
  GOTIFY: {
    label: 'Gotify',
    fields: {
      server: { ...SERVER, hint: 'For example https://gotify.example.com.' },
      appToken: { ...SECRET, label: 'Application token', hint: 'In Gotify: Apps → create one.' },
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
  TWILIO: {
    label: 'Twilio',
    origin: 'https://api.twilio.com',
    fields: {
      accountSid: {
        ...TEXT,
        format: {
          pattern: /^AC[0-9a-f]{32}$/,
          message: 'must be AC and 32 letters and digits',
        },
        label: 'Account SID',
      },
      authToken: { ...SECRET, label: 'Auth token' },
      means: { ...TEXT, options: ['SMS', 'CALL'], label: 'Send as' },
      from: { ...TEXT, format: PHONE_NUMBER, label: 'From', hint: 'A number of your account.' },
      to: { ...TEXT, format: PHONE_NUMBER, label: 'To', hint: 'For example +14155550100.' },
    },
  },
  APPRISE: {
    label: 'Apprise API',
    fields: {
      server: {
        ...SERVER,
        hint: 'Where Apprise API runs, for example https://apprise.example.com.',
      },
      key: {
        ...TEXT,
        optional: true,
        format: {
          pattern: /^[A-Za-z0-9_-]{1,128}$/,
          message: 'must be letters, digits, _ and -',
        },
        label: 'Configuration key',
        hint: 'Of a configuration that is stored on the server.',
      },
      tags: {
        ...TEXT,
        optional: true,
        format: {
          pattern: /^[\w-]{1,60}(?:,[\w-]{1,60}){0,20}$/,
          message: 'must be tags, separated by commas',
        },
        label: 'Tags',
        hint: 'Which of the configuration to notify. Leave empty for all without a tag.',
      },
      urls: {
        ...SECRET,
        optional: true,
        label: 'Apprise URLs',
        hint: 'Instead of a key: where to notify, separated by commas.',
      },
    },
    problemsOf: ({ key, urls }) =>
      key || urls ? [] : [{ path: 'settings.key', message: 'is required, or urls' }],
  },
} as const satisfies Record<string, ChannelRow>
