// The rare part of a batch: what monitors whose story moved leave in incidents, and what is told of it.
import { randomBytes } from 'node:crypto'
import { type Fact, incidentFact, toEventMonitor } from '../../domain/events/event.ts'
import type { Landed, Landing, Notice } from '../../domain/incidents/apply-result.ts'
import type { Evidence } from '../../domain/incidents/evidence.ts'
import { type Incident, resolvedMessage } from '../../domain/incidents/incident.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { uuidV7 } from '../../domain/values/id.ts'
import {
  newSpanId,
  type SpanContext,
  toTraceparent,
} from '../../platform/observability/trace-context.ts'
import type { Tx } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { type OwnedFact, tellAll } from '../../store/events/events.ts'
import * as batch from '../../store/incidents/incident-batch.ts'
import { findIncidentHeads } from '../../store/incidents/incidents.ts'
import { findMonitorsByNo } from '../../store/monitors/monitors.ts'
import type { EngineMonitor } from '../../store/monitors/states.ts'
import { inRounds } from '../in-rounds.ts'

export type Step = {
  monitor: EngineMonitor
  landing: Landing
  landed: Landed
  evidence: { uuid: string; checkedAt: Date; evidence: Evidence }
  incidentUuid: string | null
  trace?: StepTrace
}

/** The spans of a step; the events' are known when they are told. */
type StepTrace = {
  parent: SpanContext
  stateSpanId: string
  incidentSpanId: string
  events: { type: string; spanId: string }[]
}

export async function tellSteps(
  tx: Tx,
  secrets: OrganizationSecrets,
  steps: readonly Step[],
): Promise<void> {
  if (steps.length === 0) return
  for (const round of inRounds(steps, ({ monitor }) => monitor.no)) {
    await saveIncidents(tx, round)
    await batch.keepEvidence(tx, round.flatMap(evidenceOf))
  }
  await batch.addLines(tx, steps.flatMap(lineOf))
  await tellAll(tx, await factsOf(tx, secrets, steps))
}

/** One step of each monitor at most, so of each incident. */
async function saveIncidents(tx: Tx, steps: readonly Step[]): Promise<void> {
  const opened: batch.OpenedRow[] = []
  const recovered: { uuid: string; resolvedAt: Date }[] = []
  const noted: batch.NotedRow[] = []
  for (const { monitor, landing, landed, incidentUuid: uuid } of steps) {
    const { incident } = landed
    if (incident === null || uuid === null) continue
    if (incident.do === 'OPEN') {
      const { startedAt, cause, causeCode } = incident
      const { orgId, uuid: monitorUuid } = monitor
      opened.push({ uuid, orgId, monitorUuid, startedAt, cause, causeCode })
    }
    if (incident.do === 'RESOLVE') recovered.push({ uuid, resolvedAt: incident.resolvedAt })
    if (incident.do === 'CONTINUE' && landing.seen.causeCode !== null) {
      const lineAt = incident.line === null ? null : landing.endedAt
      noted.push({ uuid, causeCode: landing.seen.causeCode, lineAt })
    }
  }
  await batch.openIncidents(tx, opened)
  await batch.recoverIncidents(tx, recovered)
  await batch.noteFailures(tx, noted)
}

function lineOf({ monitor, landing, landed, incidentUuid }: Step): batch.LineRow[] {
  const { incident } = landed
  if (incident === null || incidentUuid === null) return []
  const line = (type: batch.LineRow['type'], at: Date, message: string): batch.LineRow[] => [
    { uuid: newUuid(at), orgId: monitor.orgId, incidentUuid, type, at, message },
  ]
  const cause = landing.seen.cause ?? ''
  switch (incident.do) {
    case 'OPEN':
      return line('OPENED', incident.startedAt, cause)
    case 'RESOLVE':
      return line('RESOLVED', incident.resolvedAt, resolvedMessage('RECOVERED'))
    case 'CONTINUE':
      return incident.line === null ? [] : line(incident.line, landing.endedAt, cause)
  }
}

function evidenceOf({ monitor, landed, evidence, incidentUuid }: Step): batch.EvidenceRow[] {
  const { incident } = landed
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

/** For one fact: the state first, then the incident, then what else was noticed. */
async function factsOf(
  tx: Tx,
  secrets: OrganizationSecrets,
  steps: readonly Step[],
): Promise<OwnedFact[]> {
  const telling = steps.filter(({ landed }) => isTold(landed))
  if (telling.length === 0) return []
  const rows = await findMonitorsByNo(
    tx,
    secrets,
    telling.map(({ monitor }) => monitor.no),
  )
  const uuids = telling.flatMap(({ incidentUuid }) => incidentUuid ?? [])
  const incidents = await findIncidentHeads(tx, uuids)
  return telling.flatMap((step) => {
    const stored = rows.get(step.monitor.no)
    if (stored === undefined) return []
    const monitor = asItWas(stored, step.landed)
    const incident = incidents.get(step.incidentUuid ?? '')
    const { orgId } = step.monitor
    return stepFacts(step, monitor, incident).map((fact) => ({
      orgId,
      fact,
      ...traceFact(step, fact),
    }))
  })
}

function traceFact({ trace }: Step, { type }: Fact): Pick<OwnedFact, 'traceparent'> {
  if (trace === undefined) return {}
  const spanId = newSpanId()
  trace.events.push({ type, spanId })
  return { traceparent: toTraceparent({ ...trace.parent, spanId }) }
}

function isTold({ notices, incident }: Landed): boolean {
  return notices.length > 0 || incident?.do === 'OPEN' || incident?.do === 'RESOLVE'
}

function stepFacts({ landing, landed }: Step, monitor: Monitor, incident?: Incident): Fact[] {
  const at = landing.endedAt
  const [first, ...others] = landed.notices
  const isState = first?.tell === 'STATE'
  const state = isState ? [noticeFact(first, monitor, at)] : []
  const rest = isState || first === undefined ? others : [first, ...others]
  const effect = landed.incident?.do
  const told =
    incident === undefined || (effect !== 'OPEN' && effect !== 'RESOLVE')
      ? []
      : [
          incidentFact(
            effect === 'OPEN' ? 'opened' : 'resolved',
            asThen(incident, landed),
            monitor,
            at,
          ),
        ]
  return [...state, ...told, ...rest.map((notice) => noticeFact(notice, monitor, at))]
}

// One batch may open and resolve the same incident; its opening is told as it was then.
function asThen(incident: Incident, { incident: step }: Landed): Incident {
  return step?.do === 'OPEN' ? { ...incident, resolvedAt: null, resolution: null } : incident
}

function noticeFact(notice: Notice, monitor: Monitor, at: Date): Fact {
  const data = { monitor: toEventMonitor(monitor) }
  switch (notice.tell) {
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

function asItWas(stored: Monitor, { known }: Landed): Monitor {
  const { state, lastCheckedAt, lastStatusChangedAt, lastResponseMs, certExpiresAt } = known
  return { ...stored, state, lastCheckedAt, lastStatusChangedAt, lastResponseMs, certExpiresAt }
}

function newUuid(at: Date): string {
  return uuidV7({ unixMicros: BigInt(at.getTime()) * 1000n, sequence: 0, random: randomBytes(8) })
}
