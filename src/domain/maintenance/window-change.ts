// What a user's change does to a window that is up to date. What has begun is never rewritten except for its end: a
// change counts from the time it is made.
import { nextOccurrence, type Occurrence, spelledOut, statusOf } from './maintenance.ts'
import type { MaintenanceWindow, Progress, WindowSettings } from './window.ts'

export type WindowPatch = Partial<WindowSettings>

export type WindowChange = {
  window: MaintenanceWindow
  changedFields: (keyof WindowSettings)[]
  /**
   * RELEASE: current coverage ends now, and planned coverage is dropped. ADJUST: coverage continues with the window's
   * new monitors and end.
   */
  spans: 'KEEP' | 'RELEASE' | 'ADJUST'
  /** The occurrence that this change ends, with its actual end. */
  ended: Occurrence | null
}

const SCHEDULE_FIELDS = ['startsAt', 'endsAt', 'timezone', 'recurrence'] as const
const COVERAGE_FIELDS = ['allMonitors', 'monitorUuids'] as const
const TEXT_FIELDS: readonly (keyof WindowSettings)[] = ['name', 'description']

/** Whether a patch may change which monitors are covered, or when. */
export function movesSpans(patch: WindowPatch): boolean {
  return [...SCHEDULE_FIELDS, ...COVERAGE_FIELDS].some((field) => patch[field] !== undefined)
}

export function firstProgress(settings: WindowSettings, now: Date): Progress {
  const occurrence = nextOccurrence(settings, now)
  return { occurrence, covered: false, started: false, countsFrom: now }
}

export function changeWindow(
  before: MaintenanceWindow,
  given: WindowPatch,
  now: Date,
): WindowChange {
  const patch = endingEarly(before, sameInWords(before, given), now)
  const changedFields = fieldsThatDiffer(before, patch)
  const changed = (fields: readonly (keyof WindowSettings)[]) =>
    fields.some((field) => changedFields.includes(field))
  const window: MaintenanceWindow = { ...before, ...patch }
  if (changedFields.length > 0) window.updatedAt = now
  if (changed(['pageUuids'])) window.onNamedPages = window.pageUuids.length > 0
  if (!changed(SCHEDULE_FIELDS) && !changed(COVERAGE_FIELDS))
    return { window, changedFields, spans: 'KEEP', ended: null }

  const occurrence = nextOccurrence(window, now)
  if (before.started && occurrence !== null && occurrence.startsAt <= now)
    return { window: { ...window, occurrence }, changedFields, spans: 'ADJUST', ended: null }
  return {
    window: { ...window, ...firstProgress(window, now) },
    changedFields,
    spans: before.covered ? 'RELEASE' : 'KEEP',
    ended: before.started && before.occurrence ? { ...before.occurrence, endsAt: now } : null,
  }
}

/** A completed window that gets a new occurrence counts toward the plan's limit again. */
export function reopens(before: MaintenanceWindow, after: MaintenanceWindow, now: Date): boolean {
  return statusOf(before, now) === 'COMPLETED' && statusOf(after, now) !== 'COMPLETED'
}

/** A completed one-time window is a record: only its name and description may still change. */
export function isSealed(
  before: MaintenanceWindow,
  changedFields: readonly (keyof WindowSettings)[],
  now: Date,
): boolean {
  const isOver = before.recurrence === null && statusOf(before, now) === 'COMPLETED'
  return isOver && changedFields.some((field) => !TEXT_FIELDS.includes(field))
}

// A one-time window that has begun may be ended at any time since its start. An earlier end means now, since it cannot
// end before it began.
function endingEarly(before: MaintenanceWindow, patch: WindowPatch, now: Date): WindowPatch {
  const { startsAt, endsAt } = { ...before, ...patch }
  const isOnce = before.recurrence === null && !patch.recurrence
  const moved = startsAt.getTime() !== before.startsAt.getTime()
  if (!before.started || !isOnce || moved || endsAt > startsAt) return patch
  return { ...patch, endsAt: now }
}

// A client may send back what it read: a default written out is not a change.
function sameInWords(before: MaintenanceWindow, patch: WindowPatch): WindowPatch {
  const after = { ...before, ...patch }
  const differs = (['startsAt', 'timezone'] as const).some((field) => !isSame(before, after, field))
  if (patch.recurrence === undefined || differs) return patch
  const same = JSON.stringify(spelledOut(before)) === JSON.stringify(spelledOut(after))
  return same ? { ...patch, recurrence: before.recurrence } : patch
}

function fieldsThatDiffer(before: WindowSettings, patch: WindowPatch): (keyof WindowSettings)[] {
  const fields = Object.keys(patch) as (keyof WindowSettings)[]
  return fields.filter((field) => !isSame(before, patch, field))
}

function isSame(a: WindowPatch, b: WindowPatch, field: keyof WindowSettings): boolean {
  return JSON.stringify(a[field]) === JSON.stringify(b[field])
}
