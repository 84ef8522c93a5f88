// How alerts are grouped, and the URLs of providers that have one for all customers.
import { mapOrigins, type Origins } from '../../domain/alerts/channels.ts'

export type AlertConfig = Readonly<{
  /** How long an alert waits for related ones, and the longest total wait. */
  holdSeconds: number
  togetherSeconds: number
  origins: Origins
}>

type Reader = {
  integer(name: string, bounds: { fallback: number; min: number; max: number }): number
  url(name: string, protocols: readonly string[], fallback?: string): string
}

export function readAlertConfig(read: Reader): AlertConfig {
  return {
    holdSeconds: read.integer('ALERT_HOLD_SECONDS', { fallback: 5, min: 1, max: 300 }),
    togetherSeconds: read.integer('ALERT_TOGETHER_SECONDS', { fallback: 60, min: 1, max: 600 }),
    origins: mapOrigins((channel, origin) =>
      read.url(`${channel}_URL`, ['https:', 'http:'], origin).replace(/\/$/, ''),
    ),
  }
}
