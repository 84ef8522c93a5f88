// Writes incidents for the engine: many at once, of any organization.
import type { Evidence } from '../../domain/incidents/evidence.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
import { insertMany, rowsOf } from '../core/columns.ts'
import { type Db, sql } from '../core/db.ts'
import type { TimelineType } from './incidents.ts'

export type OpenedRow = {
  uuid: string
  orgId: string
  monitorUuid: string
  startedAt: Date
  cause: string
  causeCode: CauseCode
}

export const openIncidents = insertMany<OpenedRow>('incidents', {
  id: ['uuid', ({ uuid }) => uuid],
  org_id: ['uuid', ({ orgId }) => orgId],
  monitor_id: ['uuid', ({ monitorUuid }) => monitorUuid],
  started_at: ['timestamptz', ({ startedAt }) => startedAt],
  cause: ['text', ({ cause }) => cause],
  cause_code: ['text', ({ causeCode }) => causeCode],
  last_cause_code: ['text', ({ causeCode }) => causeCode],
  last_line_at: ['timestamptz', ({ startedAt }) => startedAt],
})

const RESOLVE = sql`
  update incidents i set resolved_at = greatest(u.at, i.started_at), resolution = 'RECOVERED'
    from unnest($1::uuid[], $2::timestamptz[]) as u (id, at)
   where i.id = u.id and i.resolved_at is null`

export async function resolveIncidents(
  tx: Db,
  rows: readonly { uuid: string; resolvedAt: Date }[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.query(RESOLVE, [rows.map((row) => row.uuid), rows.map((row) => row.resolvedAt)])
}

export type FailureRow = { uuid: string; causeCode: CauseCode; lineAt: Date | null }

const failures = rowsOf<FailureRow>({
  id: ['uuid', ({ uuid }) => uuid],
  code: ['text', ({ causeCode }) => causeCode],
  line_at: ['timestamptz', ({ lineAt }) => lineAt],
})
const RECORD_FAILURES = sql`
  update incidents i set last_cause_code = u.code, last_line_at = coalesce(u.line_at, i.last_line_at)
    from ${failures} where i.id = u.id`

/** Stores the latest cause, and when the timeline last grew. */
export async function recordFailures(tx: Db, rows: readonly FailureRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(RECORD_FAILURES, failures.values(rows))
}

export type EvidencePartName = 'OPENED' | 'CAUSE_CHANGED' | 'LAST_FAILURE' | 'RESOLVED'
export type EvidenceRow = {
  uuid: string
  orgId: string
  incidentUuid: string
  part: EvidencePartName
  checkedAt: Date
  evidence: Evidence
}

/** The latest failure replaces the previous one. Every change of cause is kept. */
export const insertEvidence = insertMany<EvidenceRow>(
  'incident_evidence',
  {
    id: ['uuid', ({ uuid }) => uuid],
    org_id: ['uuid', ({ orgId }) => orgId],
    incident_id: ['uuid', ({ incidentUuid }) => incidentUuid],
    part: ['text', ({ part }) => part],
    checked_at: ['timestamptz', ({ checkedAt }) => checkedAt],
    evidence: ['jsonb', ({ evidence }) => JSON.stringify(evidence)],
  },
  sql`
  on conflict (incident_id, part) where part <> 'CAUSE_CHANGED'
  do update set id = excluded.id, checked_at = excluded.checked_at, evidence = excluded.evidence`,
)

export type TimelineRow = {
  uuid: string
  orgId: string
  incidentUuid: string
  type: TimelineType
  at: Date
  message: string
}

export const addTimelineLines = insertMany<TimelineRow>('incident_timeline', {
  id: ['uuid', ({ uuid }) => uuid],
  org_id: ['uuid', ({ orgId }) => orgId],
  incident_id: ['uuid', ({ incidentUuid }) => incidentUuid],
  type: ['text', ({ type }) => type],
  at: ['timestamptz', ({ at }) => at],
  message: ['text', ({ message }) => message],
})
