// A monitor's chart, its check log, and a single check.
import type { WithDates } from '../../../contract/operation.ts'
import * as contract from '../../../contract/private/check-screens.ts'
import { planSeries, seriesProblem } from '../../../domain/monitors/series.ts'
import type { StateSpan } from '../../../domain/monitors/uptime.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import { parseTimestamp } from '../../../domain/values/timestamp.ts'
import { notFound, validationError } from '../../../platform/api-error.ts'
import type { Tenant } from '../../../store/core/tenants.ts'
import * as log from '../../../store/history/check-log.ts'
import * as series from '../../../store/history/response-times.ts'
import { findSpans } from '../../../store/history/uptime.ts'
import { findMonitor } from '../../../store/monitors/monitors.ts'
import { findMonitorNo } from '../../../store/views/monitor-list.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import { toApiEvidence } from '../../public/incidents.ts'

const DAY_MS = 86_400_000
// Before and after any possible result.
const EARLIEST = new Date(0)
const LATEST = new Date('9999-01-01T00:00:00.000Z')
const MOST_DEGRADED = 500

export function checkScreenOperations(resultRetentionDays: number): readonly BoundOperation[] {
  const chart: Handler<typeof contract.getResponseTimes> = async (
    { params, query },
    { tenant },
  ) => {
    const monitor = await findMonitor(tenant, params.monitorId)
    const now = monitor && (await findMonitorNo(tenant, monitor.uuid))?.at
    if (!monitor || !now) throw notFound('monitor')
    const asked = {
      ...(query.range && { range: query.range }),
      ...(query.from && { from: query.from }),
      ...(query.to && { to: query.to }),
    }
    const problem = seriesProblem(asked, now)
    if (problem !== undefined) throw validationError([problem])
    const rawSince = new Date(now.getTime() - resultRetentionDays * DAY_MS)
    const plan = planSeries(asked, now, rawSince)
    const [buckets, incidents, windows, spans] = await Promise.all([
      series.findSeries(tenant, monitor.no, plan),
      series.findIncidentShades(tenant, monitor.uuid, plan),
      series.findWindowShades(tenant, monitor.no, plan),
      findSpans(tenant, monitor.no, plan),
    ])
    return {
      from: plan.from,
      to: plan.to,
      bucketSeconds: plan.bucketSeconds,
      buckets: buckets.map(toBucket),
      thresholdMs: monitor.degradedThresholdMs,
      incidents: incidents.map((shade) => toShade('inc', shade)),
      windows: windows.map((shade) => ({ ...toShade('mw', shade), name: shade.name })),
      degraded: toDegraded(spans),
    }
  }

  return [
    bind(contract.getResponseTimes, chart),
    bind(contract.listChecks, list),
    bind(contract.getCheck, get),
  ]
}

const list: Handler<typeof contract.listChecks> = async ({ params, query }, { tenant }) => {
  const uuid = await existing(tenant, params.monitorId)
  const { limit, cursor: after, failed } = query
  const stretch = { ...checkStretch(query), verdicts: verdictsOf(failed) }
  const before = after !== undefined && after < stretch.before ? after : stretch.before
  // One more than shown tells whether there is a next page.
  const found = await log.listChecks(tenant, uuid, { ...stretch, before, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return { data: shown.map(toCheckLine), next: last?.at ?? null }
}

const get: Handler<typeof contract.getCheck> = async ({ params }, { tenant }) => {
  const at = parseTimestamp(params.at)
  const check = at && (await log.findCheck(tenant, params.monitorId, at))
  if (!at || !check) throw notFound('check')
  const [evidence, heartbeatBody] = await Promise.all([
    log.findCheckEvidence(tenant, params.monitorId, at),
    check.kind === 'PING' ? log.findPingBody(tenant, params.monitorId, at) : null,
  ])
  const shown = evidence === undefined ? null : toApiEvidence(evidence)
  const cause = shown?.cause ?? (check.verdict === 'FAILED' ? check.incidentCause : null)
  return { check: toCheckLine(check), cause, evidence: shown, heartbeatBody }
}

async function existing(tenant: Tenant, uuid: string): Promise<string> {
  if ((await findMonitorNo(tenant, uuid)) === undefined) throw notFound('monitor')
  return uuid
}

/** Undefined for all of them. */
export const verdictsOf = (failed: boolean): readonly log.CheckVerdict[] | undefined =>
  failed ? ['FAILED'] : undefined

/** The time range of `from` and `to`. */
export function checkStretch({ from = EARLIEST, to = LATEST }: { from?: Date; to?: Date }) {
  return { from, before: to }
}

export function toCheckLine(line: log.CheckRecord): WithDates<contract.CheckListEntry> {
  const { at, incidentUuid, incidentCause: _, ...rest } = line
  const incidentId = incidentUuid === null ? null : toPublicId('inc', incidentUuid)
  return { at, ...rest, incidentId }
}

type Bucket = [number, number | null, number | null, number | null, number, number, number]

function toBucket(bucket: series.SeriesBucket): Bucket {
  const { p50Ms, p95Ms, maxMs, ok, failed, undecided } = bucket
  return [bucket.bucket, p50Ms, p95Ms, maxMs, ok, failed, undecided]
}

function toShade(prefix: 'inc' | 'mw', { uuid, fromAt: from, toAt: to }: series.Shade) {
  return { id: toPublicId(prefix, uuid), from, to }
}

function toDegraded(spans: readonly StateSpan[]) {
  return spans
    .filter(({ state }) => state === 'DEGRADED')
    .slice(-MOST_DEGRADED)
    .map(({ from, to }) => ({ from, to }))
}
