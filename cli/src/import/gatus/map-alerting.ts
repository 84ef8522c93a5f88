// The alerting of Gatus: one contact for each provider.
import type { Collector } from '../common/collector.ts'
import { type ContactWay, setContact } from '../common/contacts.ts'
import { ItemDraft } from '../common/draft.ts'
import { type SourceRow, textOf, toRow } from '../common/values.ts'

const hook =
  (channel: ContactWay['channel']) =>
  (config: SourceRow): ContactWay => ({
    channel,
    settings: { url: textOf(config, 'webhook-url') },
  })

const WAYS: ReadonlyMap<string, (config: SourceRow) => ContactWay> = new Map([
  ['slack', hook('SLACK')],
  ['discord', hook('DISCORD')],
  ['teams', hook('TEAMS')],
  ['teams-workflows', hook('TEAMS')],
  ['googlechat', hook('GOOGLE_CHAT')],
  ['mattermost', hook('MATTERMOST')],
  ['rocketchat', hook('ROCKET_CHAT')],
  [
    'matrix',
    (config: SourceRow): ContactWay => ({
      channel: 'MATRIX',
      settings: {
        server: textOf(config, 'server-url') || 'https://matrix-client.matrix.org',
        roomId: textOf(config, 'internal-room-id'),
        accessToken: textOf(config, 'access-token'),
      },
    }),
  ],
  [
    'gotify',
    (config: SourceRow): ContactWay => ({
      channel: 'GOTIFY',
      settings: { server: textOf(config, 'server-url'), appToken: textOf(config, 'token') },
    }),
  ],
  [
    'telegram',
    (config: SourceRow): ContactWay => ({
      channel: 'TELEGRAM',
      settings: { botToken: textOf(config, 'token'), chatId: textOf(config, 'id') },
    }),
  ],
  [
    'pagerduty',
    (config: SourceRow): ContactWay => ({
      channel: 'PAGERDUTY',
      settings: { routingKey: textOf(config, 'integration-key') },
    }),
  ],
  [
    'opsgenie',
    (config: SourceRow): ContactWay => ({
      channel: 'OPSGENIE',
      settings: { apiKey: textOf(config, 'api-key'), region: 'US' },
    }),
  ],
  [
    'ntfy',
    (config: SourceRow): ContactWay => ({
      channel: 'NTFY',
      settings: {
        server: textOf(config, 'url') || 'https://ntfy.sh',
        topic: textOf(config, 'topic'),
      },
      optionalSecrets: { token: textOf(config, 'token') },
    }),
  ],
  [
    'pushover',
    (config: SourceRow): ContactWay => ({
      channel: 'PUSHOVER',
      settings: {
        appToken: textOf(config, 'application-token'),
        userKey: textOf(config, 'user-key'),
      },
    }),
  ],
  [
    'email',
    (config: SourceRow): ContactWay => ({
      channel: 'EMAIL',
      settings: { address: textOf(config, 'to').split(',')[0]?.trim() ?? '' },
    }),
  ],
])

/** Returns the keys of the contacts by provider. */
export function addAlerting(out: Collector, alerting: SourceRow): Map<string, string> {
  const keys = new Map<string, string>()
  const providers = Object.entries(alerting)
  out.announce('contact', providers.length)
  for (const [provider, given] of providers) {
    const config = toRow(given)
    const draft = new ItemDraft()
    draft.set('name', `Gatus ${provider}`.slice(0, 120))
    const way = WAYS.get(provider)
    if (way === undefined) draft.refuse(`Upvane has no channel "${provider.slice(0, 40)}".`)
    else mapWay(draft, way(config), config)
    const item = { kind: 'contact' as const, id: provider, name: provider }
    const key = out.add('contacts', item, draft)
    if (key !== undefined) keys.set(provider, key)
  }
  return keys
}

function mapWay(draft: ItemDraft, way: ContactWay, config: SourceRow): void {
  const texts = [...Object.values(way.settings), ...Object.values(way.optionalSecrets ?? {})]
  if (texts.some((text) => /\$\{?[A-Za-z_]/.test(text)))
    return draft.refuse('Its settings have a variable. Create it in Upvane.')
  setContact(draft, way)
  const addresses = textOf(config, 'to').split(',').length
  if (way.channel === 'EMAIL' && addresses > 1)
    draft.drop('to', `${addresses - 1} more addresses`, 'A contact has one address.')
  if (config['overrides'] !== undefined)
    draft.drop('overrides', 'overrides by group', 'Upvane has no such setting.')
}
