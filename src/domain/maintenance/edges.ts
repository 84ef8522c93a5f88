// What is to be done about a window at an instant, one edge after the other. A window that nobody looked at
// for a while is brought up to date the same way: nothing is left out, and everything has its own time.
import { nextOccurrence, type Occurrence } from './maintenance.ts'
import type { MaintenanceWindow, Progress } from './window.ts'

export type Edge =
  | { do: 'COVER'; from: Date; to: Date }
  | { do: 'START' | 'END'; at: Date; occurrence: Occurrence }

// Spans are written this long before they begin: neither a restart nor a hundred thousand of them then lets a
// check land before they are there.
const COVER_AHEAD_MS = 60_000

/** Whether spans may be due as soon as it is written. A repeating window that has begun is taken to be near. */
export function beginsSoon({ startsAt }: Pick<MaintenanceWindow, 'startsAt'>, now: Date): boolean {
  return startsAt.getTime() <= now.getTime() + COVER_AHEAD_MS
}

/** When somebody has to look at it again; null when there is nothing left. */
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
