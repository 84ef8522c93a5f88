// The monitor list and the page of one monitor.
import type { HandlerOutput } from '../../../contract/operation.ts'
import { listAuditLog } from '../../../contract/private/audit-log.ts'
import * as contract from '../../../contract/private/monitor-screens.ts'
import { outlook } from '../../../domain/maintenance/maintenance.ts'
import type { MaintenanceWindow } from '../../../domain/maintenance/window.ts'
import { dayBars, localDays } from '../../../domain/monitors/day-bars.ts'
import {
  LISTED_STATES,
  type ListedState,
  type MonitorSort,
} from '../../../domain/monitors/list-order.ts'
import {
  type Monitor,
  type MonitorState,
  toApiMonitor,
  withoutSecrets,
} from '../../../domain/monitors/monitor.ts'
import { lastDays, uptimeFigures } from '../../../domain/monitors/uptime-ranges.ts'
import { allows, type Role } from '../../../domain/people/role.ts'
import { downFrom } from '../../../domain/regions/each-text.ts'
import { pageUrl } from '../../../domain/status-pages/status-page.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import { isTimezone } from '../../../domain/values/timezone.ts'
import { notFound } from '../../../platform/api-error.ts'
import { listMonitorNotices } from '../../../store/alerts/monitor-notices.ts'
import type { Tenant } from '../../../store/core/tenants.ts'
import { findLatestAnswers } from '../../../store/history/region-results.ts'
import { findHistories, type MonitorHistory } from '../../../store/history/uptime.ts'
import { findMonitor } from '../../../store/monitors/monitors.ts'
import { findEffectiveSetting } from '../../../store/monitors/region-settings.ts'
import { findLastChanges } from '../../../store/people/audit-log.ts'
import { countSilentMonitors, findOpenIncidentAlerting } from '../../../store/views/alerting.ts'
import * as rows from '../../../store/views/monitor-list.ts'
import { findMonitorListPage, type StateCounts } from '../../../store/views/monitor-list-page.ts'
import * as relations from '../../../store/views/monitor-relations.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import { toApiSetting } from '../regions/settings.ts'
import {
  type MonitorRow,
  monitorRows,
  toListFilter,
  toMonitorRow,
  toOpenIncident,
} from './monitor-list.ts'

const YEAR_DAYS = 365

type MonitorScreenBody = HandlerOutput<typeof contract.getMonitorScreen>

export function monitorScreenOperations(statusBaseUrl: string): readonly BoundOperation[] {
  const get: Handler<typeof contract.getMonitorScreen> = async ({ params, query }, context) => {
    const { tenant, baseUrl, role } = context
    const monitor = await findMonitor(tenant, params.monitorId)
    if (!monitor) throw notFound('monitor')
    const now = (await rows.findMonitorNo(tenant, monitor.uuid))?.at ?? new Date()
    const [[facts], histories, ...related] = await Promise.all([
      rows.findMonitorListItems(tenant, [monitor.no]),
      findHistories(tenant, [monitor.no], lastDays(YEAR_DAYS, now)),
      relations.listAttachedContacts(tenant, monitor.uuid),
      relations.listWindowsOfMonitor(tenant, monitor.uuid),
      relations.listPagesWithMonitor(tenant, monitor.uuid),
      relations.countIncidents30d(tenant, monitor.uuid),
      relations.listRecentIncidents(tenant, monitor.uuid),
      listMonitorNotices(tenant, monitor.no),
      findOpenIncidentAlerting(tenant, monitor.uuid),
      findLastChange(context, toPublicId('mon', monitor.uuid)),
      findRegions(tenant, monitor),
    ])
    const [contacts, windows, pages, incidents30d, recent, notices, incidentAlerting, ...more] =
      related
    const [change, regions] = more
    const history = histories.get(monitor.no)
    if (facts === undefined || history === undefined) throw notFound('monitor')
    const settings = toApiMonitor(monitor, baseUrl)
    return {
      ...toMonitorRow(facts, history, now),
      monitor: allows(role, 'MEMBER') ? settings : withoutSecrets(settings),
      uptime: uptimeFigures(history.spans, history.outside, now),
      contacts: contacts.map(({ uuid: id, ...rest }) => ({ id: toPublicId('act', id), ...rest })),
      windows: windows.map((window) => toTouchingWindow(window, now)),
      statusPages: pages.map((page) => toShownPage(page, statusBaseUrl)),
      notices,
      incidents30d,
      incidentAlerting: incidentAlerting ?? null,
      incidents: recent.map(toRecentIncident),
      days: toDays(history, query.timezone, now),
      ...change,
      ...regions,
      at: now,
    }
  }

  return [
    bind(contract.getOverview, overview),
    bind(contract.listMonitorRows, list),
    bind(contract.getMonitorScreen, get),
  ]
}

// Among so many of the organization's latest entries.
const RECENT_ENTRIES = 2_000

async function findLastChange(
  { tenant, role }: { tenant: Tenant; role: Role },
  id: string,
): Promise<Pick<MonitorScreenBody, 'lastChange'>> {
  if (!allows(role, listAuditLog.who)) return {}
  const change = (await findLastChanges(tenant, [id], RECENT_ENTRIES)).get(id)
  return { lastChange: change ?? null }
}

async function findRegions(
  tenant: Tenant,
  { uuid, no, state }: Monitor,
): Promise<Pick<MonitorScreenBody, 'regions' | 'downFrom'>> {
  const found = await findEffectiveSetting(tenant, uuid)
  if (found === undefined) return { regions: null, downFrom: null }
  const isPartly = found.mode === 'EACH' && state === 'DEGRADED'
  const answers = isPartly ? await findLatestAnswers(tenant, no) : []
  return { regions: toApiSetting(found), downFrom: downFrom(answers, found.regions) }
}

type ShownPage = Awaited<ReturnType<typeof relations.listPagesWithMonitor>>[number]

function toShownPage(page: ShownPage, statusBaseUrl: string) {
  return { id: toPublicId('sp', page.uuid), name: page.name, url: pageUrl(page, statusBaseUrl) }
}

function toRecentIncident(incident: relations.RecentIncident) {
  return { ...toOpenIncident(incident), resolvedAt: incident.resolvedAt }
}

function toDays(history: MonitorHistory, asked: string, now: Date): MonitorScreenBody['days'] {
  const timezone = isTimezone(asked) ? asked : 'UTC'
  const days = localDays(timezone, contract.SHOWN_DAYS, now)
  const { codes, bad } = dayBars(days, history, [])
  return {
    timezone,
    firstDate: days[0]?.date ?? '',
    codes,
    bad: bad.map(({ index, downMs, degradedMs }) => ({
      index,
      downSeconds: Math.round(downMs / 1000),
      degradedSeconds: Math.round(degradedMs / 1000),
    })),
  }
}

const overview: Handler<typeof contract.getOverview> = async (_input, { tenant }) => {
  const found = await relations.getOverview(tenant)
  const [ongoing, notTaken] = found.incidents
  const [active, scheduled] = found.windows
  const toHealth = ([all, troubled]: [number, number]) => ({ all, troubled })
  return {
    monitors: toCounts(found.monitors),
    incidents: { ongoing, notTaken },
    windows: { active, scheduled },
    statusPages: found.pages,
    webhookEndpoints: toHealth(found.endpoints),
    alertContacts: toHealth(found.contacts),
  }
}

const list: Handler<typeof contract.listMonitorRows> = async ({ query }, { tenant }) => {
  const { limit, offset, ...sent } = query
  const filter = toListFilter(sent)
  const [{ at, counts, nos }, silent] = await Promise.all([
    findMonitorListPage(tenant, filter, { limit, offset }),
    countSilentMonitors(tenant),
  ])
  const shown: readonly ListedState[] = filter.state ?? LISTED_STATES
  const total = shown.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  const data = await monitorRows(tenant, nos, at)
  return {
    data: inShownOrder(data, filter),
    pagination: { limit, offset, total },
    counts: toListedCounts(counts),
    silent,
    at,
  }
}

type Order = { sort: MonitorSort; reversed: boolean }

/** Paging by speed or uptime uses approximate values; the rows of a page are sorted by the values they show. */
function inShownOrder(rows: MonitorRow[], { sort, reversed }: Order) {
  if (sort !== 'p95' && sort !== 'uptime') return rows
  const badness = ({ p95Ms, uptime30d }: MonitorRow) =>
    sort === 'p95' ? (p95Ms ?? -1) : -(uptime30d ?? 1)
  const way = reversed ? 1 : -1
  return rows.toSorted((a, b) => way * (badness(a) - badness(b)))
}

export function toCounts(counts: Partial<Record<MonitorState, number>>) {
  const { DOWN = 0, DEGRADED = 0, PENDING = 0, UP = 0, PAUSED = 0 } = counts
  const all = DOWN + DEGRADED + PENDING + UP + PAUSED
  return { all, DOWN, DEGRADED, PENDING, UP, PAUSED }
}

function toListedCounts({ EXPIRING = 0, ...counts }: StateCounts) {
  const { all, ...rest } = toCounts(counts)
  return { all: all + EXPIRING, ...rest, EXPIRING }
}

function toTouchingWindow(window: MaintenanceWindow, now: Date) {
  const { status, current, upcoming } = outlook(window, now)
  const occurrence = current ?? upcoming[0] ?? null
  return {
    id: toPublicId('mw', window.uuid),
    name: window.name,
    status,
    timezone: window.timezone,
    repeats: window.recurrence !== null,
    occurrence,
  }
}
