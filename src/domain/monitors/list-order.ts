// In which order people look at their monitors, and what each is looked at for.
import type { MonitorSettings } from './monitor.ts'

export const MONITOR_SORTS = ['state', 'name', 'uptime', 'p95', 'changed'] as const
export type MonitorSort = (typeof MONITOR_SORTS)[number]

type Targeted = Pick<MonitorSettings, 'type' | 'url' | 'host' | 'port'>

/** What a monitor looks at, in one line; null for CRON, which waits to be called. */
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
