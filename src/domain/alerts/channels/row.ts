// What is known about a channel: its name, its settings, and how its provider behaves.
import type { Problem } from '../../values/problem.ts'

export type SettingField = {
  /** URL: an address of the organization's choice, validated like a webhook's. LINES: a text with line breaks. */
  kind: 'URL' | 'EMAIL' | 'TEXT' | 'LINES'
  /** Only the last characters of a secret are shown. */
  secret: boolean
  /** Of a secret: it signs what is sent, and stays here. */
  isNeverSent?: true
  optional?: true
  /** Of TEXT: one of these. If it is optional, the first is the default. */
  options?: readonly string[]
  /** Of TEXT: a format of its own. */
  format?: { pattern: RegExp; message: string }
  /** Of LINES: what is wrong with a value. */
  problemOf?: (value: string) => string | undefined
  /** The most characters, if it is not the usual bound. */
  max?: number
  /** In the dashboard's form. */
  label: string
  hint?: string
}

export type ChannelRow = {
  label: string
  /** The label inside a sentence, if it differs. */
  inSentence?: string
  fields: Readonly<Record<string, SettingField>>
  /** What is wrong with settings that are valid one by one. */
  problemsOf?: (settings: Readonly<Record<string, unknown>>) => readonly Problem[]
  /** Where the provider is reached, if that is the same for all customers. The variable <CHANNEL>_URL replaces it. */
  origin?: string
  /** The provider keeps an alarm open until it is closed. */
  keepsAlarm?: true
  /** People read its messages: a link in them acknowledges the incident without signing in. */
  acknowledgesByLink?: true
  /** Belongs to a member, who creates it by turning on notifications. */
  isPersonal?: true
}

export const TEXT = { kind: 'TEXT', secret: false } as const
export const SECRET = { kind: 'TEXT', secret: true } as const
export const SERVER = { kind: 'URL', secret: false, label: 'Server' } as const
// The URL of a chat webhook is all it takes to post there, so it is a secret too.
export const HOOK = { kind: 'URL', secret: true, label: 'Webhook URL' } as const
export const PHONE_NUMBER = {
  pattern: /^\+[1-9][0-9]{6,14}$/,
  message: 'must be a number with its country code, such as +14155550100',
} as const
