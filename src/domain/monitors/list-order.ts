// What a list of monitors says of each: its state, its target, and the orders to sort by.
import { type MonitorSettings, type MonitorState, REQUIRED_FIELDS } from './monitor.ts'

export const MONITOR_SORTS = ['state', 'name', 'uptime', 'p95', 'changed'] as const
export type MonitorSort = (typeof MONITOR_SORTS)[number]

/** The states of the dashboard's lists, worst first. The API calls EXPIRING monitors DEGRADED. */
export const LISTED_STATES = ['DOWN', 'DEGRADED', 'EXPIRING', 'PENDING', 'UP', 'PAUSED'] as const
export type ListedState = (typeof LISTED_STATES)[number]

// These exist to watch an expiry. For other types the certificate is a detail.
export const EXPIRY_TYPES: readonly string[] = ['SSL', 'DOMAIN']

type Listed = {
  type: string | null
  state: MonitorState
  expiry?: { soon: boolean } | null
}

/** A certificate or a registration is never slow: it is DEGRADED because it expires soon. */
export function listedState({ type, state, expiry = null }: Listed): ListedState {
  const canExpire = EXPIRY_TYPES.includes(type ?? '') && (state === 'UP' || state === 'DEGRADED')
  return canExpire && (state === 'DEGRADED' || expiry?.soon === true) ? 'EXPIRING' : state
}

type Targeted = Pick<MonitorSettings, 'type' | 'url' | 'host' | 'port'>

/** What a monitor checks, in one line. Null for CRON, which waits for pings. */
export function targetOf({ type, url, host, port }: Targeted): string | null {
  const required = REQUIRED_FIELDS[type]
  if (required.includes('port')) return `${host}:${port}`
  if (required.includes('host')) return host
  return required.includes('url') ? url : null
}
