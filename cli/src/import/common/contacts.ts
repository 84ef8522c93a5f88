// Alert contacts: what their channels need, and which of it is secret.
import { getDefinition } from '../../as-code/schema/schema.ts'
import { isDomain } from './address.ts'
import { EnvText, type ItemDraft, SecretValue } from './draft.ts'

type ChannelFields = { secret: readonly string[]; plain: readonly string[] }

const HOOK: ChannelFields = { secret: ['url'], plain: [] }
const CHANNELS = {
  EMAIL: { secret: [], plain: ['address'] },
  SLACK: HOOK,
  DISCORD: HOOK,
  TEAMS: HOOK,
  GOOGLE_CHAT: HOOK,
  MATTERMOST: HOOK,
  ROCKET_CHAT: HOOK,
  WEBHOOK: HOOK,
  MATRIX: { secret: ['accessToken'], plain: ['server', 'roomId'] },
  TELEGRAM: { secret: ['botToken'], plain: ['chatId'] },
  PAGERDUTY: { secret: ['routingKey'], plain: [] },
  OPSGENIE: { secret: ['apiKey'], plain: ['region'] },
  NTFY: { secret: [], plain: ['server', 'topic'] },
  GOTIFY: { secret: ['appToken'], plain: ['server'] },
  PUSHOVER: { secret: ['appToken', 'userKey'], plain: [] },
  TWILIO: { secret: ['authToken'], plain: ['accountSid', 'means', 'from', 'to'] },
  SIGNAL: { secret: [], plain: ['server', 'number', 'recipient'] },
  APPRISE: { secret: ['urls'], plain: ['server'] },
  GITHUB_ISSUES: { secret: ['token'], plain: ['repository'] },
  CUSTOM_WEBHOOK: { secret: ['url'], plain: ['method'] },
} as const satisfies Record<string, ChannelFields>

export type ContactWay = {
  channel: keyof typeof CHANNELS
  /** A variable stands for what the other tool does not have. */
  settings: Readonly<Record<string, string | EnvText>>
  /** Needed only by some: the token of ntfy. */
  optionalSecrets?: Readonly<Record<string, string>>
}

const MAX_SETTING = 2048
const MAX_LOCAL_PART = 64
const MAX_RECIPIENTS = 50
const PAGERDUTY_KEY = /^[A-Za-z0-9]{32}$/
const MATRIX_ROOM = /^![\x21-\x7e]{1,254}$/
const PHONE = /^\+[1-9][0-9]{6,14}$/
const SIGNAL_GROUP = /^group\.[A-Za-z0-9+/=_-]{16,128}$/
const ACCOUNT_SID = /^AC[0-9a-f]{32}$/
const REPOSITORY = /^[A-Za-z0-9-]{1,39}\/(?!\.{1,2}$)[\w.-]{1,100}$/

export function setContact(
  draft: ItemDraft,
  { channel, settings, optionalSecrets }: ContactWay,
): void {
  const { secret, plain }: ChannelFields = CHANNELS[channel]
  const kept: Record<string, string | SecretValue | EnvText> = {}
  for (const name of [...plain, ...secret]) {
    const given = settings[name] ?? ''
    if (given instanceof EnvText) {
      kept[name] = given
      continue
    }
    const value = given.trim()
    const problem = settingProblem(channel, name, value)
    if (problem !== undefined) return draft.refuse(problem)
    kept[name] = secret.includes(name) ? new SecretValue(value) : value
  }
  for (const [name, value] of Object.entries(optionalSecrets ?? {}))
    if (value.trim() !== '') kept[name] = new SecretValue(value.trim())
  draft.set('channel', channel)
  draft.set('settings', kept)
}

/** Names of all channels of Upvane, also of those that no other tool's settings fit. */
const OUR_CHANNELS: readonly string[] = (
  getDefinition('Contact').properties?.['channel']?.enum ?? []
).map(String)

/** Why a contact of another tool is not taken. `type` is what that tool calls it. */
export function whyNoChannel(type: string): string {
  const letters = lettersOf(type)
  const ours = OUR_CHANNELS.find((name) => lettersOf(name) === letters)
  if (ours === undefined) return `Upvane has no channel "${type.slice(0, 40)}".`
  return `Upvane has the channel ${ours}, but with other settings. Create the contact there.`
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Addresses, numbers or URLs in one text: each is a contact of its own. */
export function splitRecipients(text: string): string[] {
  const all = text
    .split(/[,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return all.length === 0 ? [''] : [...new Set(all)].slice(0, MAX_RECIPIENTS)
}

/** The server of signal-cli-rest-api: tools have the URL that they call. */
export const signalServer = (url: string): string => url.replace(/\/v[12]\/send\/?$/, '')

function isEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  const hasLocalPart = local !== '' && local.length <= MAX_LOCAL_PART && !/\s/.test(local)
  return hasLocalPart && more.length === 0 && isDomain(domain)
}

type Format = [channel: string, setting: string, fits: (value: string) => boolean, problem: string]

const NO_NUMBER = 'is not a phone number with its country code, such as +14155550100.'
const isPhone = (value: string): boolean => PHONE.test(value)
const FORMATS: readonly Format[] = [
  ['MATRIX', 'roomId', (value) => MATRIX_ROOM.test(value), 'Its room is no internal room ID.'],
  ['TWILIO', 'accountSid', (value) => ACCOUNT_SID.test(value), 'Its account SID is not one.'],
  ['TWILIO', 'from', isPhone, `Its sender ${NO_NUMBER}`],
  ['TWILIO', 'to', isPhone, `Its recipient ${NO_NUMBER}`],
  ['SIGNAL', 'number', isPhone, `Its sender ${NO_NUMBER}`],
  [
    'SIGNAL',
    'recipient',
    (value) => PHONE.test(value) || SIGNAL_GROUP.test(value),
    'Its recipient is neither a phone number with its country code nor a group ID.',
  ],
  ['GITHUB_ISSUES', 'repository', (value) => REPOSITORY.test(value), 'Its repository is not one.'],
]

function settingProblem(channel: string, name: string, value: string): string | undefined {
  if (value === '') return `It has no ${name}.`
  if (value.length > MAX_SETTING || /\p{Cc}/u.test(value)) return `Its ${name} cannot be kept.`
  return formatProblem(channel, name, value)
}

function formatProblem(channel: string, name: string, value: string): string | undefined {
  if (name === 'address' && !isEmail(value)) return 'Its address is no email address.'
  if (channel === 'PAGERDUTY' && !PAGERDUTY_KEY.test(value)) return 'Its key is no integration key.'
  const wrong = FORMATS.find(([of, setting]) => of === channel && setting === name)
  if (wrong !== undefined) return wrong[2](value) ? undefined : wrong[3]
  if (name !== 'url' && name !== 'server') return undefined
  return /^https:\/\/\S+$/.test(value) && URL.canParse(value)
    ? undefined
    : `Its ${name} is not one of https://.`
}
