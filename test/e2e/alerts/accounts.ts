// Contact settings for every channel that has a provider, for accounts of a stand-in. Every secret value contains
// `secret`.

type Account = { channel: string; settings: Record<string, string>; path: string }

type Make = (origin: string, name: string) => Omit<Account, 'channel'>

const byUrl =
  (before: string, after = ''): Make =>
  (origin, name) => {
    const path = `${before}/${name}-secret${after}`
    return { settings: { url: origin + path }, path }
  }

const MAKERS: Record<string, Make> = {
  SLACK: byUrl('/services/T0/B0'),
  DISCORD: byUrl('/api/webhooks/1'),
  TEAMS: byUrl('/workflows', '/triggers/manual/paths/invoke'),
  GOOGLE_CHAT: (origin, name) => {
    const path = `/v1/spaces/A/messages?key=k&token=${name}-secret`
    const reply = '&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD'
    return { settings: { url: origin + path }, path: path + reply }
  },
  TELEGRAM: (_origin, name) => ({
    settings: { botToken: `123:${name}-secret`, chatId: '-100' },
    path: `/bot123:${name}-secret/sendMessage`,
  }),
  PAGERDUTY: (_origin, name) => ({
    settings: { routingKey: `${name.replaceAll(/\W/g, '')}secret`.padEnd(32, '0') },
    path: '/v2/enqueue',
  }),
  OPSGENIE: (_origin, name) => ({
    settings: { apiKey: `${name}-secret`, region: 'EU' },
    path: '/v2/alerts',
  }),
  NTFY: (origin, name) => ({
    settings: { server: origin, topic: name, token: `tk_${name}_secret` },
    path: '/',
  }),
  PUSHOVER: (_origin, name) => ({
    settings: { appToken: `${name}-secret`, userKey: 'user-secret' },
    path: '/1/messages.json',
  }),
  WEBHOOK: byUrl('/own'),
  MATTERMOST: byUrl('/hooks'),
  ROCKET_CHAT: byUrl('/hooks/5f1d'),
  MATRIX: (origin, name) => ({
    settings: { server: origin, roomId: '!ops:example.com', accessToken: `${name}-secret` },
    path: '/_matrix/client/v3/rooms/!ops%3Aexample.com/send/m.room.message/*',
  }),
  SIGNAL: (origin, name) => ({
    settings: {
      server: origin,
      number: '+14155550100',
      recipient: '+14155550101',
      token: `${name}-secret`,
    },
    path: '/v2/send',
  }),
  JIRA_SERVICE_MANAGEMENT: (_origin, name) => ({
    settings: { apiKey: `${name}-secret` },
    path: '/jsm/ops/integration/v2/alerts',
  }),
  INCIDENT_IO: (_origin, name) => ({
    settings: { sourceId: '01HQ4ALERTSOURCE', token: `${name}-secret` },
    path: '/v2/alert_events/http/01HQ4ALERTSOURCE',
  }),
  ALERTMANAGER: byUrl('/alertmanager'),
  GITHUB_ISSUES: (_origin, name) => ({
    settings: { repository: 'acme/shop', token: `${name}-secret` },
    path: '/repos/acme/shop/issues',
  }),
  GITLAB_ISSUES: (origin, name) => ({
    settings: { server: origin, project: 'acme/shop', token: `${name}-secret` },
    path: '/api/v4/projects/acme%2Fshop/issues',
  }),
  GOTIFY: (origin, name) => ({
    settings: { server: origin, appToken: `${name}-secret` },
    path: '/message',
  }),
  TWILIO: (_origin, name) => ({
    settings: {
      accountSid: `AC${'0'.repeat(32)}`,
      authToken: `${name}-secret`,
      means: 'SMS',
      from: '+14155550100',
      to: '+14155550101',
    },
    path: `/2010-04-01/Accounts/AC${'0'.repeat(32)}/Messages.json`,
  }),
  APPRISE: (origin, name) => ({
    settings: { server: origin, key: name, tags: 'ops' },
    path: `/notify/${name}`,
  }),
  CUSTOM_WEBHOOK: (origin, name) => ({
    settings: {
      url: `${origin}/custom/${name}-secret`,
      method: 'PUT',
      headers: `X-Token: ${name}-secret-token\nX-Status: {{status}}`,
      body: '{"text": "{{headline}}", "more": ["{{ summary }}", {"id": "{{id}}"}], "n": 12345678901234567890}',
    },
    path: `/custom/${name}-secret`,
  }),
}

export const PROVIDERS: readonly string[] = Object.keys(MAKERS)

export function accountOf(channel: string, origin: string, name: string): Account {
  const make = MAKERS[channel]
  if (make === undefined) throw new Error(`No provider of ${channel}`)
  return { channel, ...make(origin, name) }
}
