// What was measured about one monitor: uptime, response times, single checks.
import * as contract from '../../contract/ext/figures.ts'
import { planSeries, type SeriesPlan, seriesProblem } from '../../domain/monitors/series.ts'
import { planSteps } from '../../domain/monitors/series-step.ts'
import {
  lastDays,
  UPTIME_WINDOWS,
  type UptimeWindow,
  uptimeFigures,
} from '../../domain/monitors/uptime-ranges.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { notFound, validationError } from '../../platform/api-error.ts'
import type { Tenant } from '../../store/core/tenants.ts'
import { findEvidence, listChecks } from '../../store/history/check-log.ts'
import {
  findRegionSeries,
  findSeries,
  type SeriesBucket,
} from '../../store/history/response-times.ts'
import { findHistories } from '../../store/history/uptime.ts'
import { findMonitorNo } from '../../store/views/monitor-list.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { checkStretch, toCheckLine } from '../private/screens/checks.ts'
import { toApiEvidence } from '../public/incidents.ts'

const DAY_MS = 86_400_000
const YEAR_DAYS = 365

const uptime: Handler<typeof contract.getMonitorUptime> = async ({ params, query }, { tenant }) => {
  const { no, at } = await find(tenant, params.monitorId)
  const history = (await findHistories(tenant, [no], lastDays(YEAR_DAYS, at))).get(no)
  const figures = uptimeFigures(history?.spans ?? [], history?.outside ?? [], at)
  const wanted: readonly UptimeWindow[] = query.windows ?? UPTIME_WINDOWS
  const shown = UPTIME_WINDOWS.filter((window) => wanted.includes(window))
  return {
    monitorId: toPublicId('mon', params.monitorId),
    at,
    windows: shown.map((window) => ({ window, ...figures[`last${window}` as const] })),
  }
}

const checks: Handler<typeof contract.listMonitorChecks> = async ({ params, query }, context) => {
  const { tenant } = context
  const { uuid } = await find(tenant, params.monitorId)
  const { limit, outcome: verdicts } = query
  const stretch = checkStretch(query)
  const { before: after } = query
  const before = after !== undefined && after < stretch.before ? after : stretch.before
  // One more than shown tells whether there is a next page.
  const filter = { from: stretch.from, before, verdicts, limit: limit + 1 }
  const found = await listChecks(tenant, uuid, filter)
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return {
    data: shown.map((check) => {
      const { verdict: outcome, ...line } = toCheckLine(check)
      return { ...line, outcome }
    }),
    next: last?.at ?? null,
  }
}

const evidence: Handler<typeof contract.getCheckEvidence> = async ({ params }, { tenant }) => {
  const found = await findEvidence(tenant, params.monitorId, params.checkId)
  if (!found) throw notFound('check')
  return toApiEvidence(found)
}

export function figureOperations(resultRetentionDays: number): readonly BoundOperation[] {
  const responseTimes: Handler<typeof contract.getMonitorResponseTimes> = async (
    { params, query },
    { tenant },
  ) => {
    const { no, at } = await find(tenant, params.monitorId)
    const rawSince = new Date(at.getTime() - resultRetentionDays * DAY_MS)
    const plan = planOf(query, at, rawSince)
    const { region } = query
    const buckets = await (region === undefined
      ? findSeries(tenant, no, plan)
      : findRegionSeries(tenant, { monitorNo: no, region }, plan))
    return {
      from: plan.from,
      to: plan.to,
      stepSeconds: plan.bucketSeconds,
      data: buckets.map(toResponseTimes),
    }
  }
  return [
    bind(contract.getMonitorUptime, uptime),
    bind(contract.getMonitorResponseTimes, responseTimes),
    bind(contract.listMonitorChecks, checks),
    bind(contract.getCheckEvidence, evidence),
  ]
}

async function find(tenant: Tenant, uuid: string) {
  const found = await findMonitorNo(tenant, uuid)
  if (!found) throw notFound('monitor')
  return { uuid, ...found }
}

type SeriesQuery = { from?: Date; to?: Date; step?: number }

function planOf(query: SeriesQuery, now: Date, rawSince: Date): SeriesPlan {
  const { from, to } = query
  const asked = { ...(from && { from }), ...(to && { to }) }
  const problem = seriesProblem(asked, now)
  if (problem !== undefined) throw validationError([problem])
  if (query.step === undefined) return planSeries(asked, now, rawSince)
  const end = to !== undefined && to < now ? to : now
  const start = from ?? new Date(now.getTime() - DAY_MS)
  const stepped = planSteps({ step: query.step, from: start, to: end }, rawSince)
  if ('problem' in stepped) throw validationError([stepped.problem])
  return stepped.plan
}

function toResponseTimes({ bucket, ok, failed, undecided, ...times }: SeriesBucket) {
  const { p50Ms, p95Ms, maxMs } = times
  const at = new Date(bucket * 1000)
  return { at, p50Ms, p95Ms, maxMs, passed: ok, failed, inconclusive: undecided }
}
