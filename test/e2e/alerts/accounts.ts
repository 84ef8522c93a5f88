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
}

export const PROVIDERS: readonly string[] = Object.keys(MAKERS)

export function accountOf(channel: string, origin: string, name: string): Account {
  const make = MAKERS[channel]
  if (make === undefined) throw new Error(`No provider of ${channel}`)
  return { channel, ...make(origin, name) }
}
