// The rare part of a batch: writes the incidents of monitors whose state changed, and publishes the events.
import { noticeCondition, outageCondition } from '../../domain/alerts/condition.ts'
import { type EventDraft, incidentEvent, toEventMonitor } from '../../domain/events/event.ts'
import type { Applied, MonitorNotice } from '../../domain/incidents/apply-result.ts'
import type { Evidence } from '../../domain/incidents/evidence.ts'
import { type Incident, resolvedMessage } from '../../domain/incidents/incident.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import {
  newSpanId,
  type SpanContext,
  toTraceparent,
} from '../../platform/observability/trace-context.ts'
import type { Tx } from '../../store/core/db.ts'
import { newUuid } from '../../store/core/new-uuid.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import * as batch from '../../store/incidents/incident-batch.ts'
import { findIncidentsById } from '../../store/incidents/incidents.ts'
import { findMonitorsByNo } from '../../store/monitors/monitors.ts'
import type { EngineMonitor } from '../../store/monitors/states.ts'
import { type NewEvent, publishAll } from '../events/publish.ts'
import { inRounds } from '../in-rounds.ts'

export type Transition = {
  monitor: EngineMonitor
  applied: Applied
  evidence: { uuid: string; checkedAt: Date; evidence: Evidence }
  incidentUuid: string | null
  trace?: TransitionTrace
}

/** The spans of a transition. Those of its events are added when they are published. */
type TransitionTrace = {
  parent: SpanContext
  stateSpanId: string
  incidentSpanId: string
  events: { type: string; spanId: string }[]
}

/** Returns how many bytes of events are stored of each organization. */
export async function publishTransitions(
  tx: Tx,
  secrets: OrganizationSecrets,
  transitions: readonly Transition[],
): Promise<Map<string, number>> {
  if (transitions.length === 0) return new Map()
  for (const round of inRounds(transitions, ({ monitor }) => monitor.no)) {
    await saveIncidents(tx, round)
    await batch.insertEvidence(tx, round.flatMap(evidenceOf))
  }
  await batch.addTimelineLines(tx, transitions.flatMap(lineOf))
  return publishAll(tx, await eventsOf(tx, secrets, transitions))
}

/** Takes at most one transition per monitor, and so per incident. */
async function saveIncidents(tx: Tx, transitions: readonly Transition[]): Promise<void> {
  const opened: batch.OpenedRow[] = []
  const recovered: { uuid: string; resolvedAt: Date }[] = []
  const noted: batch.FailureRow[] = []
  for (const { monitor, applied, incidentUuid: uuid } of transitions) {
    const { incident, result } = applied
    if (incident === null || uuid === null) continue
    if (incident.do === 'OPEN') {
      const { startedAt, cause, causeCode } = incident
      const { orgId, uuid: monitorUuid } = monitor
      opened.push({ uuid, orgId, monitorUuid, startedAt, cause, causeCode })
    }
    if (incident.do === 'RESOLVE') recovered.push({ uuid, resolvedAt: incident.resolvedAt })
    if (incident.do === 'CONTINUE' && result.seen.causeCode !== null) {
      const lineAt = incident.line === null ? null : result.endedAt
      noted.push({ uuid, causeCode: result.seen.causeCode, lineAt })
    }
  }
  await batch.openIncidents(tx, opened)
  await batch.resolveIncidents(tx, recovered)
  await batch.recordFailures(tx, noted)
}

function lineOf({ monitor, applied, incidentUuid }: Transition): batch.TimelineRow[] {
  const { incident, result } = applied
  if (incident === null || incidentUuid === null) return []
  const line = (
    type: batch.TimelineRow['type'],
    at: Date,
    message: string,
  ): batch.TimelineRow[] => [
    { uuid: newUuid(at), orgId: monitor.orgId, incidentUuid, type, at, message },
  ]
  const cause = result.seen.cause ?? ''
  switch (incident.do) {
    case 'OPEN':
      return line('OPENED', incident.startedAt, cause)
    case 'RESOLVE':
      return line('RESOLVED', incident.resolvedAt, resolvedMessage('RECOVERED'))
    case 'CONTINUE':
      return incident.line === null ? [] : line(incident.line, result.endedAt, cause)
  }
}

function evidenceOf({ monitor, applied, evidence, incidentUuid }: Transition): batch.EvidenceRow[] {
  const { incident } = applied
  if (incident === null || incidentUuid === null) return []
  const row = (part: batch.EvidencePartName, uuid = newUuid(evidence.checkedAt)) => ({
    ...evidence,
    uuid,
    orgId: monitor.orgId,
    incidentUuid,
    part,
  })
  switch (incident.do) {
    case 'OPEN':
      return [row('OPENED', evidence.uuid), row('LAST_FAILURE')]
    case 'RESOLVE':
      return [row('RESOLVED', evidence.uuid)]
    case 'CONTINUE':
      return incident.line === 'CAUSE_CHANGED'
        ? [row('CAUSE_CHANGED'), row('LAST_FAILURE')]
        : [row('LAST_FAILURE')]
  }
}

/** For each transition: the state first, then the incident, then other notices. */
async function eventsOf(
  tx: Tx,
  secrets: OrganizationSecrets,
  transitions: readonly Transition[],
): Promise<NewEvent[]> {
  const published = transitions.filter(({ applied }) => isPublished(applied))
  if (published.length === 0) return []
  const rows = await findMonitorsByNo(
    tx,
    secrets,
    published.map(({ monitor }) => monitor.no),
  )
  const uuids = published.flatMap(({ incidentUuid }) => incidentUuid ?? [])
  const incidents = await findIncidentsById(tx, uuids)
  return published.flatMap((transition) => {
    const stored = rows.get(transition.monitor.no)
    if (stored === undefined) return []
    const monitor = asItWas(stored, transition.applied)
    const incident = incidents.get(transition.incidentUuid ?? '')
    const { orgId } = transition.monitor
    return transitionEvents(transition, monitor, incident).map((event) => ({
      ...event,
      orgId,
      ...traceEvent(transition, event.draft),
    }))
  })
}

function traceEvent({ trace }: Transition, { type }: EventDraft): Pick<NewEvent, 'traceparent'> {
  if (trace === undefined) return {}
  const spanId = newSpanId()
  trace.events.push({ type, spanId })
  return { traceparent: toTraceparent({ ...trace.parent, spanId }) }
}

function isPublished({ notices, incident }: Applied): boolean {
  return notices.length > 0 || incident?.do === 'OPEN' || incident?.do === 'RESOLVE'
}

type TransitionEvent = Omit<NewEvent, 'orgId' | 'traceparent'>

function transitionEvents(
  { applied }: Transition,
  monitor: Monitor,
  incident?: Incident,
): TransitionEvent[] {
  const at = applied.result.endedAt
  const toEvent = (notice: MonitorNotice): TransitionEvent => {
    const condition = noticeCondition(notice, monitor, at)
    return { draft: noticeEvent(notice, monitor, at), ...(condition && { condition }) }
  }
  const [first, ...others] = applied.notices
  const isState = first?.kind === 'STATE'
  const state = isState ? [toEvent(first)] : []
  const rest = isState || first === undefined ? others : [first, ...others]
  return [...state, ...incidentEvents(applied, monitor, incident, at), ...rest.map(toEvent)]
}

function incidentEvents(
  applied: Applied,
  monitor: Monitor,
  incident: Incident | undefined,
  at: Date,
): TransitionEvent[] {
  if (incident === undefined) return []
  switch (applied.incident?.do) {
    case 'OPEN': {
      const draft = incidentEvent('opened', asOpened(incident), monitor, at)
      return [{ draft, condition: outageCondition(monitor, incident, applied.result) }]
    }
    case 'RESOLVE':
      return [{ draft: incidentEvent('resolved', incident, monitor, at) }]
    default:
      return []
  }
}

// One batch may open and resolve the same incident; the opening is published as it was then.
function asOpened(incident: Incident): Incident {
  return { ...incident, resolvedAt: null, resolution: null }
}

function noticeEvent(notice: MonitorNotice, monitor: Monitor, at: Date): EventDraft {
  const data = { monitor: toEventMonitor(monitor) }
  switch (notice.kind) {
    case 'STATE':
      return {
        type: stateType(monitor),
        at,
        data: { ...data, previousState: notice.previousState },
      }
    case 'EXPIRY': {
      const { expiresAt, daysLeft } = notice.notice
      const more = { expiresAt: expiresAt.toISOString(), daysLeft }
      return { type: `monitor.${notice.what}_expiring`, at, data: { ...data, ...more } }
    }
    case 'DNS':
      return { type: 'monitor.dns_changed', at, data: { ...data, ...notice.change } }
  }
}

function stateType({ state }: Monitor): 'monitor.up' | 'monitor.degraded' | 'monitor.down' {
  if (state === 'UP') return 'monitor.up'
  return state === 'DEGRADED' ? 'monitor.degraded' : 'monitor.down'
}

function asItWas(stored: Monitor, { snapshot }: Applied): Monitor {
  const { state, lastCheckedAt, lastStatusChangedAt, lastResponseMs, certExpiresAt } = snapshot
  return { ...stored, state, lastCheckedAt, lastStatusChangedAt, lastResponseMs, certExpiresAt }
}
