// What a notification of Uptime Kuma is in Upvane, by its type. Its settings have names that begin with the type.
import { type ContactWay, signalServer, splitRecipients } from '../common/contacts.ts'
import { EnvText, type ItemDraft } from '../common/draft.ts'
import { type SourceRow, textOf } from '../common/values.ts'
import { webhookHeaders } from './webhook-headers.ts'

type Ways = (config: SourceRow, draft: ItemDraft) => readonly ContactWay[]

const hook =
  (channel: ContactWay['channel'], field: string): Ways =>
  (config) => [{ channel, settings: { url: textOf(config, field) } }]

/** Settings of Upvane by the settings of Uptime Kuma. */
const plain =
  (channel: ContactWay['channel'], fields: Readonly<Record<string, string>>): Ways =>
  (config) => [
    {
      channel,
      settings: Object.fromEntries(
        Object.entries(fields).map(([ours, theirs]) => [ours, textOf(config, theirs)]),
      ),
    },
  ]

/** By type. Several ways are several contacts: one has one address. */
export const CONTACT_WAYS: ReadonlyMap<string, Ways> = new Map<string, Ways>([
  ['slack', hook('SLACK', 'slackwebhookURL')],
  ['discord', hook('DISCORD', 'discordWebhookUrl')],
  ['teams', hook('TEAMS', 'webhookUrl')],
  ['GoogleChat', hook('GOOGLE_CHAT', 'googleChatWebhookURL')],
  ['mattermost', hook('MATTERMOST', 'mattermostWebhookUrl')],
  ['rocket.chat', hook('ROCKET_CHAT', 'rocketwebhookURL')],
  [
    'matrix',
    plain('MATRIX', {
      server: 'homeserverUrl',
      roomId: 'internalRoomId',
      accessToken: 'accessToken',
    }),
  ],
  ['gotify', plain('GOTIFY', { server: 'gotifyserverurl', appToken: 'gotifyapplicationToken' })],
  ['telegram', plain('TELEGRAM', { botToken: 'telegramBotToken', chatId: 'telegramChatID' })],
  ['PagerDuty', plain('PAGERDUTY', { routingKey: 'pagerdutyIntegrationKey' })],
  ['pushover', plain('PUSHOVER', { appToken: 'pushoverapptoken', userKey: 'pushoveruserkey' })],
  ['Opsgenie', toOpsgenie],
  ['ntfy', toNtfy],
  ['webhook', toWebhook],
  ['smtp', toEmails],
  ['twilio', toTwilio],
  ['signal', toSignal],
  ['apprise', toApprise],
])

function toOpsgenie(config: SourceRow): ContactWay[] {
  const region = textOf(config, 'opsgenieRegion').toLowerCase() === 'eu' ? 'EU' : 'US'
  return [{ channel: 'OPSGENIE', settings: { apiKey: textOf(config, 'opsgenieApiKey'), region } }]
}

function toNtfy(config: SourceRow, draft: ItemDraft): ContactWay[] {
  const method = textOf(config, 'ntfyAuthenticationMethod')
  if (method === 'usernamePassword' || textOf(config, 'ntfyusername') !== '')
    draft.drop('ntfyusername', 'a user name', 'Upvane signs in to ntfy by token.')
  // Older versions had no choice of a method.
  const usesToken = method === '' || method === 'accessToken'
  const token = usesToken ? textOf(config, 'ntfyaccesstoken') : ''
  const settings = {
    server: textOf(config, 'ntfyserverurl'),
    topic: textOf(config, 'ntfytopic'),
  }
  return [{ channel: 'NTFY', settings, optionalSecrets: { token } }]
}

/** With headers, or by GET, it is a custom webhook. Its body is made by Upvane in any case. */
function toWebhook(config: SourceRow, draft: ItemDraft): ContactWay[] {
  const url = textOf(config, 'webhookURL')
  const headers = webhookHeaders(draft, config)
  const method = textOf(config, 'httpMethod').toUpperCase() === 'GET' ? 'GET' : 'POST'
  if (headers === '' && method === 'POST') {
    draft.change('body', 'a template of its own', 'signed JSON', 'Upvane sends its own format.')
    return [{ channel: 'WEBHOOK', settings: { url } }]
  }
  draft.change(
    'body',
    'a template of its own',
    'all there is to say, as JSON',
    'Write a body for the custom webhook if its receiver expects another.',
  )
  return [{ channel: 'CUSTOM_WEBHOOK', settings: { url, method }, optionalSecrets: { headers } }]
}

function toEmails(config: SourceRow): ContactWay[] {
  const all = ['smtpTo', 'smtpCC', 'smtpBCC'].map((field) => textOf(config, field)).join(',')
  return splitRecipients(all).map((address) => ({
    channel: 'EMAIL',
    settings: { address },
  }))
}

function toTwilio(config: SourceRow, draft: ItemDraft): ContactWay[] {
  if (textOf(config, 'twilioApiKey') !== '')
    draft.refuse('It signs in with an API key, Upvane with the auth token of the account.')
  const settings = {
    accountSid: textOf(config, 'twilioAccountSID'),
    authToken: textOf(config, 'twilioAuthToken'),
    means: 'SMS',
    from: textOf(config, 'twilioFromNumber'),
    to: textOf(config, 'twilioToNumber'),
  }
  return [{ channel: 'TWILIO', settings }]
}

function toSignal(config: SourceRow): ContactWay[] {
  const server = signalServer(textOf(config, 'signalURL'))
  const number = textOf(config, 'signalNumber')
  return splitRecipients(textOf(config, 'signalRecipients')).map((recipient) => ({
    channel: 'SIGNAL',
    settings: { server, number, recipient: recipient.replaceAll(/\s/g, '') },
  }))
}

/** Uptime Kuma runs the program itself, Upvane calls a server of Apprise API. */
function toApprise(config: SourceRow, draft: ItemDraft): ContactWay[] {
  const variable = 'APPRISE_SERVER'
  const server = new EnvText(`\${env:${variable}}`, [variable])
  draft.change(
    'appriseURL',
    'the program apprise',
    'a server of Apprise API',
    `Run one, and give its https:// address in the variable ${variable}.`,
  )
  return [{ channel: 'APPRISE', settings: { server, urls: textOf(config, 'appriseURL') } }]
}
