// What publishing, editing and updating do to a published incident. RESOLVED has an end and leaves no component
// affected. Any other status has no end.
import type { Problem } from '../values/problem.ts'
import type {
  Affected,
  Impact,
  StatusIncident,
  StatusIncidentStatus,
  StatusIncidentUpdate,
} from './status-incident.ts'
import type { ResolvedReferences } from './status-incident-references.ts'

const MAX_AHEAD_SECONDS = 60
// No incident is older, and years before the common era have no format in a response.
const EARLIEST = new Date(0)

type Times = { startedAt?: Date | undefined; resolvedAt?: Date | null | undefined }
type Fields = { title: string; status: StatusIncidentStatus; impact: Impact }
type NewUpdate = Omit<StatusIncidentUpdate, 'uuid'>

/** `update` is the entry the change adds to the list, if any. */
type StatusIncidentChange = { after: StatusIncident; update: NewUpdate | null; problems: Problem[] }

export type Publication = Fields &
  Times & { uuid: string; message?: string | undefined; notifySubscribers: boolean }

export function publishIncident(
  sent: Publication,
  named: ResolvedReferences,
  now: Date,
): StatusIncidentChange {
  const { uuid, title, status, impact, message, startedAt = now } = sent
  const given = sent.resolvedAt ?? undefined
  const after = settled({
    uuid,
    title,
    status,
    impact,
    ...named,
    startedAt,
    resolvedAt: given ?? laterOf(now, startedAt),
    updates: [],
    createdAt: now,
    updatedAt: now,
  })
  const update =
    message === undefined ? null : updateOf(after, message, sent.notifySubscribers, now)
  const changed = { startedAt: sent.startedAt, resolvedAt: given }
  return { after, update, problems: timeProblems(after, changed, now) }
}

export type Edit = Partial<Fields> & Times

export function editIncident(
  before: StatusIncident,
  sent: Edit,
  named: ResolvedReferences,
  now: Date,
): StatusIncidentChange {
  const { startedAt = before.startedAt } = sent
  // Read, edited and sent back: an unchanged time is not a change.
  const changed = {
    startedAt: differs(startedAt, before.startedAt) ? startedAt : undefined,
    resolvedAt: differs(sent.resolvedAt, before.resolvedAt) ? sent.resolvedAt : undefined,
  }
  const after = settled({
    ...before,
    ...named,
    title: sent.title ?? before.title,
    status: sent.status ?? before.status,
    impact: sent.impact ?? before.impact,
    startedAt,
    resolvedAt: changed.resolvedAt ?? before.resolvedAt ?? laterOf(now, startedAt),
  })
  const update =
    after.status === before.status ? null : updateOf(after, '', false, updateTime(before, now))
  return { after, update, problems: timeProblems(after, changed, now) }
}

export type Post = {
  message: string
  status?: StatusIncidentStatus | undefined
  notifySubscribers: boolean
  createdAt?: Date | undefined
}

export function postUpdate(
  before: StatusIncident,
  sent: Post,
  components: Affected[],
  now: Date,
): StatusIncidentChange & { update: NewUpdate } {
  const { message, status = before.status, createdAt = updateTime(before, now) } = sent
  const resolvedAt = before.resolvedAt ?? laterOf(createdAt, before.startedAt)
  const after = settled({ ...before, status, components, resolvedAt })
  const ahead = 'must not be in the future'
  const problems = rangeProblems('createdAt', sent.createdAt, { latest: now, ahead })
  return { after, update: updateOf(after, message, sent.notifySubscribers, createdAt), problems }
}

/** Whether the incident itself differs, apart from its updates. */
export function incidentDiffers(before: StatusIncident, after: StatusIncident): boolean {
  return JSON.stringify({ ...before, updates: [] }) !== JSON.stringify({ ...after, updates: [] })
}

function settled(incident: StatusIncident): StatusIncident {
  if (incident.status !== 'RESOLVED') return { ...incident, resolvedAt: null }
  const components = incident.components.map(({ componentUuid }) => ({
    componentUuid,
    state: 'OPERATIONAL' as const,
  }))
  return { ...incident, components }
}

function updateOf(
  { status, components }: StatusIncident,
  message: string,
  notifiedSubscribers: boolean,
  createdAt: Date,
): NewUpdate {
  return { status, message, components, notifiedSubscribers, createdAt }
}

// Keeps the newest update first, even if two are posted at once and the later one began first.
function updateTime({ updates }: StatusIncident, now: Date): Date {
  const newest = updates[0]?.createdAt
  return newest === undefined ? now : laterOf(now, new Date(newest.getTime() + 1))
}

function timeProblems(after: StatusIncident, changed: Times, now: Date): Problem[] {
  const latest = new Date(now.getTime() + MAX_AHEAD_SECONDS * 1000)
  const ahead = `must be at most ${MAX_AHEAD_SECONDS} seconds in the future`
  return [
    ...rangeProblems('startedAt', changed.startedAt, { latest, ahead }),
    ...rangeProblems('resolvedAt', changed.resolvedAt, { latest, ahead }),
    ...endProblems(after, changed.resolvedAt),
  ]
}

function rangeProblems(
  path: string,
  at: Date | null | undefined,
  { latest, ahead }: { latest: Date; ahead: string },
): Problem[] {
  if (at && at > latest) return [{ path, message: ahead }]
  return at && at < EARLIEST ? [{ path, message: 'must not be before 1970' }] : []
}

function endProblems(
  { status, startedAt, resolvedAt }: StatusIncident,
  chosen: Date | null | undefined,
): Problem[] {
  if (chosen && status !== 'RESOLVED')
    return [{ path: 'resolvedAt', message: 'is only for an incident that is RESOLVED' }]
  if (chosen === null && status === 'RESOLVED')
    return [{ path: 'resolvedAt', message: 'must be there while the incident is RESOLVED' }]
  if (resolvedAt === null || resolvedAt >= startedAt) return []
  return chosen
    ? [{ path: 'resolvedAt', message: 'must not be before startedAt' }]
    : [{ path: 'startedAt', message: 'must not be after resolvedAt' }]
}

const laterOf = (a: Date, b: Date): Date => (a > b ? a : b)

function differs(sent: Date | null | undefined, before: Date | null): boolean {
  return sent !== undefined && sent?.getTime() !== before?.getTime()
}
