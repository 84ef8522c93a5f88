// Alert contacts: what their channels need, and which of it is secret.
import { isDomain } from './address.ts'
import { type ItemDraft, SecretValue } from './draft.ts'

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
} as const satisfies Record<string, ChannelFields>

export type ContactWay = {
  channel: keyof typeof CHANNELS
  settings: Readonly<Record<string, string>>
  /** Needed only by some: the token of ntfy. */
  optionalSecrets?: Readonly<Record<string, string>>
}

const MAX_SETTING = 2048
const MAX_LOCAL_PART = 64
const PAGERDUTY_KEY = /^[A-Za-z0-9]{32}$/
const MATRIX_ROOM = /^![\x21-\x7e]{1,254}$/

export function setContact(
  draft: ItemDraft,
  { channel, settings, optionalSecrets }: ContactWay,
): void {
  const { secret, plain }: ChannelFields = CHANNELS[channel]
  const kept: Record<string, string | SecretValue> = {}
  for (const name of [...plain, ...secret]) {
    const value = settings[name]?.trim() ?? ''
    const problem = settingProblem(channel, name, value)
    if (problem !== undefined) return draft.refuse(problem)
    kept[name] = secret.includes(name) ? new SecretValue(value) : value
  }
  for (const [name, value] of Object.entries(optionalSecrets ?? {}))
    if (value.trim() !== '') kept[name] = new SecretValue(value.trim())
  draft.set('channel', channel)
  draft.set('settings', kept)
}

function isEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  const hasLocalPart = local !== '' && local.length <= MAX_LOCAL_PART && !/\s/.test(local)
  return hasLocalPart && more.length === 0 && isDomain(domain)
}

function settingProblem(channel: string, name: string, value: string): string | undefined {
  if (value === '') return `It has no ${name}.`
  if (value.length > MAX_SETTING || /\p{Cc}/u.test(value)) return `Its ${name} cannot be kept.`
  return formatProblem(channel, name, value)
}

function formatProblem(channel: string, name: string, value: string): string | undefined {
  if (name === 'address' && !isEmail(value)) return 'Its address is no email address.'
  if (channel === 'PAGERDUTY' && !PAGERDUTY_KEY.test(value)) return 'Its key is no integration key.'
  if (name === 'roomId' && !MATRIX_ROOM.test(value)) return 'Its room is no internal room ID.'
  if (name !== 'url' && name !== 'server') return undefined
  return /^https:\/\/\S+$/.test(value) && URL.canParse(value)
    ? undefined
    : `Its ${name} is not one of https://.`
}
