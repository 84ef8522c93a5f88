// Replays a monitor's stored results with other settings.
import { limitRequests } from '../../../actions/people/limit-tries.ts'
import * as contract from '../../../contract/private/monitors/replay.ts'
import type { Timing } from '../../../domain/alerts/clusters.ts'
import type { AlertContact } from '../../../domain/alerts/contact.ts'
import type { Contact } from '../../../domain/alerts/model.ts'
import {
  occasionsOf,
  type ReplayAudience,
  type ReplayedAlert,
  replayAlerts,
} from '../../../domain/alerts/replay-alerts.ts'
import {
  knownIncidents,
  type ReplayHistory,
  type ReplaySettings,
} from '../../../domain/incidents/recorded-result.ts'
import { type Replay, replay } from '../../../domain/incidents/replay.ts'
import {
  compareIncidents,
  type IncidentComparison,
} from '../../../domain/incidents/replay-comparison.ts'
import type { Monitor } from '../../../domain/monitors/monitor.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import { notFound, validationError } from '../../../platform/api-error.ts'
import { finishInTurn } from '../../../platform/limits/busy-work.ts'
import { ConcurrencyLimit } from '../../../platform/limits/concurrency-limit.ts'
import { listContactsOf } from '../../../store/alerts/contact-monitors.ts'
import { listContacts } from '../../../store/alerts/contacts.ts'
import { findEscalation } from '../../../store/alerts/escalation.ts'
import type { Tenant } from '../../../store/core/tenants.ts'
import * as recorded from '../../../store/history/replay-results.ts'
import { findMonitor } from '../../../store/monitors/monitors.ts'
import { subjectOf } from '../../../store/people/sign-in-windows.ts'
import { findMonitorNo } from '../../../store/views/monitor-list.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'

const DAY_MS = 86_400_000
const SHOWN = 200
// Per organization: a replay reads up to a month of results.
const MAX_REPLAYS = 30
const REPLAY_WINDOW_SECONDS = 60
// Each holds its results in memory, some 20 MB for a month.
const heavy = new ConcurrencyLimit({ slots: 2, waiting: 30 })

type ReplayOptions = { alerts: { holdSeconds: number; togetherSeconds: number } }
type Query = Parameters<Handler<typeof contract.replayMonitor>>[0]['query']

export function replayOperations({ alerts }: ReplayOptions): readonly BoundOperation[] {
  const timing = { holdMs: alerts.holdSeconds * 1000, togetherMs: alerts.togetherSeconds * 1000 }
  const run: Handler<typeof contract.replayMonitor> = async ({ params, query }, context) => {
    const { tenant, people } = context
    const monitor = await findMonitor(tenant, params.monitorId)
    const now = monitor && (await findMonitorNo(tenant, monitor.uuid))?.at
    if (!monitor || !now) throw notFound('monitor')
    const wanted = wantedSettings(monitor, query)
    const subject = subjectOf('replay', tenant.orgId)
    const limit = { subject, limit: MAX_REPLAYS, windowSeconds: REPLAY_WINDOW_SECONDS }
    await limitRequests(people, [limit])
    return heavy.run(async () => {
      const { history, isComplete } = await readHistory(tenant, monitor, now, query.days)
      const audience = await readAudience(tenant, monitor.uuid)
      const material = { history, isComplete, audience, timing }
      return finishInTurn(tenant.orgId, toReply(monitor, material, { wanted, query }))
    })
  }
  return [bind(contract.replayMonitor, run)]
}

function currentSettings(monitor: Monitor): ReplaySettings {
  const { type, degradedThresholdMs, degradedThresholdMode, degradedSamples } = monitor
  return {
    type,
    degradedThresholdMs,
    degradedThresholdMode,
    degradedSamples,
    expectedStatus: null,
  }
}

function wantedSettings(monitor: Monitor, query: Query): ReplaySettings {
  const current = currentSettings(monitor)
  const { degradedThresholdMs: thresholdMs = current.degradedThresholdMs } = query
  return {
    ...current,
    degradedThresholdMs: thresholdMs === 0 ? null : thresholdMs,
    degradedThresholdMode: query.degradedThresholdMode ?? current.degradedThresholdMode,
    degradedSamples: query.degradedSamples ?? current.degradedSamples,
    expectedStatus: query.expectedStatus?.map(toStatus) ?? null,
  }
}

function toStatus(text: string): number {
  const status = Number(text)
  if (Number.isInteger(status) && status >= 100 && status <= 599) return status
  throw validationError([{ path: 'expectedStatus', message: 'must be HTTP statuses, 100 to 599' }])
}

async function readHistory(
  tenant: Tenant,
  { uuid, no }: Monitor,
  to: Date,
  days: number,
): Promise<{ history: ReplayHistory; isComplete: boolean }> {
  const asked = { from: new Date(to.getTime() - days * DAY_MS), to }
  const { results, isComplete } = await recorded.findRecordedResults(tenant, uuid, asked)
  const within = { from: results[0]?.at ?? asked.from, to }
  const [states, incidents] = await Promise.all([
    recorded.findRecordedStates(tenant, no, within),
    recorded.findRecordedIncidents(tenant, uuid, within),
  ])
  const known = knownIncidents(results, incidents)
  return { history: { ...within, ...states, results, incidents: known }, isComplete }
}

type Named = ReplayAudience & { names: ReadonlyMap<string, string> }

async function readAudience(tenant: Tenant, monitorUuid: string): Promise<Named> {
  const [all, attachedUuids, escalation] = await Promise.all([
    listContacts(tenant),
    listContactsOf(tenant, monitorUuid),
    findEscalation(tenant, monitorUuid),
  ])
  const concerned = new Set([...attachedUuids, ...escalation.map((one) => one.contactUuid)])
  const contacts = all.filter(({ uuid }) => concerned.has(uuid))
  const names = new Map(contacts.map(({ uuid, name }) => [uuid, name]))
  return { contacts: contacts.map(toPlanned), attachedUuids, escalation, names }
}

/** A contact that cannot receive anything counts as disabled, as for the planner. */
function toPlanned(contact: AlertContact): Contact {
  const { uuid, channel, rules, isConfirmed, devices } = contact
  return { uuid, channel, rules, enabled: contact.enabled && isConfirmed && devices !== 0 }
}

type Material = {
  history: ReplayHistory
  isComplete: boolean
  audience: Named
  timing: Timing
}

function* toReply(
  monitor: Monitor,
  material: Material,
  { wanted, query }: { wanted: ReplaySettings; query: Query },
) {
  const { history, audience, isComplete } = material
  const delayMinutes = query.delayMinutes ?? null
  const current = yield* replay(history, currentSettings(monitor))
  const replayed = yield* replay(history, wanted)
  const alertsBefore = yield* alertsOf(material, current, null)
  const alertsAfter = yield* alertsOf(material, replayed, delayMinutes)
  const compared = compareIncidents(history.incidents, replayed.incidents)
  const { type: _, ...settings } = wanted
  return {
    monitorId: toPublicId('mon', monitor.uuid),
    from: history.from,
    to: history.to,
    checks: history.results.length,
    settings: { ...settings, expectedStatus: mutable(settings.expectedStatus), delayMinutes },
    current: totalsOf(history, current, alertsBefore.alerts),
    replayed: totalsOf(history, replayed, alertsAfter.alerts),
    incidents: compared.toReversed().slice(0, SHOWN).map(toIncident),
    alerts: alertsAfter.alerts
      .toReversed()
      .slice(0, SHOWN)
      .map((alert) => toAlert(alert, audience.names)),
    complete: isComplete && alertsBefore.isComplete && alertsAfter.isComplete,
  }
}

const mutable = (statuses: readonly number[] | null) => statuses && [...statuses]

function alertsOf(
  { history, audience, timing }: Material,
  { incidents, degradations }: Replay,
  delayMinutes: number | null,
) {
  const acknowledged = new Map(
    history.incidents.map(({ uuid, acknowledgedAt }) => [uuid, acknowledgedAt]),
  )
  const contacts = audience.contacts.map((contact) => ({
    ...contact,
    rules: { ...contact.rules, delayMinutes: delayMinutes ?? contact.rules.delayMinutes },
  }))
  return replayAlerts({
    occasions: occasionsOf(incidents, degradations, acknowledged),
    audience: { ...audience, contacts },
    maintenance: history.maintenance,
    timing,
    until: history.to,
  })
}

function totalsOf(
  { from, to }: ReplayHistory,
  { incidents, degradations }: Replay,
  alerts: readonly ReplayedAlert[],
) {
  const downMs = incidents.reduce((sum, { startedAt, resolvedAt }) => {
    const startMs = Math.max(startedAt.getTime(), from.getTime())
    return sum + Math.max(0, (resolvedAt ?? to).getTime() - startMs)
  }, 0)
  return {
    incidents: incidents.length,
    downSeconds: Math.floor(downMs / 1000),
    degradations: degradations.length,
    alerts: alerts.length,
  }
}

function toIncident({ recordedUuid, startedAt, resolvedAt, ...rest }: IncidentComparison) {
  return {
    ...rest,
    incidentId: recordedUuid && toPublicId('inc', recordedUuid),
    startedAt,
    resolvedAt,
  }
}

function toAlert({ at, contactUuid, kind }: ReplayedAlert, names: ReadonlyMap<string, string>) {
  return {
    at,
    contactId: toPublicId('act', contactUuid),
    contactName: names.get(contactUuid) ?? '',
    kind,
  }
}
