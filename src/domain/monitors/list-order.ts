// Sort orders for monitors, and the target each one shows.
import { type MonitorSettings, REQUIRED_FIELDS } from './monitor.ts'

export const MONITOR_SORTS = ['state', 'name', 'uptime', 'p95', 'changed'] as const
export type MonitorSort = (typeof MONITOR_SORTS)[number]

type Targeted = Pick<MonitorSettings, 'type' | 'url' | 'host' | 'port'>

/** What a monitor checks, in one line. Null for CRON, which waits for pings. */
export function targetOf({ type, url, host, port }: Targeted): string | null {
  const required = REQUIRED_FIELDS[type]
  if (required.includes('port')) return `${host}:${port}`
  if (required.includes('host')) return host
  return required.includes('url') ? url : null
}
