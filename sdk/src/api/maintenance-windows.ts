// Made from openapi.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Call } from '../client/call.ts'
import type { List } from '../client/list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'
import type {
  MaintenanceWindow,
  MaintenanceWindowStatus,
  RecurrenceFrequency,
  Weekday,
} from '../event-shapes.ts'
import type { Deleted } from './shared.ts'

export type MaintenanceWindowInput = {
  /** Name of the window. */
  name: string
  /** What is done, for visitors of status pages. */
  description?: string | null
  /** Start of the window; of its first occurrence when it repeats. */
  startsAt: string | Date
  /** End of the window; of its first occurrence when it repeats. At most 30 days after its start. */
  endsAt: string | Date
  /** IANA time zone whose wall clock the recurrence follows. Default: `UTC`. */
  timezone?: string
  /** How it repeats. Null for a window that happens once. */
  recurrence?: RecurrenceInput | null
  /** Whether it covers every monitor, including ones created later. Default: `false`. */
  allMonitors?: boolean
  /** Monitors it covers, each once. Kept, but without effect, while `allMonitors` is true. Needed unless `allMonitors` is true. Default: `[]`. */
  monitorIds?: string[]
  /** Status pages that show it. Empty: every page with a covered monitor. Default: `[]`. */
  statusPageIds?: string[]
  /** Whether status pages show it. Default: `true`. */
  showOnStatusPages?: boolean
  /** Whether subscribers of the pages are notified. Default: `false`. */
  notifySubscribers?: boolean
}

export type MaintenanceWindowPatch = Partial<MaintenanceWindowInput>

export type RecurrenceInput = {
  /** How often it repeats. */
  frequency: RecurrenceFrequency
  /** Every how many days, weeks or months. Default: `1`. */
  interval?: number
  /** WEEKLY only: days on which it happens. Left out: the day of `startsAt`. */
  daysOfWeek?: Weekday[] | null
  /** MONTHLY only: 1 to 31, or -1 for the last day. A month without that day is skipped. */
  dayOfMonth?: number | null
  /** No occurrence starts at or after this. Null: it repeats without end. */
  endsAt?: string | Date | null
}

export type MaintenanceWindowsQuery = {
  /** Only windows with these statuses. */
  status?: MaintenanceWindowStatus | readonly MaintenanceWindowStatus[]
  /** Only windows that cover this monitor. */
  monitorId?: string
}

export type MaintenanceWindows = {
  /** List maintenance windows. */
  list(query?: MaintenanceWindowsQuery, options?: CallOptions): List<MaintenanceWindow>
  /** Create a maintenance window. */
  create(input: MaintenanceWindowInput, options?: WriteOptions): Call<MaintenanceWindow>
  /** Get a maintenance window. */
  get(id: string, options?: CallOptions): Call<MaintenanceWindow>
  /** Update a maintenance window. */
  update(
    id: string,
    changes: MaintenanceWindowPatch,
    options?: WriteOptions,
  ): Call<MaintenanceWindow>
  /** Delete a maintenance window. */
  delete(id: string, options?: WriteOptions): Call<Deleted>
}
