import * as contract from '../../contract/ext/organization.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { findHomeRegion, listRegionNames } from '../../store/core/regions.ts'
import { listProbes } from '../../store/operating/probes.ts'
import { findOrganizationUsage } from '../../store/people/organizations.ts'
import { getOverview } from '../../store/views/monitor-relations.ts'
import {
  findTime,
  listOngoingIncidents,
  listWindowsNow,
  type OngoingIncident,
  type WindowNow,
} from '../../store/views/overview.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { toCounts } from '../private/screens/monitors.ts'

const overview: Handler<typeof contract.getOverview> = async (_input, { tenant }) => {
  const [at, counts, incidents, windows] = await Promise.all([
    findTime(tenant),
    getOverview(tenant),
    listOngoingIncidents(tenant),
    listWindowsNow(tenant),
  ])
  const [ongoing, unacknowledged] = counts.incidents
  return {
    at,
    monitors: toCounts(counts.monitors),
    incidents: { ongoing, unacknowledged, latest: incidents.map(toOpenIncident) },
    maintenanceWindows: {
      now: windows.active.map(toOccurrence),
      next: windows.ahead.map(toOccurrence),
    },
  }
}

const regions: Handler<typeof contract.getRegions> = async (_input, { tenant }) => {
  const [home, names, probes] = await Promise.all([
    findHomeRegion(tenant),
    listRegionNames(tenant),
    listProbes(tenant),
  ])
  const data = names.flatMap((name) => {
    const own = probes.filter(({ region }) => region === name)
    // A region that never had a probe, such as a scheduler's own, cannot check anything.
    if (own.length === 0) return []
    const live = own.filter(({ isLive }) => isLive)
    const late = live.flatMap(({ lateMs }) => lateMs ?? [])
    return [{ name, live: live.length > 0, lateMs: late.length > 0 ? Math.max(...late) : null }]
  })
  return { home, data }
}

function toOpenIncident(incident: OngoingIncident) {
  const { uuid, monitorUuid, startedAt, isAcknowledged: acknowledged, ...rest } = incident
  return {
    id: toPublicId('inc', uuid),
    monitorId: toPublicId('mon', monitorUuid),
    ...rest,
    startedAt,
    acknowledged,
  }
}

function toOccurrence({ uuid, name, startsAt, endsAt, allMonitors }: WindowNow) {
  return { id: toPublicId('mw', uuid), name, startsAt, endsAt, allMonitors }
}

export function organizationOperations(checkLogDays: number): readonly BoundOperation[] {
  const usage: Handler<typeof contract.getUsage> = async (_input, { tenant }) => {
    const { name, plan, subscription, limits, used } = await findOrganizationUsage(tenant)
    const allowance = (what: keyof typeof used) => ({ used: used[what], limit: limits[what] })
    return {
      organizationId: toPublicId('org', tenant.orgId),
      name,
      plan,
      subscription,
      monitors: allowance('monitors'),
      statusPages: allowance('statusPages'),
      webhookEndpoints: allowance('webhookEndpoints'),
      maintenanceWindows: allowance('openWindows'),
      fastestIntervalSeconds: limits.fastestIntervalSeconds,
      historyDays: limits.historyDays,
      checkLogDays,
    }
  }
  return [
    bind(contract.getOverview, overview),
    bind(contract.getUsage, usage),
    bind(contract.getRegions, regions),
  ]
}
