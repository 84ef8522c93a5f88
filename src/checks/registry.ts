// Every type of check, one row each. CRON has none, because it waits for pings.
import type { MonitorSettings, MonitorType } from '../domain/monitors/monitor.ts'
import type { Check } from './check.ts'
import { dnsCheck } from './dns.ts'
import { domainCheck } from './domain.ts'
import { httpCheck } from './http.ts'
import { keywordCheck } from './keyword.ts'
import { pingCheck } from './ping.ts'
import { portCheck } from './port.ts'
import { sslCheck } from './ssl.ts'

type CheckType = Exclude<MonitorType, 'CRON'>

const CHECKS = {
  HTTP: httpCheck,
  KEYWORD: keywordCheck,
  PING: pingCheck,
  PORT: portCheck,
  DNS: dnsCheck,
  SSL: sslCheck,
  DOMAIN: domainCheck,
} satisfies { [Type in CheckType]: Check<{ type: Type }> }

/** What a probe needs for one attempt: a plain object that survives JSON. */
export type CheckTarget = ReturnType<(typeof CHECKS)[CheckType]['toTarget']>

/** What this version can check. */
export const CHECK_TYPES = Object.keys(CHECKS)

const BY_TYPE: ReadonlyMap<string, Check<CheckTarget>> = new Map(Object.entries(CHECKS))

/** Undefined if only another version has this type. Its target must be of the same type. */
export const findCheckByType = (type: string): Check<CheckTarget> | undefined => BY_TYPE.get(type)

/** Reduces a monitor to what a probe needs to know. */
export function toTarget(monitor: MonitorSettings): CheckTarget {
  if (monitor.type === 'CRON') throw new Error('A CRON monitor is not checked')
  return CHECKS[monitor.type].toTarget(monitor)
}
