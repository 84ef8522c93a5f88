// Sort orders for monitors, and the target each one shows.
import type { MonitorSettings } from './monitor.ts'

export const MONITOR_SORTS = ['state', 'name', 'uptime', 'p95', 'changed'] as const
export type MonitorSort = (typeof MONITOR_SORTS)[number]

type Targeted = Pick<MonitorSettings, 'type' | 'url' | 'host' | 'port'>

/** What a monitor checks, in one line. Null for CRON, which waits for pings. */
export function targetOf({ type, url, host, port }: Targeted): string | null {
  switch (type) {
    case 'CRON':
      return null
    case 'PING':
      return host
    case 'PORT':
      return `${host}:${port}`
    default:
      return url
  }
}
