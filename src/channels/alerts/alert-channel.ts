// What all ways to alert by a provider's HTTP interface have in common: how one alert becomes a request, and what
// the answer means. Each provider is one file beside this one.
import type { Alert } from '../../domain/alerts/alert.ts'
import type { Posted } from '../../outbound/webhook-client.ts'

export type AlertRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * OVER: this one will never be taken, such as with a token that was revoked; the next one is tried all the same, as
 * who mends it need not tell us. GONE: nothing is wanted there any more. `retryAfter` as the header would say it.
 */
export type ResponseJudgement = {
  verdict: 'OK' | 'RETRY' | 'OVER' | 'GONE'
  /** In the provider's words, for people. */
  error: string | null
  retryAfter?: string | undefined
}

/** Where providers are that have one address for all; an operator may put a stand-in in their place. */
export type Origins = Readonly<Record<'telegram' | 'pagerduty' | 'opsgenie' | 'pushover', string>>

export const ORIGINS: Origins = {
  telegram: 'https://api.telegram.org',
  pagerduty: 'https://events.pagerduty.com',
  opsgenie: 'https://api.opsgenie.com',
  pushover: 'https://api.pushover.net',
}

/** What tells one delivery from another, for whoever signs it. */
export type Stamp = { deliveryId: string; sentAt: Date }

export type AlertChannel<Settings> = {
  request(alert: Alert, settings: Settings, origins: Origins, stamp: Stamp): AlertRequest
  judge(posted: Posted): ResponseJudgement
}

export const JSON_HEADERS = { 'content-type': 'application/json' } as const

// What says that the address, the token or the message is wrong, rather than that somebody is busy.
const WRONG = new Set([400, 401, 403, 404, 405, 413, 422])
const GONE = 410

/** By the status alone; what the body adds to it is told. */
export function judgeByStatus({ status, retryAfter, body }: Posted): ResponseJudgement {
  if (status >= 200 && status < 300) return { verdict: 'OK', error: null }
  const words = messageOf(body).replace(/\s+/g, ' ').trim().slice(0, 200)
  const error = words === '' ? `Answered with HTTP ${status}` : `HTTP ${status}: ${words}`
  return { verdict: verdictOf(status), error, retryAfter }
}

/** What is meant for people in an answer of JSON; of any other, all of it. */
function messageOf(body: Buffer): string {
  const { errors, error, message, description } = parseJson(body)
  const inner = typeof error === 'object' && error !== null && 'message' in error && error.message
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : []
  const told = [first, inner, error, message, description].find((one) => typeof one === 'string')
  return typeof told === 'string' ? told : body.toString('utf8')
}

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
