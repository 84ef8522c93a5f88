// When visitors can expect the next update of a published incident.
import type { Problem } from '../values/problem.ts'
import type { StatusIncidentStatus } from './status-incident.ts'

const MAX_DAYS_AHEAD = 7
const DAY_MS = 86_400_000

export function nextUpdateProblems(
  nextUpdateBy: Date | undefined,
  status: StatusIncidentStatus,
  now: Date,
): Problem[] {
  const path = 'nextUpdateBy'
  if (nextUpdateBy === undefined) return []
  if (status === 'RESOLVED')
    return [{ path, message: 'is only for an incident that is not RESOLVED' }]
  if (nextUpdateBy <= now) return [{ path, message: 'must be in the future' }]
  if (nextUpdateBy.getTime() - now.getTime() <= MAX_DAYS_AHEAD * DAY_MS) return []
  return [{ path, message: 'must be at most 7 days in the future' }]
}

type Promised = { nextUpdateBy: Date | null; resolvedAt: Date | null }

/** What the public page may say: nothing once the time has passed, or the incident is over. */
export function shownNextUpdate({ nextUpdateBy, resolvedAt }: Promised, now: Date): Date | null {
  return nextUpdateBy !== null && resolvedAt === null && nextUpdateBy > now ? nextUpdateBy : null
}
