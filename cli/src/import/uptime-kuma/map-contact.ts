// A notification of Uptime Kuma. Its settings are JSON, with names that begin with its type.
import type { Collector } from '../common/collector.ts'
import { type ContactWay, setContact } from '../common/contacts.ts'
import { ItemDraft } from '../common/draft.ts'
import { setName } from '../common/limits.ts'
import type { SourceItem } from '../common/report.ts'
import { flagOf, jsonOf, type SourceRow, textOf, toRow } from '../common/values.ts'

type Way = Omit<ContactWay, 'settings'> & { settings: Record<string, string> }

const hook =
  (channel: ContactWay['channel'], field: string) =>
  (config: SourceRow): Way => ({ channel, settings: { url: textOf(config, field) } })

const WAYS: Readonly<Record<string, (config: SourceRow) => Way>> = {
  slack: hook('SLACK', 'slackwebhookURL'),
  discord: hook('DISCORD', 'discordWebhookUrl'),
  teams: hook('TEAMS', 'webhookUrl'),
  GoogleChat: hook('GOOGLE_CHAT', 'googleChatWebhookURL'),
  mattermost: hook('MATTERMOST', 'mattermostWebhookUrl'),
  'rocket.chat': hook('ROCKET_CHAT', 'rocketwebhookURL'),
  webhook: hook('WEBHOOK', 'webhookURL'),
  matrix: (config) => ({
    channel: 'MATRIX',
    settings: {
      server: textOf(config, 'homeserverUrl'),
      roomId: textOf(config, 'internalRoomId'),
      accessToken: textOf(config, 'accessToken'),
    },
  }),
  gotify: (config) => ({
    channel: 'GOTIFY',
    settings: {
      server: textOf(config, 'gotifyserverurl'),
      appToken: textOf(config, 'gotifyapplicationToken'),
    },
  }),
  telegram: (config) => ({
    channel: 'TELEGRAM',
    settings: {
      botToken: textOf(config, 'telegramBotToken'),
      chatId: textOf(config, 'telegramChatID'),
    },
  }),
  PagerDuty: (config) => ({
    channel: 'PAGERDUTY',
    settings: { routingKey: textOf(config, 'pagerdutyIntegrationKey') },
  }),
  Opsgenie: (config) => ({
    channel: 'OPSGENIE',
    settings: {
      apiKey: textOf(config, 'opsgenieApiKey'),
      region: textOf(config, 'opsgenieRegion').toLowerCase() === 'eu' ? 'EU' : 'US',
    },
  }),
  ntfy: (config) => ({
    channel: 'NTFY',
    settings: { server: textOf(config, 'ntfyserverurl'), topic: textOf(config, 'ntfytopic') },
    optionalSecrets: { token: textOf(config, 'ntfyaccesstoken') },
  }),
  pushover: (config) => ({
    channel: 'PUSHOVER',
    settings: {
      appToken: textOf(config, 'pushoverapptoken'),
      userKey: textOf(config, 'pushoveruserkey'),
    },
  }),
}

/** Returns the keys of its contacts: an email notification may have several addresses. */
export function addNotification(out: Collector, row: SourceRow): string[] {
  const config = toRow(jsonOf(row, 'config'))
  const type = textOf(config, 'type')
  const name = textOf(row, 'name') || textOf(config, 'name')
  const item: SourceItem = { kind: 'contact', id: textOf(row, 'id'), name }
  const [first, ...others] = type === 'smtp' ? emailWays(config) : [wayOf(type, config)]
  const draft = draftContact(name, first)
  if (first === undefined) draft.refuse(`Upvane has no channel "${type.slice(0, 40)}".`)
  if (flagOf(row, 'active') === false) draft.set('enabled', false)
  if (type === 'ntfy' && textOf(config, 'ntfyusername') !== '')
    draft.drop('ntfyusername', 'a user name', 'Upvane signs in to ntfy by token.')
  if (type === 'webhook')
    draft.change('body', 'a template of its own', 'signed JSON', 'Upvane sends its own format.')
  const key = out.add('contacts', item, draft)
  if (key === undefined) return []
  const more = others.flatMap(
    (way) => out.addBeside('contacts', draftContact(name, way), 'A contact has one address.') ?? [],
  )
  return [key, ...more]
}

const wayOf = (type: string, config: SourceRow): Way | undefined =>
  Object.hasOwn(WAYS, type) ? WAYS[type]?.(config) : undefined

function emailWays(config: SourceRow): Way[] {
  const addresses = [textOf(config, 'smtpTo'), textOf(config, 'smtpCC'), textOf(config, 'smtpBCC')]
    .flatMap((list) => list.split(/[,;]/))
    .map((address) => address.trim())
    .filter((address) => address !== '')
  const distinct = addresses.length === 0 ? [''] : [...new Set(addresses)].slice(0, 50)
  return distinct.map((address) => ({ channel: 'EMAIL', settings: { address } }))
}

function draftContact(name: string, way: Way | undefined): ItemDraft {
  const draft = new ItemDraft()
  setName(draft, name)
  if (way !== undefined) setContact(draft, way)
  return draft
}
