// The incident list, a single incident with its context, and notes.
import { addIncidentNote } from '../../../actions/incidents/add-note.ts'
import type { WithDates } from '../../../contract/operation.ts'
import * as contract from '../../../contract/private/incident-screens.ts'
import { localDays } from '../../../domain/monitors/day-bars.ts'
import { targetOf } from '../../../domain/monitors/list-order.ts'
import { shownRatio, uptime } from '../../../domain/monitors/uptime.ts'
import { lastDays } from '../../../domain/monitors/uptime-ranges.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import { isTimezone } from '../../../domain/values/timezone.ts'
import { notFound } from '../../../platform/api-error.ts'
import { findHistories } from '../../../store/history/uptime.ts'
import * as rows from '../../../store/incidents/incident-list.ts'
import { findIncident } from '../../../store/incidents/incidents.ts'
import * as story from '../../../store/incidents/timeline.ts'
import { findMonitor } from '../../../store/monitors/monitors.ts'
import { listPublishedAbout } from '../../../store/status-pages/page-list.ts'
import { findIncidentAlerting, isOnPublicPage } from '../../../store/views/alerting.ts'
import { findMonitorNo } from '../../../store/views/monitor-list.ts'
import { countIncidents30d } from '../../../store/views/monitor-relations.ts'
import { Audited } from '../../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import { toActor, toApiDetail, toApiIncidentWithCause } from '../../public/incidents.ts'
import { toNote, toRegions, toTimeline } from './incident-timeline.ts'

const list: Handler<typeof contract.listIncidentRows> = async ({ query }, { tenant }) => {
  const { limit, offset } = query
  const page = { limit, offset }
  const found = await rows.listIncidentsWithSummary(tenant, toIncidentFilter(query), page)
  const { total, all, ongoing, resolved, notTaken, ...summary } = found.summary
  return {
    data: found.incidents.map(toIncidentRow),
    pagination: { ...page, total },
    counts: { all, ongoing, resolved, notTaken },
    summary,
    at: found.at,
  }
}

const NO_INCIDENT: rows.DayCount = { incidents: 0, ongoing: false, downSeconds: 0 }

const days: Handler<typeof contract.listIncidentDays> = async ({ query }, { tenant }) => {
  const timezone = isTimezone(query.timezone) ? query.timezone : 'UTC'
  const local = localDays(timezone, contract.INCIDENT_DAYS, new Date())
  const found = await rows.countIncidentsByDay(
    tenant,
    local.map(({ from }) => from),
  )
  return { days: local.map(({ date }, index) => ({ date, ...(found.get(index) ?? NO_INCIDENT) })) }
}

const get: Handler<typeof contract.getIncidentScreen> = async ({ params }, { tenant }) => {
  const incident = await findIncident(tenant, params.incidentId)
  if (!incident) throw notFound('incident')
  const { monitor: about } = incident
  const [monitor, clock, alerting] = await Promise.all([
    findMonitor(tenant, about.uuid),
    findMonitorNo(tenant, about.uuid),
    findIncidentAlerting(tenant, incident.uuid),
  ])
  if (monitor === undefined || clock === undefined || alerting === undefined)
    throw notFound('incident')
  const now = clock.at
  const month = lastDays(30, now)
  const seen = { from: incident.startedAt, to: incident.resolvedAt ?? now }
  const [histories, alerts, webhooks, notes, checks, incidents30d, isPublic, published] =
    await Promise.all([
      findHistories(tenant, [monitor.no], month),
      story.listAlertsAbout(tenant, incident.uuid, seen),
      story.listWebhooksAbout(tenant, incident.uuid, bornAt(incident)),
      story.listNotes(tenant, incident.uuid),
      story.listRegionChecks(tenant, about.uuid, seen),
      countIncidents30d(tenant, about.uuid),
      isOnPublicPage(tenant, about.uuid),
      listPublishedAbout(tenant, incident.uuid),
    ])
  const { timeline: _, ...detail } = toApiDetail(incident)
  const history = histories.get(monitor.no)
  return {
    ...detail,
    acknowledgedBy: incident.acknowledgement && toActor(incident.acknowledgement),
    target: targetOf(monitor),
    monitorState: monitor.state,
    timeline: toTimeline(incident, { alerts, webhooks, notes }),
    regions: toRegions(checks),
    uptime30d: history ? shownRatio(uptime(history.spans, history.outside, month), month) : null,
    incidents30d,
    alerting,
    isPublic,
    published: published.map(({ uuid, ...rest }) => ({ id: toPublicId('sin', uuid), ...rest })),
    at: now,
  }
}

const note: Handler<typeof contract.addIncidentNote> = async (
  { params, body },
  { tx, session },
) => {
  const added = await addIncidentNote(tx, params.incidentId, { by: session.user, text: body.text })
  if (!added) throw notFound('incident')
  return new Audited(toNote(added), { ofPath: true })
}

export const incidentScreenOperations: readonly BoundOperation[] = [
  bind(contract.listIncidentRows, list),
  bind(contract.listIncidentDays, days),
  bind(contract.getIncidentScreen, get),
  bind(contract.addIncidentNote, note),
]

type Query = Omit<rows.IncidentListFilter, 'monitorUuid'> & { monitorId?: string }

export function toIncidentFilter({ monitorId, ...filter }: Query): rows.IncidentListFilter {
  return { ...filter, monitorUuid: monitorId }
}

function toIncidentRow(incident: rows.ListedIncident): WithDates<contract.IncidentListEntry> {
  const { acknowledgement, contactsTold, statusIncidentUuids } = incident
  return {
    ...toApiIncidentWithCause(incident),
    acknowledgedBy: acknowledgement && toActor(acknowledgement),
    contactsTold,
    statusIncidentIds: statusIncidentUuids.map((uuid) => toPublicId('sin', uuid)),
  }
}

type Lines = { timeline: readonly { uuid: string; type: string }[] }

/** When its events were written: the id holds its creation time, by the clock of the transaction that created it. */
function bornAt({ timeline }: Lines): Date[] {
  const told = timeline.filter(({ type }) => ['OPENED', 'ACKNOWLEDGED', 'RESOLVED'].includes(type))
  return told.map(
    ({ uuid }) => new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)),
  )
}
