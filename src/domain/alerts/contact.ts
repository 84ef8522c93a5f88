// An alert contact: how it is reached, when it is notified, and how the API shows it.
import { type AddressPolicy, webhookUrlProblem } from '../events/webhook.ts'
import { parseEmailAddress } from '../values/email-address.ts'
import { toPublicId } from '../values/id.ts'
import type { Problem } from '../values/problem.ts'
import { isTimezone } from '../values/timezone.ts'
import type { SettingField } from './channels/row.ts'
import { CHANNELS, type ContactChannel, type SettingsOf } from './channels.ts'
import type { AlertRules } from './model.ts'

/** As stored, keyed by field name. */
export type ContactSettings = Readonly<Record<string, string>>

const MAX_SETTING = 2048

/** Whether the settings name the server to send to, and not only a recipient. */
export function hasOwnAddress(channel: ContactChannel): boolean {
  return Object.values(CHANNELS[channel].fields).some(({ kind }) => kind === 'URL')
}

/** The settings are validated as a whole. */
export function settingsProblems(
  channel: ContactChannel,
  settings: Readonly<Record<string, unknown>>,
  policy: AddressPolicy,
): Problem[] {
  const { fields, problemsOf } = CHANNELS[channel]
  const unknown = Object.keys(settings)
    .filter((name) => !(name in fields))
    .map((name) => ({ path: `settings.${name}`, message: `is not a setting of ${channel}` }))
  const wrong = Object.entries(fields).flatMap(([name, field]) => {
    const message = valueProblem(field, settings[name], policy)
    return message === undefined ? [] : [{ path: `settings.${name}`, message }]
  })
  const more = wrong.length === 0 ? problemsOf?.(settings) : undefined
  return [...unknown, ...wrong, ...(more ?? [])]
}

function valueProblem(
  field: SettingField,
  value: unknown,
  policy: AddressPolicy,
): string | undefined {
  if (value === undefined || value === '') return field.optional ? undefined : 'is required'
  const { max = MAX_SETTING } = field
  if (typeof value !== 'string' || value.length > max)
    return `must be a text of up to ${max} characters`
  if (field.kind === 'URL') return webhookUrlProblem(value, policy)
  if (field.kind === 'EMAIL')
    return parseEmailAddress(value) === undefined ? 'must be an email address' : undefined
  if (field.kind === 'LINES') return field.problemOf?.(value)
  return textProblem(field, value)
}

// Texts are used in headers and URLs.
const PRINTABLE = { pattern: /^[\x21-\x7e]+$/, message: 'must be letters, digits and signs' }

function textProblem({ options, format = PRINTABLE }: SettingField, value: string) {
  if (options !== undefined)
    return options.includes(value) ? undefined : `must be ${options.join(' or ')}`
  return format.pattern.test(value) ? undefined : format.message
}

/** Stored settings with the type of their channel. They were validated when they were saved. */
export function toSettings<C extends ContactChannel>(
  channel: C,
  stored: ContactSettings,
): SettingsOf<C> {
  const values = Object.entries(CHANNELS[channel].fields).map(([name, field]) => [
    name,
    settingValue(field, stored[name] ?? ''),
  ])
  // Safe because the type lists the same fields.
  return Object.fromEntries(values) as SettingsOf<C>
}

function settingValue({ optional, options }: SettingField, value: string) {
  if (optional && value === '') return null
  return options === undefined || options.includes(value) ? value : options[0]
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
  const fields: [string, SettingField][] = Object.entries(CHANNELS[channel].fields)
  const urls = fields
    .filter(([name, { kind }]) => kind === 'URL' && given[name] !== undefined)
    .map(([name]) => ({ from: old[name] ?? '', to: given[name] ?? '' }))
  const isElsewhere = urls.some(({ from, to }) => originOf(from) !== originOf(to))
  const isMoved = urls.some(({ from, to }) => !isWithin(from, to))
  return fields
    .filter(([name, field]) => field.secret && old[name] && given[name] === undefined)
    .filter(([, { isNeverSent }]) => (isNeverSent ? isElsewhere : isMoved))
    .map(([name]) => ({
      path: `settings.${name}`,
      message: 'must be given again, because the address leads to another server',
    }))
}

const originOf = (url: string) => URL.parse(url)?.origin

// Some servers decode them and then read the path again.
const HIDDEN_SEPARATORS = /%2f|%5c|%2e|;/i

/** Whether everything sent to `to` is still sent below `from`. One host can have many customers, each with a path. */
function isWithin(from: string, to: string): boolean {
  const [before, after] = [URL.parse(from), URL.parse(to)]
  if (before === null || after === null) return from === to
  if (before.href === after.href) return true
  const folder = before.pathname.replace(/\/$/, '')
  const isBelow = after.pathname === folder || after.pathname.startsWith(`${folder}/`)
  const rest = after.pathname.slice(folder.length)
  const isSame = before.origin === after.origin && before.search === after.search
  return isSame && isBelow && !HIDDEN_SEPARATORS.test(rest)
}

const SHOWN_OF_SECRET = 4

/** Shows only the last characters of a secret. */
export function shownSettings(channel: ContactChannel, settings: ContactSettings): ContactSettings {
  const { fields } = CHANNELS[channel]
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      fields[name]?.secret === false ? value : masked(fields[name], value),
    ]),
  )
}

function masked(field: SettingField | undefined, value: string): string {
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
  /** How many browsers it reaches; null for channels without devices. */
  devices: number | null
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
    lastSuccessAt: contact.lastSuccessAt,
    lastFailureAt: contact.lastFailureAt,
    failingSince: contact.failingSince,
    givenUp: contact.isGivenUp,
    confirmed: contact.isConfirmed,
    confirmedAt: contact.confirmedAt,
    confirmationSentAt: contact.confirmSentAt,
    devices: contact.devices,
    createdAt: contact.createdAt,
    updatedAt: contact.updatedAt,
  }
}

/** In which its alerts write times: the zone of its quiet hours; else of the person who reads its address. */
export const zoneOfContact = (
  { channel, settings, rules }: Pick<AlertContact, 'channel' | 'settings' | 'rules'>,
  zoneOf: (address?: string) => string,
): string => rules.quiet?.zone ?? zoneOf(channel === 'EMAIL' ? settings['address'] : undefined)
