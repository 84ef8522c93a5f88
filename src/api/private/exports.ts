// Lists as files. Each is read and sent in batches, so that no list fills our memory.
import * as contract from '../../contract/private/exports.ts'
import type { CsvCell } from '../../domain/values/csv.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import { notFound } from '../../platform/api-error.ts'
import { type CheckRecord, listChecks } from '../../store/history/check-log.ts'
import {
  type IncidentWithAcknowledgement,
  listIncidentsAfter,
} from '../../store/incidents/incident-list.ts'
import { findKeywords } from '../../store/monitors/imported.ts'
import { type AuditLine, listAuditAfter } from '../../store/people/audit-log.ts'
import { findMonitorNo } from '../../store/views/monitor-list.ts'
import { findMonitorListPage } from '../../store/views/monitor-list-page.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { toApiIncidentWithCause } from '../public/incidents.ts'
import { changesText } from './audit-log.ts'
import { checkStretch, toCheckLine, verdictsOf } from './screens/checks.ts'
import { toIncidentFilter } from './screens/incidents.ts'
import { type MonitorRow, monitorRows, toListFilter } from './screens/monitor-list.ts'

const BATCH = 500
const MONITOR_BATCH = 100
// Only monitor numbers stay in memory while the file is written: about 1 MB.
const MOST_MONITORS = 100_000

const monitors: Handler<typeof contract.exportMonitors> = async ({ query }, { tenant }) => {
  const page = { limit: MOST_MONITORS, offset: 0 }
  const { at, nos } = await findMonitorListPage(tenant, toListFilter(query), page)
  return (async function* () {
    for (let from = 0; from < nos.length; from += MONITOR_BATCH) {
      const rows = await monitorRows(tenant, nos.slice(from, from + MONITOR_BATCH), at)
      const keywords = await findKeywords(tenant, rows.flatMap(keywordUuid))
      yield rows.map((row) => monitorCells(row, keywords.get(keywordUuid(row)[0] ?? '') ?? null))
    }
  })()
}

const checks: Handler<typeof contract.exportChecks> = async ({ params, query }, { tenant }) => {
  if ((await findMonitorNo(tenant, params.monitorId)) === undefined) throw notFound('monitor')
  const { from, before } = checkStretch(query)
  const verdicts = verdictsOf(query.failed)
  const filter = { from, verdicts, limit: BATCH }
  return batches<CheckRecord>(
    (last) => listChecks(tenant, params.monitorId, { ...filter, before: last?.at ?? before }),
    checkCells,
  )
}

const incidents: Handler<typeof contract.exportIncidents> = async ({ query }, { tenant }) => {
  const filter = toIncidentFilter(query)
  return batches<IncidentWithAcknowledgement>(
    (last) => listIncidentsAfter(tenant, filter, last, BATCH),
    incidentCells,
  )
}

const auditLog: Handler<typeof contract.exportAuditLog> = async ({ query }, { tenant }) =>
  batches<AuditLine>((last) => listAuditAfter(tenant, query, last, BATCH), auditCells)

export const exportOperations: readonly BoundOperation[] = [
  bind(contract.exportMonitors, monitors),
  bind(contract.exportChecks, checks),
  bind(contract.exportIncidents, incidents),
  bind(contract.exportAuditLog, auditLog),
]

/** Reads batches, each starting where the previous one ended. */
async function* batches<Row>(
  read: (last: Row | undefined) => Promise<Row[]>,
  toCells: (row: Row) => CsvCell[],
): AsyncGenerator<CsvCell[][]> {
  let last: Row | undefined
  for (;;) {
    const rows = await read(last)
    yield rows.map(toCells)
    if (rows.length < BATCH) return
    last = rows.at(-1)
  }
}

const keywordUuid = ({ id, type }: MonitorRow): string[] =>
  type === 'KEYWORD' ? [fromPublicId('mon', id) ?? ''] : []

function monitorCells(row: MonitorRow, keyword: string | null): CsvCell[] {
  const { id, name, type, target, state, since, openIncident, uptime30d, p95Ms } = row
  const { lastResponseMs, lastCheckedAt, nextCheckAt, expiry, lastHeartbeatAt, tags } = row
  const now = [id, name, type, target, state, since, openIncident?.cause ?? null]
  const figures = [uptime30d, p95Ms, lastResponseMs]
  const times = [lastCheckedAt, nextCheckAt, expiry?.at ?? null, lastHeartbeatAt]
  const settings = [row.everySeconds, keyword]
  return [...now, ...figures, ...times, ...settings, tags.map((tag) => tag.name).join(', ')]
}

function checkCells(line: CheckRecord): CsvCell[] {
  const { at, kind, verdict, responseMs, httpStatus, region, causeCode, timings, incidentId } =
    toCheckLine(line)
  const { dnsMs = null, connectMs = null, tlsMs = null, firstByteMs = null } = timings ?? {}
  const seen = [responseMs, httpStatus, region, causeCode]
  return [at, kind, verdict, ...seen, dnsMs, connectMs, tlsMs, firstByteMs, incidentId]
}

function incidentCells(incident: IncidentWithAcknowledgement): CsvCell[] {
  const row = toApiIncidentWithCause(incident)
  const { id, monitor, startedAt, resolvedAt, durationSec, causeCode, cause, resolution } = row
  const about = [id, monitor.id, monitor.name, monitor.type]
  const what = [startedAt, resolvedAt, durationSec, causeCode, cause, resolution]
  const acknowledgement = [
    row.acknowledgedAt,
    row.acknowledgedBy?.name ?? null,
    row.acknowledgeNote,
  ]
  return [...about, ...what, ...acknowledgement]
}

function auditCells(line: AuditLine): CsvCell[] {
  const { at, actorType, actorName, action, resourceId, resourceName, detail, requestId } = line
  const who = [at, actorType, actorName]
  const what = [action, resourceId, resourceName, detail.count ?? null]
  return [...who, ...what, changesText(detail.changes), requestId]
}
