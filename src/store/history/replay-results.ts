// Everything that a replay of one monitor needs of its history.
import type {
  RecordedChange,
  RecordedIncident,
  RecordedResult,
} from '../../domain/incidents/recorded-result.ts'
import type { Interval } from '../../domain/monitors/uptime.ts'
import type { Verdict } from '../../domain/monitors/verdict.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { newestRecorded } from './recorded.ts'
import { unpackDetail } from './result-detail.ts'
import { VERDICT_CODE } from './results.ts'
import { findHistories } from './uptime.ts'

const JUDGED = Object.entries(VERDICT_CODE).flatMap(([name, code]) =>
  name === 'SUPERSEDED' ? [] : [code],
)
const pageOf = newestRecorded({
  monitorNo: sql`(select m.no from monitors m where m.org_id = $1 and m.id = $2)`,
  from: { text: '$3::timestamptz' },
  before: { text: '$4::timestamptz' },
  verdicts: { text: `'{${JUDGED.join(',')}}'::smallint[]` },
  limit: { text: '$5::integer' },
})
const PAGE = sql`
  select r.slot as at, r.verdict, r.response_ms as "responseMs", r.status_code as "httpStatus",
         r.region as "regionNo", r.detail
    from ${pageOf} r
   order by r.slot desc`

type Row = Omit<RecordedResult, 'verdict' | 'causeCode'> & {
  verdict: number
  detail: number | null
}

// Reading more at once would block the process for too long.
const PAGE_ROWS = 2_000
/** A month of checks every 30 seconds, and as much again. */
const MAX_ROWS = 180_000

/** Oldest first. If there are too many, the oldest are left out. */
export async function findRecordedResults(
  tenant: Tenant,
  monitorUuid: string,
  { from, to }: Interval,
): Promise<{ results: RecordedResult[]; isComplete: boolean }> {
  const results: RecordedResult[] = []
  let before = to
  while (results.length < MAX_ROWS) {
    const values = [tenant.orgId, monitorUuid, from, before, PAGE_ROWS]
    const rows = await tenant.query<Row>(PAGE, values)
    for (const row of rows) results.push(toResult(row))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS)
      return { results: results.toReversed(), isComplete: true }
    before = last.at
  }
  return { results: results.toReversed(), isComplete: false }
}

// Safe because the names of the codes are verdicts, and SUPERSEDED is not read.
const VERDICTS = new Map(
  Object.entries(VERDICT_CODE).map(([name, code]) => [code, name as Verdict]),
)

function toResult({ verdict: code, detail, ...row }: Row): RecordedResult {
  const verdict = VERDICTS.get(code) ?? 'INCONCLUSIVE'
  const { responseMs, httpStatus } = row
  const isFailed = verdict === 'FAILED'
  const causeCode = isFailed
    ? unpackDetail({ failed: true, detail, responseMs, httpStatus }).causeCode
    : null
  return { ...row, verdict, causeCode }
}

const INCIDENTS = sql`
  select id as uuid, started_at as "startedAt", resolved_at as "resolvedAt", resolution,
         cause_code as "causeCode", acknowledged_at as "acknowledgedAt"
    from incidents
   where org_id = $1 and monitor_id = $2 and started_at < $4 and (resolved_at is null or resolved_at >= $3)
   order by started_at, id limit $5`
const MAX_INCIDENTS = 50_000

/** Those that were open at some time of the period, oldest first. */
export function findRecordedIncidents(
  tenant: Tenant,
  monitorUuid: string,
  { from, to }: Interval,
): Promise<RecordedIncident[]> {
  const values = [tenant.orgId, monitorUuid, from, to, MAX_INCIDENTS]
  return tenant.query<RecordedIncident>(INCIDENTS, values)
}

/** The state at the beginning, what people changed, and maintenance. */
export async function findRecordedStates(tenant: Tenant, monitorNo: number, within: Interval) {
  const history = (await findHistories(tenant, [monitorNo], within)).get(monitorNo)
  const spans = history?.spans ?? []
  const changes = spans.flatMap(({ from: at, state }): RecordedChange[] =>
    (state === 'PAUSED' || state === 'PENDING') && at >= within.from ? [{ at, state }] : [],
  )
  const first = spans.find(
    ({ from, to }) => from <= within.from && (to === null || to > within.from),
  )
  const maintenance: Interval[] = (history?.windows ?? []).map(({ from, to }) => ({ from, to }))
  return { state: first?.state ?? ('PENDING' as const), changes, maintenance }
}
