// An alert contact: how it is reached, when it is notified, and how the API shows it.
import { type AddressPolicy, webhookUrlProblem } from '../events/webhook.ts'
import { isoTime } from '../monitors/monitor.ts'
import { parseEmailAddress } from '../values/email-address.ts'
import { toPublicId } from '../values/id.ts'
import type { Problem } from '../values/problem.ts'
import { isTimezone } from '../values/timezone.ts'
import type { ContactChannel } from './channels.ts'
import type { AlertRules } from './model.ts'

/** Keyed by field name. FIELDS lists the fields of each channel. */
export type ContactSettings = Readonly<Record<string, string>>

type Field = {
  secret: boolean
  kind: 'URL' | 'TEXT' | 'EMAIL' | 'REGION' | 'SIGNING' | 'ROUTING'
  optional?: boolean
}
const url: Field = { secret: true, kind: 'URL' }
const secret: Field = { secret: true, kind: 'TEXT' }
const text: Field = { secret: false, kind: 'TEXT' }

// The URL of a chat webhook is all it takes to post there, so it is a secret too.
const FIELDS: Record<ContactChannel, Readonly<Record<string, Field>>> = {
  EMAIL: { address: { secret: false, kind: 'EMAIL' } },
  SLACK: { url },
  DISCORD: { url },
  TEAMS: { url },
  TELEGRAM: { botToken: secret, chatId: text },
  GOOGLE_CHAT: { url },
  PAGERDUTY: { routingKey: { secret: true, kind: 'ROUTING' } },
  OPSGENIE: { apiKey: secret, region: { secret: false, kind: 'REGION' } },
  NTFY: {
    server: { secret: false, kind: 'URL' },
    topic: text,
    token: { ...secret, optional: true },
  },
  PUSHOVER: { appToken: secret, userKey: secret },
  // Generated with the contact unless the user brings their own.
  WEBHOOK: { url, secret: { secret: true, kind: 'SIGNING', optional: true } },
}

const MAX_SETTING = 2048
const SIGNING =
  /^whsec_(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Whether the settings name the server to send to, and not only a recipient. */
export function hasOwnAddress(channel: ContactChannel): boolean {
  return Object.values(FIELDS[channel]).some(({ kind }) => kind === 'URL')
}

/** The settings are validated as a whole. */
export function settingsProblems(
  channel: ContactChannel,
  settings: Readonly<Record<string, unknown>>,
  policy: AddressPolicy,
): Problem[] {
  const fields = FIELDS[channel]
  const unknown = Object.keys(settings)
    .filter((name) => !(name in fields))
    .map((name) => ({ path: `settings.${name}`, message: `is not a setting of ${channel}` }))
  const wrong = Object.entries(fields).flatMap(([name, field]) => {
    const message = valueProblem(field, settings[name], policy)
    return message === undefined ? [] : [{ path: `settings.${name}`, message }]
  })
  return [...unknown, ...wrong]
}

function valueProblem(field: Field, value: unknown, policy: AddressPolicy): string | undefined {
  if (value === undefined || value === '') return field.optional ? undefined : 'is required'
  if (typeof value !== 'string' || value.length > MAX_SETTING)
    return `must be a text of up to ${MAX_SETTING} characters`
  return formProblem(field.kind, value, policy)
}

// biome-ignore format: a table is read by its columns
const FORMS: Record<Exclude<Field['kind'], 'URL' | 'EMAIL'>, [form: RegExp, message: string]> = {
  REGION:  [/^(?:US|EU)$/,          'must be US or EU'],
  ROUTING: [/^[A-Za-z0-9]{32}$/,    'must be 32 letters and digits'],
  SIGNING: [SIGNING,                'must be whsec_ and 24 to 64 bytes in base64'],
  // It is used in headers and URLs.
  TEXT:    [/^[\x21-\x7e]+$/,       'must be letters, digits and signs'],
}

function formProblem(
  kind: Field['kind'],
  value: string,
  policy: AddressPolicy,
): string | undefined {
  if (kind === 'URL') return webhookUrlProblem(value, policy)
  if (kind === 'EMAIL')
    return parseEmailAddress(value) === undefined ? 'must be an e-mail address' : undefined
  const [form, message] = FORMS[kind]
  return form.test(value) ? undefined : message
}

export function rulesProblems({ quiet }: Pick<AlertRules, 'quiet'>): Problem[] {
  if (quiet === null) return []
  const problems: Problem[] = []
  if (!isTimezone(quiet.zone))
    problems.push({ path: 'quietHours.timezone', message: 'must be an IANA time zone' })
  if (quiet.from === quiet.to)
    problems.push({ path: 'quietHours.to', message: 'must not be the time they begin' })
  return problems
}

/** Fields left out of a change keep their values: a secret is never shown, so it cannot be sent back. */
export function mergeSettings(old: ContactSettings, given: ContactSettings): ContactSettings {
  return { ...old, ...given }
}

/**
 * Secrets stored for one server that would now go to another must be given again or dropped. Otherwise pointing a
 * contact at your own server would reveal a secret that is never shown.
 */
export function secretsToRepeat(
  channel: ContactChannel,
  old: ContactSettings,
  given: ContactSettings,
): Problem[] {
  const fields = Object.entries(FIELDS[channel])
  const isMoved = fields.some(
    ([name, { kind }]) =>
      kind === 'URL' && originOf(old[name]) !== originOf(given[name] ?? old[name]),
  )
  if (!isMoved) return []
  return fields
    .filter(([name, field]) => field.secret && old[name] && given[name] === undefined)
    .map(([name]) => ({
      path: `settings.${name}`,
      message: 'must be given again, because the address leads to another server',
    }))
}

const originOf = (url: string | undefined) => URL.parse(url ?? '')?.origin

const SHOWN_OF_SECRET = 4

/** Shows only the last characters of a secret. */
export function shownSettings(channel: ContactChannel, settings: ContactSettings): ContactSettings {
  const fields = FIELDS[channel]
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      fields[name]?.secret === false ? value : masked(fields[name], value),
    ]),
  )
}

function masked(field: Field | undefined, value: string): string {
  const end = value.length > SHOWN_OF_SECRET * 3 ? value.slice(-SHOWN_OF_SECRET) : ''
  const host = field?.kind === 'URL' ? URL.parse(value)?.host : undefined
  return host === undefined ? `••••${end}` : `${host}/••••${end}`
}

export type AlertContact = {
  uuid: string
  name: string
  channel: ContactChannel
  settings: ContactSettings
  enabled: boolean
  rules: AlertRules
  createdAt: Date
  updatedAt: Date
  monitors: number
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  failingSince: Date | null
  /** Failed for days. Nothing is sent to it until it is changed or tested. */
  isGivenUp: boolean
  /** Nothing is sent to an email address before its owner agrees. Other channels need no consent. */
  isConfirmed: boolean
  confirmedAt: Date | null
  /** When the confirmation email was sent; null if it never was. */
  confirmSentAt: Date | null
}

export function toApiContact(contact: AlertContact) {
  const { uuid, name, channel, settings, enabled, rules, monitors } = contact
  const { quiet } = rules
  return {
    id: toPublicId('act', uuid),
    name,
    channel,
    settings: shownSettings(channel, settings),
    enabled,
    states: [...rules.states],
    delayMinutes: rules.delayMinutes,
    reminderMinutes: rules.reminderMinutes,
    quietHours: quiet && { from: quiet.from, to: quiet.to, timezone: quiet.zone },
    monitors,
    lastSuccessAt: isoTime(contact.lastSuccessAt),
    lastFailureAt: isoTime(contact.lastFailureAt),
    failingSince: isoTime(contact.failingSince),
    givenUp: contact.isGivenUp,
    confirmed: contact.isConfirmed,
    confirmedAt: isoTime(contact.confirmedAt),
    confirmationSentAt: isoTime(contact.confirmSentAt),
    createdAt: contact.createdAt.toISOString(),
    updatedAt: contact.updatedAt.toISOString(),
  }
}
