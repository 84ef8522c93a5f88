// The alerting of Gatus: one contact for each provider.
import type { Collector } from '../common/collector.ts'
import {
  type ContactWay,
  setContact,
  signalServer,
  splitRecipients,
  whyNoChannel,
} from '../common/contacts.ts'
import { ItemDraft } from '../common/draft.ts'
import { reportUnread, WatchedRow } from '../common/settings.ts'
import { listOf, type SourceRow, textOf, toPlainText, toRow } from '../common/values.ts'
import { ALERT_RULES, PROVIDER_RULES } from './settings.ts'

const GITHUB = /^https:\/\/github\.com\//

const hook =
  (channel: ContactWay['channel']) =>
  (config: SourceRow): ContactWay => ({
    channel,
    settings: { url: textOf(config, 'webhook-url') },
  })

type ToWay = (config: SourceRow) => ContactWay

const WAYS: ReadonlyMap<string, ToWay> = new Map<string, ToWay>([
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
      settings: { address: splitRecipients(textOf(config, 'to'))[0] ?? '' },
    }),
  ],
  [
    'twilio',
    (config: SourceRow): ContactWay => ({
      channel: 'TWILIO',
      settings: {
        accountSid: textOf(config, 'sid'),
        authToken: textOf(config, 'token'),
        means: 'SMS',
        from: textOf(config, 'from'),
        to: textOf(config, 'to'),
      },
    }),
  ],
  [
    'signal',
    (config: SourceRow): ContactWay => ({
      channel: 'SIGNAL',
      settings: {
        server: signalServer(textOf(config, 'api-url')),
        number: textOf(config, 'number'),
        recipient: toPlainText(listOf(config['recipients'])[0]),
      },
    }),
  ],
  [
    'github',
    (config: SourceRow): ContactWay => ({
      channel: 'GITHUB_ISSUES',
      settings: {
        repository: textOf(config, 'repository-url').replace(GITHUB, '').replace(/\/$/, ''),
        token: textOf(config, 'token'),
      },
    }),
  ],
])
/** Why a provider that Upvane has a channel for is not taken. */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['custom', 'It has a body of its own. Create a custom webhook in Upvane.'],
  ['gitlab', 'It sends alerts to GitLab. Upvane opens issues there: create the contact in Upvane.'],
])

/** Returns the keys of the contacts by provider. */
export function addAlerting(out: Collector, alerting: SourceRow): Map<string, string> {
  const keys = new Map<string, string>()
  const providers = Object.entries(alerting)
  out.announce('contact', providers.length)
  for (const [provider, given] of providers) {
    const watched = new WatchedRow(toRow(given))
    const config = watched.row
    const draft = new ItemDraft()
    draft.set('name', `Gatus ${provider}`.slice(0, 120))
    const way = WAYS.get(provider)
    if (way === undefined) draft.refuse(OTHERWISE.get(provider) ?? whyNoChannel(provider))
    else mapWay(draft, way(config), config)
    reportDefaults(draft, toRow(config['default-alert']))
    reportUnread(draft, watched, PROVIDER_RULES)
    const item = { kind: 'contact' as const, id: provider, name: provider }
    const key = out.add('contacts', item, draft)
    if (key !== undefined) keys.set(provider, key)
  }
  return keys
}

function mapWay(draft: ItemDraft, way: ContactWay, config: SourceRow): void {
  const texts = [...Object.values(way.settings), ...Object.values(way.optionalSecrets ?? {})]
  if (texts.some((text) => typeof text === 'string' && /\$\{?[A-Za-z_]/.test(text)))
    return draft.refuse('Its settings have a variable. Create it in Upvane.')
  setContact(draft, way)
  const recipients =
    way.channel === 'SIGNAL'
      ? listOf(config['recipients']).length
      : splitRecipients(textOf(config, 'to')).length
  if (recipients > 1)
    draft.drop('recipients', `${recipients - 1} more`, 'A contact has one recipient.')
}

/** What the alerts of endpoints are like, unless they say otherwise. */
function reportDefaults(draft: ItemDraft, given: SourceRow): void {
  reportUnread(draft, new WatchedRow(given), ALERT_RULES, 'default-alert')
}
