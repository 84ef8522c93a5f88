// A monitor as lists show it: its current state, its last day and its last month.
import type { WithDates } from '../../../contract/operation.ts'
import type * as contract from '../../../contract/private/monitor-screens.ts'
import { targetOf } from '../../../domain/monitors/list-order.ts'
import { uptime } from '../../../domain/monitors/uptime.ts'
import { toUptimeBar, uptimeBarSlots } from '../../../domain/monitors/uptime-bar.ts'
import { lastDays } from '../../../domain/monitors/uptime-ranges.ts'
import { isExpiring } from '../../../domain/monitors/verdict.ts'
import { fromPublicId, NIL_UUID, toPublicId } from '../../../domain/values/id.ts'
import type { Tenant } from '../../../store/core/tenants.ts'
import { findHistories, type MonitorHistory } from '../../../store/history/uptime.ts'
import {
  findMonitorListItems,
  type MonitorListItem,
  type OpenIncidentRecord,
} from '../../../store/views/monitor-list.ts'
import type { MonitorListFilter } from '../../../store/views/monitor-list-page.ts'
import { toApiTag } from '../tags.ts'

const DAY_MS = 86_400_000
const LISTED_DAYS = 30

export type MonitorRow = WithDates<contract.MonitorListEntry>

type FilterQuery = Omit<MonitorListFilter, 'tag'> & { tag?: readonly string[] | undefined }

/** An id that is not a tag's matches no monitor. */
export function toListFilter({ tag, ...filter }: FilterQuery): MonitorListFilter {
  if (tag === undefined) return filter
  return { ...filter, tag: [...new Set(tag.map((id) => fromPublicId('tag', id) ?? NIL_UUID))] }
}

/** The monitors of these numbers that still exist, in the given order. */
export async function monitorRows(
  tenant: Tenant,
  nos: readonly number[],
  now: Date,
): Promise<MonitorRow[]> {
  const [facts, histories] = await Promise.all([
    findMonitorListItems(tenant, nos),
    findHistories(tenant, nos, lastDays(LISTED_DAYS, now)),
  ])
  return facts.map((monitor) => toMonitorRow(monitor, histories.get(monitor.no), now))
}

export function toMonitorRow(
  monitor: MonitorListItem,
  history: MonitorHistory = { spans: [], outside: [], windows: [] },
  now: Date,
): MonitorRow {
  const { spans, outside } = history
  const isCron = monitor.type === 'CRON'
  const month = uptime(spans, outside, lastDays(LISTED_DAYS, now))
  return {
    id: toPublicId('mon', monitor.uuid),
    name: monitor.name,
    type: monitor.type,
    target: targetOf(monitor),
    everySeconds: isCron ? monitor.periodSeconds : monitor.intervalSeconds,
    state: monitor.state,
    since: monitor.since,
    inMaintenance: monitor.inMaintenance,
    openIncident: monitor.incident && toOpenIncident(monitor.incident),
    strip: toUptimeBar(uptimeBarSlots(now), history),
    uptime30d: month.ratio,
    measured30dSeconds: Math.round((month.upMs + month.downMs) / 1000),
    p95Ms: monitor.p95Ms,
    lastResponseMs: monitor.lastResponseMs,
    lastCheckedAt: monitor.lastCheckedAt,
    nextCheckAt: monitor.nextDueAt,
    expiry: toExpiry(monitor, now),
    lastHeartbeatAt: monitor.lastHeartbeatAt,
    tags: monitor.tags.map(toApiTag),
    alerting: monitor.alerting,
  }
}

export function toOpenIncident(incident: OpenIncidentRecord) {
  const { uuid, cause, causeCode, startedAt, isAcknowledged: acknowledged } = incident
  const id = toPublicId('inc', uuid)
  return { id, cause, causeCode, startedAt, acknowledged }
}

function toExpiry(monitor: MonitorListItem, now: Date): MonitorRow['expiry'] {
  const isDomain = monitor.type === 'DOMAIN'
  const at = isDomain ? monitor.domainExpiresAt : monitor.certExpiresAt
  if (at === null) return null
  const leftMs = at.getTime() - now.getTime()
  return {
    what: isDomain ? 'DOMAIN' : 'CERTIFICATE',
    at,
    daysLeft: Math.max(0, Math.floor(leftMs / DAY_MS)),
    expired: leftMs <= 0,
    warnDays: monitor.sslExpiryThresholdDays,
    soon: isExpiring(monitor, at, now),
    issuer: monitor.issuer,
  }
}
