// For upvane.config.ts: types of a configuration file that is a program.
import type {
  ComponentState,
  MaintenanceWindowInput,
  MonitorInput,
  StatusPageInput,
  WebhookEndpointInput,
} from '@upvane/sdk'

export type MonitorEntry = Omit<MonitorInput, 'expectedStatus'> & {
  /** Codes and ranges such as `'200-206'`. */
  expectedStatus?: (number | string)[]
  /** Left out: it stays as it is. */
  paused?: boolean
  /** Keys of this file, or ids. Left out: they stay as they are. */
  tags?: string[]
  /** Keys of this file, or ids. Left out: they stay as they are. */
  contacts?: string[]
}

export type ContactEntry = {
  name: string
  channel: string
  settings: Record<string, string>
  enabled?: boolean
  states?: string[]
  delayMinutes?: number
  reminderMinutes?: number | null
  quietHours?: { from: string; to: string; timezone: string } | null
}

export type ComponentEntry = {
  name?: string | null
  description?: string | null
  /** A key of this file, or an id. */
  monitor?: string
  manualState?: ComponentState
}

export type StatusPageEntry = Omit<StatusPageInput, 'sections' | 'monitorIds'> & {
  sections?: { name?: string | null; collapsed?: boolean; components?: ComponentEntry[] }[]
  /** One unnamed section with these monitors. Not with `sections`. */
  monitors?: string[]
}

export type MaintenanceWindowEntry = Omit<
  MaintenanceWindowInput,
  'monitorIds' | 'statusPageIds'
> & {
  monitors?: string[]
  statusPages?: string[]
}

export type UpvaneConfig = {
  version: 1
  /** Name of this file's claim. Two files with two names never touch each other. */
  source: string
  defaults?: { monitor?: Partial<MonitorEntry> }
  contacts?: Record<string, ContactEntry>
  tags?: Record<string, { name: string }>
  monitors?: Record<string, MonitorEntry>
  statusPages?: Record<string, StatusPageEntry>
  maintenanceWindows?: Record<string, MaintenanceWindowEntry>
  webhookEndpoints?: Record<string, WebhookEndpointInput>
  moved?: { from: string; to: string }[]
}

/** Returns what it gets: only its types matter. */
export function defineConfig(config: UpvaneConfig): UpvaneConfig {
  return config
}
