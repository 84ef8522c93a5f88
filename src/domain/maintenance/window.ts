// A maintenance window as it is kept, how people see it, and what is told of it.
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

/** How far a window has come. */
export type Progress = {
  /** The one under way, or else the next. */
  occurrence: Occurrence | null
  /** Whether its spans are written. */
  covered: boolean
  /** Whether its start was told. */
  started: boolean
  /** Nothing before this counts: when the window was made, or last moved while it was not active. */
  countsFrom: Date
}

export type MaintenanceWindow = WindowSettings &
  Progress & {
    uuid: string
    /** Pages were named. When the last of them is gone the window is shown on none, not on all. */
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
    startsAt: window.startsAt.toISOString(),
    endsAt: window.endsAt.toISOString(),
    timezone: window.timezone,
    recurrence: recurrence && {
      ...recurrence,
      daysOfWeek: recurrence.daysOfWeek && [...recurrence.daysOfWeek],
      endsAt: recurrence.endsAt?.toISOString() ?? null,
    },
    allMonitors: window.allMonitors,
    monitorIds: window.monitorUuids.map((uuid) => toPublicId('mon', uuid)),
    statusPageIds: window.pageUuids.map((uuid) => toPublicId('sp', uuid)),
    showOnStatusPages: window.showOnStatusPages,
    notifySubscribers: window.notifySubscribers,
    currentOccurrence: toApiOccurrence(current),
    nextOccurrence: toApiOccurrence(upcoming[0] ?? null),
    upcomingOccurrences: upcoming.flatMap((occurrence) => toApiOccurrence(occurrence) ?? []),
    createdAt: window.createdAt.toISOString(),
    updatedAt: window.updatedAt.toISOString(),
  }
}

function toApiOccurrence(occurrence: Occurrence | null) {
  if (occurrence === null) return null
  const { startsAt, endsAt } = occurrence
  return { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() }
}

/** One thing to tell of a window, which is given as it is after it. */
export type WindowTransition = {
  what: 'scheduled' | 'started' | 'ended' | 'canceled'
  window: MaintenanceWindow
  occurrence: Occurrence | null
  at: Date
}

export function windowEvent({ what, window, occurrence, at }: WindowTransition): EventDraft {
  const data = {
    maintenanceWindow: toApiWindow(window, at),
    occurrence: toApiOccurrence(occurrence),
  }
  return { type: `maintenance.${what}`, at, data }
}

export type ShownWindow = Pick<
  MaintenanceWindow,
  'showOnStatusPages' | 'onNamedPages' | 'pageUuids' | 'allMonitors' | 'monitorUuids'
>

/** Named pages show a window; if none was named, every page with a monitor it covers. */
export function shownOn(
  window: ShownWindow,
  page: { uuid: string; monitorUuids: readonly string[] },
): boolean {
  if (!window.showOnStatusPages) return false
  if (window.onNamedPages) return window.pageUuids.includes(page.uuid)
  const covered = new Set(window.monitorUuids)
  return page.monitorUuids.some((uuid) => window.allMonitors || covered.has(uuid))
}
