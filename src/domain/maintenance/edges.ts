// Finds the next thing to do about a window at a given time, one edge after the other. A window that was not processed
// for a while catches up the same way: no edge is skipped, and each keeps its own time.
import { nextOccurrence, type Occurrence } from './maintenance.ts'
import type { MaintenanceWindow, Progress } from './window.ts'

export type Edge =
  | { do: 'COVER'; from: Date; to: Date }
  | { do: 'START' | 'END'; at: Date; occurrence: Occurrence }

// Spans are written this long before they begin, so that they exist before the first check result they cover, even
// after a restart or with a hundred thousand of them.
const COVER_AHEAD_MS = 60_000

/** Whether spans may be due as soon as the window is saved. A recurring window that has begun always counts as near. */
export function beginsSoon({ startsAt }: Pick<MaintenanceWindow, 'startsAt'>, now: Date): boolean {
  return startsAt.getTime() <= now.getTime() + COVER_AHEAD_MS
}

/** When the window must be processed next; null if nothing is left. */
export function nextEdgeAt({ occurrence, covered, started }: Progress): Date | null {
  if (occurrence === null) return null
  if (!covered) return new Date(occurrence.startsAt.getTime() - COVER_AHEAD_MS)
  return started ? occurrence.endsAt : occurrence.startsAt
}

export function dueEdge(progress: Progress, now: Date): Edge | undefined {
  const { occurrence, covered, started, countsFrom } = progress
  const edgeAt = nextEdgeAt(progress)
  if (occurrence === null || edgeAt === null || edgeAt > now) return undefined
  const from = occurrence.startsAt > countsFrom ? occurrence.startsAt : countsFrom
  if (!covered) return { do: 'COVER', from, to: occurrence.endsAt }
  if (!started) return { do: 'START', at: from, occurrence }
  return { do: 'END', at: occurrence.endsAt, occurrence }
}

export function afterEdge(window: MaintenanceWindow, edge: Edge): MaintenanceWindow {
  if (edge.do === 'COVER') return { ...window, covered: true }
  if (edge.do === 'START') return { ...window, started: true }
  const occurrence = nextOccurrence(window, edge.occurrence.endsAt)
  return { ...window, occurrence, covered: false, started: false }
}
