// Writes incidents for the engine: many at once, of any organization.
import type { Evidence } from '../../domain/incidents/evidence.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
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

const OPEN = sql`
  insert into incidents (id, org_id, monitor_id, started_at, cause, cause_code, last_cause_code, last_line_at)
  select u.id, u.org_id, u.monitor_id, u.started_at, u.cause, u.code, u.code, u.started_at
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[])
      as u (id, org_id, monitor_id, started_at, cause, code)`

export async function openIncidents(tx: Db, rows: readonly OpenedRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(OPEN, [
    rows.map((row) => row.uuid),
    rows.map((row) => row.orgId),
    rows.map((row) => row.monitorUuid),
    rows.map((row) => row.startedAt),
    rows.map((row) => row.cause),
    rows.map((row) => row.causeCode),
  ])
}

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

const RECORD_FAILURES = sql`
  update incidents i set last_cause_code = u.code, last_line_at = coalesce(u.line_at, i.last_line_at)
    from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as u (id, code, line_at)
   where i.id = u.id`

export type FailureRow = { uuid: string; causeCode: CauseCode; lineAt: Date | null }

/** Stores the latest cause, and when the timeline last grew. */
export async function recordFailures(tx: Db, rows: readonly FailureRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(RECORD_FAILURES, [
    rows.map((row) => row.uuid),
    rows.map((row) => row.causeCode),
    rows.map((row) => row.lineAt),
  ])
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

const INSERT_EVIDENCE = sql`
  insert into incident_evidence (id, org_id, incident_id, part, checked_at, evidence)
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::jsonb[])
  on conflict (incident_id, part) where part <> 'CAUSE_CHANGED'
  do update set id = excluded.id, checked_at = excluded.checked_at, evidence = excluded.evidence`

/** The latest failure replaces the previous one. Every change of cause is kept. */
export async function insertEvidence(tx: Db, rows: readonly EvidenceRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(INSERT_EVIDENCE, [
    rows.map((row) => row.uuid),
    rows.map((row) => row.orgId),
    rows.map((row) => row.incidentUuid),
    rows.map((row) => row.part),
    rows.map((row) => row.checkedAt),
    rows.map((row) => JSON.stringify(row.evidence)),
  ])
}

export type TimelineRow = {
  uuid: string
  orgId: string
  incidentUuid: string
  type: TimelineType
  at: Date
  message: string
}

const ADD_LINES = sql`
  insert into incident_timeline (id, org_id, incident_id, type, at, message)
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::text[])`

export async function addTimelineLines(tx: Db, rows: readonly TimelineRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(ADD_LINES, [
    rows.map((row) => row.uuid),
    rows.map((row) => row.orgId),
    rows.map((row) => row.incidentUuid),
    rows.map((row) => row.type),
    rows.map((row) => row.at),
    rows.map((row) => row.message),
  ])
}
