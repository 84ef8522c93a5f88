// A maintenance window as stored, how the API shows it, and its events.
import type { EventDraft } from '../events/event.ts'
import { toPublicId } from '../values/id.ts'
import { type Occurrence, outlook, type Schedule, spelledOut } from './maintenance.ts'

export type WindowSettings = Schedule & {
  name: string
  description: string | null
  allMonitors: boolean
  monitorUuids: readonly string[]
  pageUuids: readonly string[]
  showOnStatusPages: boolean
  notifySubscribers: boolean
}

/** How far a window has been processed. */
export type Progress = {
  /** The current occurrence, or else the next. */
  occurrence: Occurrence | null
  /** Whether the spans of the occurrence are written. */
  covered: boolean
  /** Whether the start event was published. */
  started: boolean
  /** Nothing before this time is covered: when the window was created, or last moved while it was not active. */
  countsFrom: Date
}

export type MaintenanceWindow = WindowSettings &
  Progress & {
    uuid: string
    /** Pages were named explicitly. If the last of them is deleted, the window is shown on none instead of all. */
    onNamedPages: boolean
    createdAt: Date
    updatedAt: Date
  }

export function toApiWindow(window: MaintenanceWindow, now: Date) {
  const { status, current, upcoming } = outlook(window, now)
  const recurrence = spelledOut(window)
  return {
    id: toPublicId('mw', window.uuid),
    name: window.name,
    description: window.description,
    status,
    startsAt: window.startsAt,
    endsAt: window.endsAt,
    timezone: window.timezone,
    recurrence: recurrence && {
      ...recurrence,
      daysOfWeek: recurrence.daysOfWeek && [...recurrence.daysOfWeek],
      endsAt: recurrence.endsAt ?? null,
    },
    allMonitors: window.allMonitors,
    monitorIds: window.monitorUuids.map((uuid) => toPublicId('mon', uuid)),
    statusPageIds: window.pageUuids.map((uuid) => toPublicId('sp', uuid)),
    showOnStatusPages: window.showOnStatusPages,
    notifySubscribers: window.notifySubscribers,
    currentOccurrence: current,
    nextOccurrence: upcoming[0] ?? null,
    upcomingOccurrences: upcoming,
    createdAt: window.createdAt,
    updatedAt: window.updatedAt,
  }
}

/** One event of a window. `window` is its state after the event. */
export type WindowTransition = {
  what: 'scheduled' | 'started' | 'ended' | 'canceled'
  window: MaintenanceWindow
  occurrence: Occurrence | null
  at: Date
}

export function windowEvent({ what, window, occurrence, at }: WindowTransition): EventDraft {
  const data = {
    maintenanceWindow: toApiWindow(window, at),
    occurrence,
  }
  return { type: `maintenance.${what}`, at, data }
}

export type ShownWindow = Pick<
  MaintenanceWindow,
  'showOnStatusPages' | 'onNamedPages' | 'pageUuids' | 'allMonitors' | 'monitorUuids'
>

/** Named pages show a window. If none are named, every page with a covered monitor shows it. */
export function shownOn(
  window: ShownWindow,
  page: { uuid: string; monitorUuids: readonly string[] },
): boolean {
  if (!window.showOnStatusPages) return false
  if (window.onNamedPages) return window.pageUuids.includes(page.uuid)
  const covered = new Set(window.monitorUuids)
  return page.monitorUuids.some((uuid) => window.allMonitors || covered.has(uuid))
}
