// What each region found in a check that ran in several at once: one row for each, beside the result of the check.
import type { EvidenceTimings } from '../../domain/incidents/evidence.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
import type { RegionAnswer } from '../../domain/regions/each-verdict.ts'
import { insertMany } from '../core/columns.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { packDetail, unpackDetail } from './result-detail.ts'
import { VERDICT_CODE } from './results.ts'

export type RegionRow = {
  monitorNo: number
  slot: Date
  regionNo: number
  verdict: 'PASSED' | 'FAILED' | 'INCONCLUSIVE'
  responseMs: number | null
  statusCode: number | null
  causeCode: CauseCode | null
  timings: EvidenceTimings | null
}

// Committed with the result of its slot, which is recorded once.
export const insertRegionResults = insertMany<RegionRow>(
  'region_results',
  {
    monitor_no: ['bigint', ({ monitorNo }) => monitorNo],
    slot: ['timestamptz', ({ slot }) => slot],
    region: ['smallint', ({ regionNo }) => regionNo],
    response_ms: ['integer', ({ responseMs }) => responseMs],
    verdict: ['smallint', ({ verdict }) => VERDICT_CODE[verdict]],
    status_code: ['smallint', ({ statusCode }) => statusCode],
    detail: [
      'integer',
      ({ verdict, causeCode, timings }) => packDetail(verdict === 'FAILED', causeCode, timings),
    ],
  },
  sql`on conflict (monitor_no, slot, region) do nothing`,
)

type StoredRegion = {
  region: string
  verdict: number
  responseMs: number | null
  httpStatus: number | null
  detail: number | null
}
export type StoredRegions = StoredRegion[] | null

/** Of the result `r`, the oldest region first; null if it ran in one. */
export const regionsOfCheck = sql`
  (select json_agg(json_build_object('region', n.name, 'verdict', o.verdict, 'responseMs', o.response_ms,
            'httpStatus', o.status_code, 'detail', o.detail) order by o.region)
     from region_results o join regions n on n.no = o.region
    where o.monitor_no = r.monitor_no and o.slot = r.slot)`

export type RegionRecord = {
  region: string
  /** INCONCLUSIVE: no answer, through a fault of ours. */
  outcome: RegionRow['verdict']
  responseMs: number | null
  httpStatus: number | null
  causeCode: CauseCode | null
}

const VERDICTS = ['PASSED', 'FAILED', 'INCONCLUSIVE'] as const

const verdictOf = (code: number) =>
  VERDICTS.find((verdict) => VERDICT_CODE[verdict] === code) ?? 'INCONCLUSIVE'

export function toRegionRecords(stored: StoredRegions): RegionRecord[] | null {
  if (stored === null) return null
  return stored.map(({ verdict: code, detail, ...row }) => {
    const outcome = verdictOf(code)
    const { causeCode } = unpackDetail({ failed: outcome === 'FAILED', detail, ...row })
    return { ...row, outcome, causeCode }
  })
}

// Tries and checks in the past tell whether a region has ever reached the target.
const LATEST = sql`
  select n.name as region, o.verdict, exists (
           select from region_proofs p
            where p.monitor_no = o.monitor_no and p.region = o.region and p.passed_at is not null) as "hasPassed"
    from region_results o join regions n on n.no = o.region
   where exists (select from monitors m where m.org_id = $1 and m.no = $2)
     and o.monitor_no = $2 and o.slot = (select s.last_slot from monitor_states s where s.monitor_no = $2)
   order by o.region`

const OUTCOMES = { PASSED: 'OK', FAILED: 'FAILED', INCONCLUSIVE: 'NONE' } as const

/** What each region said in the latest check. None if that ran in one. */
export async function findLatestAnswers(
  tenant: Tenant,
  monitorNo: number,
): Promise<RegionAnswer[]> {
  type Found = { region: string; verdict: number; hasPassed: boolean }
  const rows = await tenant.query<Found>(LATEST, [tenant.orgId, monitorNo])
  return rows.map(({ verdict, ...row }) => ({ ...row, outcome: OUTCOMES[verdictOf(verdict)] }))
}
