// How alerts are grouped, and the URLs of providers that have one for all customers.

export type AlertConfig = Readonly<{
  /** How long an alert waits for related ones, and the longest total wait. */
  holdSeconds: number
  togetherSeconds: number
  origins: Readonly<Record<'telegram' | 'pagerduty' | 'opsgenie' | 'pushover', string>>
}>

type Reader = {
  integer(name: string, bounds: { fallback: number; min: number; max: number }): number
  url(name: string, protocols: readonly string[], fallback?: string): string
}

export function readAlertConfig(read: Reader): AlertConfig {
  const origin = (name: string, fallback: string) =>
    read.url(name, ['https:', 'http:'], fallback).replace(/\/$/, '')
  return {
    holdSeconds: read.integer('ALERT_HOLD_SECONDS', { fallback: 5, min: 1, max: 300 }),
    togetherSeconds: read.integer('ALERT_TOGETHER_SECONDS', { fallback: 60, min: 1, max: 600 }),
    origins: {
      telegram: origin('TELEGRAM_URL', 'https://api.telegram.org'),
      pagerduty: origin('PAGERDUTY_URL', 'https://events.pagerduty.com'),
      opsgenie: origin('OPSGENIE_URL', 'https://api.opsgenie.com'),
      pushover: origin('PUSHOVER_URL', 'https://api.pushover.net'),
    },
  }
}
