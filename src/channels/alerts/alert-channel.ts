// Shared by all providers that send alerts over HTTP: how an alert becomes a request, and what the response means. Each
// provider has its own file in this folder.
import { type Alert, closes, opens } from '../../domain/alerts/alert.ts'
import type { ContactChannel, Origins, SettingsOf } from '../../domain/alerts/channels.ts'
import type { ContactSettings } from '../../domain/alerts/contact.ts'
import type { Posted, PostMethod } from '../../outbound/webhook-client.ts'

export type AlertRequest = {
  /** POST, unless the provider wants another. */
  method?: PostMethod
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * OVER: this alert will never be accepted, for example because the token was revoked; the next one is still tried,
 * because the token may be fixed without our knowing. GONE: the receiver wants nothing anymore. `retryAfter` has the
 * format of the header.
 */
export type ResponseJudgement = {
  verdict: 'OK' | 'RETRY' | 'OVER' | 'GONE'
  /** In the provider's words, for people to read. */
  error: string | null
  retryAfter?: string | undefined
}

/** Identifies a delivery, for channels that sign it. */
type Stamp = {
  deliveryId: string
  sentAt: Date
  /** What the provider calls the message that began the thread, such as the number of an issue; null if it is new. */
  reference?: string | null
}

/** Of one request for each alert. Email and the devices of a person are sent to in other ways. */
export type HttpChannel = Exclude<ContactChannel, 'EMAIL' | 'WEB_PUSH'>

export type OutgoingAlert<C extends HttpChannel> = Stamp & {
  contactId: string
  channel: C
  settings: ContactSettings
  alert: Alert
}

export type AlertChannel<C extends HttpChannel> = {
  request(alert: Alert, settings: SettingsOf<C>, origins: Origins, stamp: Stamp): AlertRequest
  judge(posted: Posted): ResponseJudgement
  /** What is said after the first request was accepted; undefined if that was all. */
  followUp?(
    alert: Alert,
    settings: SettingsOf<C>,
    origins: Origins,
    stamp: Stamp,
  ): AlertRequest | undefined
  /** The provider's name for the message, in an accepted response. */
  referenceIn?(posted: Posted): string | undefined
}

export const JSON_HEADERS = { 'content-type': 'application/json' } as const

/** The address of a server that may end with slashes, for paths to be added. */
export const baseOf = (server: string): string => server.replace(/\/{1,16}$/, '')

export const bearer = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` }

/** The key of an alarm. An alert that is never resolved must not deduplicate the next one of its kind. */
export const alarmKeyOf = (alert: Alert): string =>
  opens(alert) || closes(alert) ? alert.thread : `${alert.thread}/${alert.at}`

// These mean that the address, token or message is wrong, not that the provider is busy.
const WRONG = new Set([400, 401, 403, 404, 405, 413, 422])
const GONE = 410

/** Judges by the status alone; the body only adds to the error message. */
export function judgeByStatus({ status, retryAfter, body }: Posted): ResponseJudgement {
  if (status >= 200 && status < 300) return { verdict: 'OK', error: null }
  const words = messageOf(body).replace(/\s+/g, ' ').trim().slice(0, 200)
  const error = words === '' ? `Answered with HTTP ${status}` : `HTTP ${status}: ${words}`
  return { verdict: verdictOf(status), error, retryAfter }
}

/** The readable message in a JSON response; otherwise the whole body. */
function messageOf(body: Buffer): string {
  const { errors, error, message, description, errorDescription } = parseJson(body)
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : []
  const parts = [first, messageIn(first), messageIn(error), errorDescription]
  const told = [...parts, error, message, description].find(isSaid)
  return told ?? body.toString('utf8')
}

const messageIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'message' in value ? value.message : undefined

const isSaid = (value: unknown): value is string => typeof value === 'string' && value !== ''

function verdictOf(status: number): ResponseJudgement['verdict'] {
  if (status === GONE) return 'GONE'
  return WRONG.has(status) ? 'OVER' : 'RETRY'
}

export function parseJson(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
