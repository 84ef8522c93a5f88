// What all ways to alert by a provider's HTTP interface have in common: how one alert becomes a request, and what
// the answer means. Each provider is one file beside this one.
import type { Alert } from '../../domain/alert.ts'
import type { Posted } from '../../outbound/webhook-client.ts'

export type AlertRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** OVER: it will never be taken, such as a token that was revoked. `retryAfter` as the header would say it. */
export type Judgement = {
  verdict: 'OK' | 'RETRY' | 'OVER'
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

export type AlertChannel<Settings> = {
  request(alert: Alert, settings: Settings, origins: Origins): AlertRequest
  judge(posted: Posted): Judgement
}

export const JSON_HEADERS = { 'content-type': 'application/json' } as const

// What says that the address, the token or the channel is gone, rather than that it is busy.
const GONE = new Set([400, 401, 403, 404, 405, 410, 422])

/** By the status alone; what the body adds to it is told. */
export function judgeByStatus({ status, retryAfter, body }: Posted): Judgement {
  if (status >= 200 && status < 300) return { verdict: 'OK', error: null }
  const words = body.toString('utf8').replace(/\s+/g, ' ').trim().slice(0, 200)
  const error = words === '' ? `Answered with HTTP ${status}` : `HTTP ${status}: ${words}`
  return { verdict: GONE.has(status) ? 'OVER' : 'RETRY', error, retryAfter }
}

export function parseJson(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
