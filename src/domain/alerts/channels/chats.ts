import { type ChannelRow, HOOK, PHONE_NUMBER, SECRET, SERVER, TEXT } from './row.ts'

export const CHATS = {
  SLACK: {
    label: 'Slack',
    // Only for subscribers of status pages. A contact has its own URL.
    origin: 'https://hooks.slack.com',
    acknowledgesByLink: true,
    fields: {
      url: { ...HOOK, hint: "In Slack: Apps → Incoming Webhooks → copy the channel's URL." },
    },
  },
  DISCORD: {
    label: 'Discord',
    acknowledgesByLink: true,
    fields: {
      url: {
        ...HOOK,
        hint: 'In Discord: channel settings → Integrations → Webhooks → copy the URL.',
      },
    },
  },
  TEAMS: {
    label: 'Microsoft Teams',
    acknowledgesByLink: true,
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
    acknowledgesByLink: true,
    fields: {
      botToken: { ...SECRET, label: 'Bot token', hint: 'From @BotFather.' },
      chatId: { ...TEXT, label: 'Chat ID', hint: 'The bot must be a member of the chat.' },
    },
  },
  GOOGLE_CHAT: {
    label: 'Google Chat',
    acknowledgesByLink: true,
    fields: {
      url: { ...HOOK, hint: 'In the space: Apps & integrations → Webhooks → copy the URL.' },
    },
  },
  MATTERMOST: {
    label: 'Mattermost',
    acknowledgesByLink: true,
    fields: {
      url: { ...HOOK, hint: 'In Mattermost: Integrations → Incoming Webhooks → copy the URL.' },
    },
  },
  ROCKET_CHAT: {
    label: 'Rocket.Chat',
    acknowledgesByLink: true,
    fields: {
      url: {
        ...HOOK,
        hint: 'In Rocket.Chat: Workspace → Integrations → New → Incoming → copy the URL.',
      },
    },
  },
  MATRIX: {
    label: 'Matrix',
    acknowledgesByLink: true,
    fields: {
      server: { ...SERVER, label: 'Homeserver', hint: 'For example https://matrix.org.' },
      roomId: {
        ...TEXT,
        format: {
          pattern: /^![\x21-\x7e]{1,254}$/,
          message: 'must be the internal id of a room, which begins with !',
        },
        label: 'Room ID',
        hint: 'In Element: room settings → Advanced → Internal room ID.',
      },
      accessToken: {
        ...SECRET,
        label: 'Access token',
        hint: 'Of a user who is a member of the room.',
      },
    },
  },
  SIGNAL: {
    label: 'Signal',
    fields: {
      server: {
        ...SERVER,
        hint: 'Where signal-cli-rest-api runs, for example https://signal.example.com.',
      },
      number: { ...TEXT, format: PHONE_NUMBER, label: 'Sender', hint: 'The registered number.' },
      recipient: {
        ...TEXT,
        format: {
          pattern: /^(?:\+[1-9][0-9]{6,14}|group\.[A-Za-z0-9+/=_-]{16,128})$/,
          message: 'must be a number with its country code, or a group id',
        },
        label: 'Recipient',
        hint: 'A number such as +14155550100, or the id of a group (group.…).',
      },
      token: {
        ...SECRET,
        optional: true,
        label: 'Access token',
        hint: 'Sent as a Bearer token, for a proxy in front of the server.',
      },
    },
  },
} as const satisfies Record<string, ChannelRow>
