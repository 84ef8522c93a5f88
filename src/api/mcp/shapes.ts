// What an assistant gets to see of each resource. Fields are chosen one by one, so that a new field of the API is not
// shown by accident: no header, body, keyword, heartbeat address or query of a URL. Text from outside is only inside
// `untrusted`.
import type { getOverview } from '../../contract/ext/organization.ts'
import type { OperationOutput } from '../../contract/operation.ts'
import type {
  CheckEvidence,
  IncidentBody,
  IncidentDetailBody,
} from '../../contract/public/incident.ts'
import type { MaintenanceWindowBody } from '../../contract/public/maintenance-window.ts'
import type { MonitorBody } from '../../contract/public/monitor.ts'
import type { StatusIncidentBody } from '../../contract/public/status-incident.ts'
import type { StatusPageBody } from '../../contract/public/status-page.ts'
import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
} from '../../contract/public/webhook-delivery.ts'
import {
  hideSecrets,
  secretsOfMonitor,
  secretsOfReceiver,
} from '../../domain/mcp/echoed-secrets.ts'
import { toUntrusted } from '../../domain/mcp/untrusted-text.ts'
import { shownTarget } from '../../domain/metrics/shown-target.ts'

type Overview = OperationOutput<typeof getOverview>

export function showOverview({ at, monitors, incidents, maintenanceWindows }: Overview) {
  return {
    at,
    monitors,
    incidents: {
      ongoing: incidents.ongoing,
      unacknowledged: incidents.unacknowledged,
      latest: incidents.latest.map(({ monitorName, cause, ...incident }) => ({
        ...incident,
        untrusted: { monitorName: toUntrusted(monitorName), cause: toUntrusted(cause) },
      })),
    },
    maintenance: {
      now: maintenanceWindows.now.map(showOccurrence),
      next: maintenanceWindows.next.map(showOccurrence),
    },
  }
}

function showOccurrence({ name, ...window }: Overview['maintenanceWindows']['now'][number]) {
  return { ...window, untrusted: { name: toUntrusted(name) } }
}

export function showMonitor(monitor: MonitorBody) {
  const { id, type, state, intervalSeconds, lastCheckedAt, lastStatusChangedAt } = monitor
  return {
    id,
    type,
    state,
    intervalSeconds,
    lastCheckedAt,
    lastStatusChangedAt,
    lastResponseMs: monitor.lastResponseMs,
    untrusted: { name: toUntrusted(monitor.name), target: toUntrusted(shownTarget(monitor)) },
  }
}

export function showMonitorDetails(monitor: MonitorBody) {
  return {
    ...showMonitor(monitor),
    timeoutSeconds: monitor.timeoutSeconds,
    method: monitor.method,
    expectedStatus: monitor.expectedStatus,
    followRedirects: monitor.followRedirects,
    verifySsl: monitor.verifySsl,
    hasRequestHeaders: monitor.requestHeaders !== null,
    hasRequestBody: monitor.requestBody !== null,
    sslExpiryThresholdDays: monitor.sslExpiryThresholdDays,
    expectedPeriodSec: monitor.expectedPeriodSec,
    graceSeconds: monitor.graceSeconds,
    degradedThresholdMs: monitor.degradedThresholdMs,
    certExpiresAt: monitor.certExpiresAt,
    createdAt: monitor.createdAt,
    updatedAt: monitor.updatedAt,
  }
}

/** Makes text from outside safe to show. */
type Outside = (text: string | null) => string | null

/** Also without what the sender of a request must not see again. */
function hiding(secrets: readonly string[]): Outside {
  return (text) => toUntrusted(text && hideSecrets(text, secrets))
}

export function showIncident(
  { monitor, cause, ...incident }: IncidentBody,
  outside: Outside = toUntrusted,
) {
  const { id, startedAt, resolvedAt, durationSec, acknowledged } = incident
  return {
    id,
    monitorId: monitor.id,
    startedAt,
    resolvedAt,
    durationSec,
    acknowledged,
    untrusted: { monitorName: outside(monitor.name), cause: outside(cause) },
  }
}

export function showIncidentDetails(incident: IncidentDetailBody, monitor: MonitorBody) {
  const { acknowledgedBy, timeline } = incident
  const outside = hiding(secretsOfMonitor(monitor))
  return {
    ...showIncident(incident, outside),
    causeCode: incident.causeCode,
    resolution: incident.resolution,
    acknowledgedAt: incident.acknowledgedAt,
    acknowledgedByType: acknowledgedBy?.type ?? null,
    firstFailure: showEvidence(incident.openedBy, outside),
    lastFailure: showEvidence(incident.lastFailure, outside),
    recovery: incident.resolvedBy && showEvidence(incident.resolvedBy, outside),
    timeline: timeline.map(({ type, at, message }) => ({
      type,
      at,
      untrusted: { message: outside(message) },
    })),
    statusIncidentIds: incident.statusIncidentIds,
    note: {
      untrusted: {
        acknowledgedBy: outside(acknowledgedBy?.name ?? null),
        text: outside(incident.acknowledgeNote),
      },
    },
  }
}

function showEvidence(evidence: CheckEvidence, outside: Outside) {
  const { checkedAt, location, outcome, causeCode, responseMs, httpStatus, timings } = evidence
  return {
    checkedAt,
    region: location,
    outcome,
    causeCode,
    responseMs,
    httpStatus,
    timings,
    attempts: evidence.attempts,
    untrusted: {
      cause: outside(evidence.cause),
      resolvedIp: outside(evidence.resolvedIp),
      dnsAnswers: evidence.dnsAnswers?.map(outside) ?? null,
      bodyExcerpt: outside(evidence.bodyExcerpt),
    },
  }
}

export function showPage(page: StatusPageBody) {
  const { id, slug, state, published, passwordProtected } = page
  return {
    id,
    slug,
    state,
    published,
    passwordProtected,
    untrusted: { name: toUntrusted(page.name), url: toUntrusted(page.url) },
  }
}

export function showPageDetails(page: StatusPageBody) {
  return {
    ...showPage(page),
    sections: page.sections.map(({ id, name, components }) => ({
      id,
      untrusted: { name: toUntrusted(name) },
      components: components.map((component) => ({
        id: component.id,
        monitorId: component.monitorId,
        state: component.state,
        untrusted: { name: toUntrusted(component.name) },
      })),
    })),
  }
}

export function showPublished(incident: StatusIncidentBody) {
  const { id, status, impact, statusPageIds, components, startedAt, resolvedAt } = incident
  return {
    id,
    status,
    impact,
    statusPageIds,
    components,
    startedAt,
    resolvedAt,
    updates: incident.updates.length,
    untrusted: { title: toUntrusted(incident.title) },
  }
}

export function showWindow(window: MaintenanceWindowBody) {
  const { id, status, startsAt, endsAt, timezone, allMonitors, monitorIds } = window
  return {
    id,
    status,
    startsAt,
    endsAt,
    timezone,
    repeats: window.recurrence !== null,
    nextOccurrence: window.nextOccurrence,
    allMonitors,
    monitorIds,
    showOnStatusPages: window.showOnStatusPages,
    notifySubscribers: window.notifySubscribers,
    untrusted: { name: toUntrusted(window.name), description: toUntrusted(window.description) },
  }
}

export function showDelivery(delivery: WebhookDelivery) {
  const { id, endpointId, eventType, status, attemptCount, nextAttemptAt, lastAttemptAt } = delivery
  return {
    id,
    endpointId,
    eventType,
    status,
    attemptCount,
    nextAttemptAt,
    lastAttemptAt,
    lastResponseStatus: delivery.lastResponseStatus,
    lastError: delivery.lastError,
    createdAt: delivery.createdAt,
    completedAt: delivery.completedAt,
  }
}

/** Without the payload, and without the path of the receiver, which is often its secret. */
export function showDeliveryDetails(delivery: WebhookDeliveryDetail) {
  const outside = hiding(secretsOfReceiver(delivery.url))
  return {
    ...showDelivery(delivery),
    untrusted: { receiver: toUntrusted(URL.parse(delivery.url)?.host ?? null) },
    attempts: delivery.attempts.map((attempt) => ({
      number: attempt.number,
      trigger: attempt.trigger,
      startedAt: attempt.startedAt,
      durationMs: attempt.durationMs,
      outcome: attempt.outcome,
      responseStatus: attempt.responseStatus,
      errorCode: attempt.errorCode,
      untrusted: {
        responseBody: outside(attempt.responseBody),
        error: outside(attempt.error),
      },
    })),
  }
}
