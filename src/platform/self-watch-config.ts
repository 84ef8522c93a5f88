// How this installation is watched, and who is told when it does not do its work.
import { isSender } from './smtp-config.ts'

export type SelfWatchConfig = Readonly<{
  /** Called while all is well; undefined: nobody is. */
  heartbeatUrl: string | undefined
  /** How often, and how long a trouble or its end must stand before it is told. */
  everySeconds: number
  /** A check or an alert that waits for longer is late. */
  lateSeconds: number
  /** Undefined: it stands in the log and the metrics alone. */
  operatorEmail: string | undefined
}>

type Reader = {
  text(name: string, fallback?: string): string
  url(name: string, protocols: readonly string[], fallback?: string): string
  integer(name: string, bounds: { fallback: number; min: number; max: number }): number
  problems: string[]
}

export function readSelfWatchConfig(read: Reader, canMail: boolean): SelfWatchConfig {
  const email = read.text('OPERATOR_EMAIL', '')
  if (email !== '' && !isSender(email))
    read.problems.push('OPERATOR_EMAIL must be an address such as ops@example.com')
  if (email !== '' && !canMail) read.problems.push('OPERATOR_EMAIL needs SMTP_URL')
  return {
    heartbeatUrl: read.url('SELF_HEARTBEAT_URL', ['https:', 'http:'], '') || undefined,
    everySeconds: read.integer('SELF_HEARTBEAT_SECONDS', { fallback: 30, min: 1, max: 3600 }),
    lateSeconds: read.integer('SELF_LATE_SECONDS', { fallback: 300, min: 1, max: 86_400 }),
    operatorEmail: email || undefined,
  }
}
