// The last days of the history: what is said about each.
import type { ResponseOf } from '../../api/contract.ts'
import { plural } from '../../time/figures.ts'
import { formatDuration } from '../../time/format.ts'

export type IncidentDay = ResponseOf<'GET /overview/incident-days'>['days'][number]

/** `2 incidents, 34 min`, counting only downtime within the day. */
export function daySummary({ incidents, ongoing, downSeconds }: IncidentDay): string {
  const down = ongoing ? 'ongoing' : formatDuration(downSeconds * 1000)
  return `${plural(incidents, 'incident')}, ${down}`
}
