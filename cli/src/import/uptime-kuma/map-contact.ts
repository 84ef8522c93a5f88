// A notification of Uptime Kuma. Its settings are JSON.
import type { Collector } from '../common/collector.ts'
import { type ContactWay, setContact, whyNoChannel } from '../common/contacts.ts'
import { ItemDraft } from '../common/draft.ts'
import { setName } from '../common/limits.ts'
import type { SourceItem } from '../common/report.ts'
import { reportUnread, type SettingRules, WatchedRow } from '../common/settings.ts'
import { flagOf, jsonOf, type SourceRow, textOf, toRow } from '../common/values.ts'
import { CONTACT_WAYS } from './contact-ways.ts'

const BY_SEVERITY = 'Upvane chooses it by what has happened.'
const BY_OPERATOR = 'Upvane sends email by the mail server of its operator.'
const OWN_TEXT = 'Upvane writes its own messages.'
const RULES: SettingRules = {
  // "Apply on all existing monitors" is done once, when the notification is saved.
  own: new Set(['id', 'user_id', 'name', 'is_default', 'active', 'applyExisting', 'ntfyusername']),
  defaults: {
    discordChannelType: ['channel'],
    discordMessageFormat: ['normal'],
    googleChatMaxRetries: [1],
    httpMethod: ['post'],
    webhookContentType: ['json'],
    ntfyAuthenticationMethod: ['none'],
    pagerdutyAutoResolve: ['resolve'],
    pagerdutyIntegrationUrl: ['https://events.pagerduty.com/v2/enqueue'],
    telegramServerUrl: ['https://api.telegram.org'],
    telegramTemplateParseMode: ['plain'],
  },
  shown: new Set([
    'discordChannelType',
    'discordUsername',
    'gotifyPriority',
    'mattermostchannel',
    'mattermostusername',
    'ntfyPriority',
    'ntfyPriorityDown',
    'opsgeniePriority',
    'pagerdutyAutoResolve',
    'pagerdutyPriority',
    'pushoverdevice',
    'pushoverpriority',
    'rocketchannel',
    'rocketusername',
    'slackchannel',
    'slackusername',
    'smtpFrom',
    'smtpHost',
    'smtpPort',
    'telegramMessageThreadID',
    'webhookContentType',
  ]),
  whys: {
    gotifyPriority: BY_SEVERITY,
    ntfyPriority: BY_SEVERITY,
    ntfyPriorityDown: BY_SEVERITY,
    opsgeniePriority: BY_SEVERITY,
    pagerdutyPriority: BY_SEVERITY,
    pushoverpriority: BY_SEVERITY,
    smtpHost: BY_OPERATOR,
    smtpPort: BY_OPERATOR,
    smtpUsername: BY_OPERATOR,
    smtpPassword: BY_OPERATOR,
    smtpFrom: BY_OPERATOR,
    slackchannel: 'A webhook of Slack posts to the channel that it was made for.',
    telegramMessageThreadID: 'Upvane writes to the chat, not to one of its topics.',
    pagerdutyAutoResolve: 'Upvane resolves an alert when the incident is over.',
    customBody: OWN_TEXT,
    customSubject: OWN_TEXT,
    discordMessageTemplate: OWN_TEXT,
    ntfyCustomMessage: OWN_TEXT,
    slackTemplate: OWN_TEXT,
    telegramTemplate: OWN_TEXT,
    webhookCustomBody: OWN_TEXT,
  },
}

/** Returns the keys of its contacts: an email notification may have several addresses. */
export function addNotification(out: Collector, row: SourceRow): string[] {
  const watched = new WatchedRow(toRow(jsonOf(row, 'config')))
  const config = watched.row
  const type = textOf(config, 'type')
  const name = textOf(row, 'name') || textOf(config, 'name')
  const item: SourceItem = { kind: 'contact', id: textOf(row, 'id'), name }
  const draft = new ItemDraft()
  setName(draft, name)
  const ways = CONTACT_WAYS.get(type)?.(config, draft)
  const [first, ...others] = ways ?? []
  if (first === undefined) draft.refuse(whyNoChannel(type))
  else setContact(draft, first)
  finish(draft, row, watched)
  const beside = others.map((way) => draftBeside(draft, way))
  for (const { refusal } of beside)
    if (refusal !== undefined) draft.drop('recipients', 'one more recipient', refusal)
  const key = out.add('contacts', item, draft)
  if (key === undefined) return []
  const more = beside.flatMap(
    (each) => out.addBeside('contacts', each, 'A contact has one address.') ?? [],
  )
  return [key, ...more]
}

function finish(draft: ItemDraft, row: SourceRow, config: WatchedRow): void {
  if (flagOf(row, 'active') === false) draft.set('enabled', false)
  const defaults = [flagOf(row, 'is_default', 'isDefault'), flagOf(config.row, 'isDefault')]
  if (defaults.includes(true))
    draft.change(
      'isDefault',
      'new monitors get it',
      'new monitors get all contacts',
      'In Upvane a new monitor alerts every contact, unless its contacts are chosen.',
    )
  reportUnread(draft, config, RULES)
  const whole = new WatchedRow(row)
  whole.skip('config', 'isDefault')
  reportUnread(draft, whole, RULES)
}

function draftBeside(first: ItemDraft, way: ContactWay): ItemDraft {
  const draft = new ItemDraft()
  draft.set('name', first.fields['name'])
  if (first.fields['enabled'] === false) draft.set('enabled', false)
  setContact(draft, way)
  return draft
}
