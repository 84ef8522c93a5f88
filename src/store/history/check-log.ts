// Single results of one monitor, newest first, and the stored details of one result.
import type { ResultKind } from '../../domain/incidents/apply-result.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
import type { Verdict } from '../../domain/monitors/verdict.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { newestRecorded, recorded } from './recorded.ts'
import {
  type RegionRecord,
  regionsOfCheck,
  type StoredRegions,
  toRegionRecords,
} from './region-results.ts'
import { type ResultTimings, unpackDetail } from './result-detail.ts'
import { KIND_CODE, VERDICT_CODE } from './results.ts'

export type CheckVerdict = Verdict | 'SUPERSEDED'

// An incident starts with its first failed attempt, at or shortly after the slot's due time. The next slot is at least
// 30 s later.
const line = sql`
  select r.slot as at, r.kind, r.verdict, r.response_ms as "responseMs", r.status_code as "httpStatus",
         g.name as region, r.detail, ${regionsOfCheck} as regions, i.id as "incidentUuid", i.cause as "incidentCause"
    from page r
    left join regions g on g.no = r.region
    left join lateral (
      select id, cause from incidents
       where r.verdict = ${{ text: String(VERDICT_CODE.FAILED) }} and org_id = $1 and monitor_id = $2
         and started_at < r.slot + interval '30 seconds' and (resolved_at is null or resolved_at > r.slot)
       order by started_at desc, id desc limit 1) i on true`

const monitorNo = sql`(select m.no from monitors m where m.org_id = $1 and m.id = $2)`
const pageOf = newestRecorded({
  monitorNo,
  from: { text: '$4::timestamptz' },
  before: { text: '$3::timestamptz' },
  verdicts: { text: '$5::smallint[]' },
  limit: { text: '$6::integer' },
})
const LIST = sql`
  with page as materialized (select * from ${pageOf} newest)
  ${line} order by r.slot desc`

const slotOf = recorded({
  monitorNo,
  from: { text: '$3::timestamptz' },
  before: { text: `$3::timestamptz + interval '1 microsecond'` },
})
const FIND = sql`
  with page as materialized (select * from ${slotOf} found)
  ${line}`

type Row = {
  at: Date
  kind: number
  verdict: number
  responseMs: number | null
  httpStatus: number | null
  region: string | null
  detail: number | null
  regions: StoredRegions
  incidentUuid: string | null
  incidentCause: string | null
}

export type CheckRecord = {
  at: Date
  kind: ResultKind
  verdict: CheckVerdict
  responseMs: number | null
  httpStatus: number | null
  region: string | null
  causeCode: CauseCode | null
  timings: ResultTimings | null
  /** What each region found; null unless it ran in several at once. */
  regions: RegionRecord[] | null
  incidentUuid: string | null
  incidentCause: string | null
}

const KINDS = invert(KIND_CODE)
const VERDICTS = invert(VERDICT_CODE)

function toRecord({ kind, verdict: code, detail, regions, ...row }: Row): CheckRecord {
  const verdict = VERDICTS.get(code) ?? 'INCONCLUSIVE'
  const failed = verdict === 'FAILED'
  const { responseMs, httpStatus } = row
  return {
    ...row,
    kind: KINDS.get(kind) ?? 'SCHEDULED',
    verdict,
    regions: toRegionRecords(regions),
    ...unpackDetail({ failed, detail, responseMs, httpStatus }),
  }
}

function invert<Name extends string>(codes: Record<Name, number>): Map<number, Name> {
  // Safe because a record's keys are its names.
  return new Map((Object.entries(codes) as [Name, number][]).map(([name, no]) => [no, name]))
}

/** Includes `from`, excludes `before`. */
export type CheckFilter = {
  from: Date
  before: Date
  /** Only these; all if undefined. */
  verdicts?: readonly CheckVerdict[] | undefined
  limit: number
}

/** Newest first. Empty for another organization's monitor. */
export async function listChecks(
  tenant: Tenant,
  monitorUuid: string,
  { from, before, verdicts, limit }: CheckFilter,
): Promise<CheckRecord[]> {
  const codes = verdicts?.map((verdict) => VERDICT_CODE[verdict]) ?? null
  const values = [tenant.orgId, monitorUuid, before, from, codes, limit]
  return (await tenant.query<Row>(LIST, values)).map(toRecord)
}

export async function findCheck(
  tenant: Tenant,
  monitorUuid: string,
  at: Date,
): Promise<CheckRecord | undefined> {
  const [row] = await tenant.query<Row>(FIND, [tenant.orgId, monitorUuid, at])
  return row && toRecord(row)
}

// Evidence stores when its check ended, not its slot. It belongs to this slot if the check ended after it, before the
// next slot's check could end, and there is no slot in between.
const startedAt = { text: `(e.evidence #>> '{attempts,0,startedAt}')::timestamptz` }
const slotsBetween = recorded({
  monitorNo,
  from: { text: '$3::timestamptz' },
  before: { text: `${startedAt.text} + interval '1 microsecond'` },
})
const EVIDENCE = sql`
  select e.evidence from incidents i join incident_evidence e on e.incident_id = i.id
   where i.org_id = $1 and i.monitor_id = $2 and e.org_id = $1
     and e.checked_at >= $3 and e.checked_at < $3::timestamptz + interval '5 minutes'
     and not exists (
       select from ${slotsBetween} r where r.slot > $3)
   order by e.checked_at limit 1`

/** In the format that the API returns. Undefined if none was kept. */
export async function findCheckEvidence(
  tenant: Tenant,
  monitorUuid: string,
  at: Date,
): Promise<Record<string, unknown> | undefined> {
  type Found = { evidence: Record<string, unknown> }
  const [row] = await tenant.query<Found>(EVIDENCE, [tenant.orgId, monitorUuid, at])
  return row?.evidence
}

const FIND_EVIDENCE = sql`
  select e.evidence from incident_evidence e join incidents i on i.org_id = $1 and i.id = e.incident_id
   where e.org_id = $1 and e.id = $3 and i.monitor_id = $2`

/** By the id of its check. */
export async function findEvidence(
  tenant: Tenant,
  monitorUuid: string,
  uuid: string,
): Promise<Record<string, unknown> | undefined> {
  type Found = { evidence: Record<string, unknown> }
  const [row] = await tenant.query<Found>(FIND_EVIDENCE, [tenant.orgId, monitorUuid, uuid])
  return row?.evidence
}

const PING_BODY = sql`
  select body from heartbeat_calls
   where monitor_no = (select m.no from monitors m where m.org_id = $1 and m.id = $2) and at = $3 limit 1`

/** The body of the ping received at that instant. */
export async function findPingBody(
  tenant: Tenant,
  monitorUuid: string,
  at: Date,
): Promise<string | null> {
  const [row] = await tenant.query<{ body: string | null }>(PING_BODY, [
    tenant.orgId,
    monitorUuid,
    at,
  ])
  return row?.body ?? null
}
