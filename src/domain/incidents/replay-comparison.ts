// What was recorded beside what a replay gives.
import type { RecordedIncident } from './recorded-result.ts'
import type { ReplayedIncident } from './replay.ts'

export type IncidentComparison = ReplayedIncident & {
  /** NEW has no recorded counterpart, GONE no replayed one; CHANGED ends differently. */
  change: 'SAME' | 'CHANGED' | 'NEW' | 'GONE'
}

/** What was recorded beside what would have been, by time. */
export function compareIncidents(
  recorded: readonly RecordedIncident[],
  replayed: readonly ReplayedIncident[],
): IncidentComparison[] {
  const byUuid = new Map(recorded.map((incident) => [incident.uuid, incident]))
  const kept = new Set(replayed.map(({ recordedUuid }) => recordedUuid))
  const gone = recorded
    .filter(({ uuid }) => !kept.has(uuid))
    .map(({ uuid, startedAt, resolvedAt, resolution, causeCode }) => ({
      recordedUuid: uuid,
      startedAt,
      resolvedAt,
      resolution,
      causeCode,
      change: 'GONE' as const,
    }))
  const found = replayed.map((incident) => ({
    ...incident,
    change: changeOf(incident, byUuid.get(incident.recordedUuid ?? '')),
  }))
  return [...found, ...gone].toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
}

function changeOf(
  { resolvedAt, resolution }: ReplayedIncident,
  recorded: RecordedIncident | undefined,
): IncidentComparison['change'] {
  if (recorded === undefined) return 'NEW'
  const isSame = resolvedAt?.getTime() === recorded.resolvedAt?.getTime()
  return isSame && resolution === recorded.resolution ? 'SAME' : 'CHANGED'
}
