// What was sent about the outages of the last weeks: events with their deliveries, and alerts. Pure.
import { type Incident, toApiIncident } from '../../src/domain/incidents/incident.ts'
import type { MonitorType } from '../../src/domain/monitors/monitor.ts'
import { toPublicId } from '../../src/domain/values/id.ts'
import type { Row } from '../history/whole-sets.ts'
import { between, uuidAt } from './chance.ts'
import { acknowledgedAt, type Outage } from './past.ts'

// The product's waits between attempts, after the first one.
const WAITS_SECONDS = [0, 5, 300, 1800, 7200, 18_000]

// The other regions check one and two seconds after the first failure, and alerts are sent only after that.
const CONFIRMED_MS = 2000

const UNKNOWN_CHANNEL = '{"message":"Unknown Webhook","code":10015}'

type Receiver = { uuid: string; isBroken: boolean }
type Endpoint = Receiver & { url: string; eventTypes: readonly string[] }
type Contact = Receiver & { name: string }
type Sent = {
  events: Row[]
  deliveries: Row[]
  attempts: Row[]
  alerts: Row[]
  lines: Row[]
}

type DemoEvent = { uuid: string; type: string; at: Date; outage: Outage }

const after = (at: Date, ms: number) => new Date(at.getTime() + ms)

function eventsOf(outage: Outage): DemoEvent[] {
  const lines = [
    ['monitor.down', after(outage.from, CONFIRMED_MS)],
    ['incident.opened', after(outage.from, CONFIRMED_MS)],
    ['incident.acknowledged', acknowledgedAt(outage)],
    ['monitor.up', outage.to],
    ['incident.resolved', outage.to],
  ] as const
  return lines.flatMap(([type, happenedAt]) => {
    if (happenedAt === null) return []
    const at = after(happenedAt, 300)
    return { uuid: uuidAt(at, `${type} ${outage.uuid}`), type, at, outage }
  })
}

function bodyOf(orgId: string, { uuid, type, at, outage }: DemoEvent): string {
  const { monitor, from, to } = outage
  const incident: Incident = {
    uuid: outage.uuid,
    monitor: { uuid: monitor.uuid, name: monitor.name, type: monitor.type as MonitorType },
    startedAt: from,
    resolvedAt: to !== null && at > to ? to : null,
    cause: outage.cause,
    causeCode: outage.code ?? 'TIMEOUT',
    resolution: to !== null && at > to ? 'RECOVERED' : null,
    acknowledgedAt: null,
  }
  return JSON.stringify({
    id: toPublicId('evt', uuid),
    type,
    timestamp: at.toISOString(),
    apiVersion: 'v1',
    organizationId: toPublicId('org', orgId),
    data: { incident: toApiIncident(incident) },
  })
}

type Receivers = { endpoints: readonly Endpoint[]; contacts: readonly Contact[]; now: Date }

export function sendingRows(
  orgId: string,
  outages: readonly Outage[],
  { endpoints, contacts, now }: Receivers,
): Sent {
  const demoEvents = outages.flatMap(eventsOf)
  const webhooks = demoEvents.flatMap((event) =>
    endpoints
      .filter(({ eventTypes }) => eventTypes.includes('*') || eventTypes.includes(event.type))
      .map((endpoint) => webhookRows(orgId, event, { endpoint, now })),
  )
  const alerts = outages.flatMap((outage) =>
    contacts.flatMap((contact) => alertRows(orgId, outage, { contact, now })),
  )
  return {
    events: demoEvents.map((event) => ({
      id: event.uuid,
      org_id: orgId,
      type: event.type,
      occurred_at: event.at,
      body: bodyOf(orgId, event),
    })),
    deliveries: [...webhooks, ...alerts].map(({ delivery }) => delivery),
    attempts: [...webhooks, ...alerts].flatMap(({ attempts }) => attempts),
    alerts: alerts.map(({ message }) => message),
    lines: alerts.map(({ line }) => line),
  }
}

type Sending = {
  uuid: string
  at: Date
  now: Date
  isBroken: boolean
  status: number
  error: string | null
}

/** A broken receiver is retried repeatedly, and its delivery may still be pending. */
function triesOf({ at, now, isBroken }: Sending): { triedAt: Date[]; nextAt: Date | null } {
  const all = (isBroken ? WAITS_SECONDS : [0]).map((seconds) => after(at, seconds * 1000))
  return { triedAt: all.filter((tried) => tried < now), nextAt: all.find((t) => t >= now) ?? null }
}

function deliveryRow(orgId: string, sending: Sending): Row {
  const { uuid, at, isBroken, status, error } = sending
  const { triedAt, nextAt } = triesOf(sending)
  const lastAt = after(triedAt.at(-1) ?? at, between(uuid, 60, 400))
  return {
    id: uuid,
    org_id: orgId,
    status: nextAt !== null ? 'PENDING' : isBroken ? 'FAILED' : 'SUCCEEDED',
    attempt_count: triedAt.length,
    next_attempt_at: nextAt,
    last_attempt_at: lastAt,
    last_response_status: status,
    last_error: error,
    created_at: at,
    completed_at: nextAt === null ? lastAt : null,
  }
}

function attemptRows(orgId: string, sending: Sending): Row[] {
  const { uuid, isBroken, status, error } = sending
  return triesOf(sending).triedAt.map((startedAt, index) => ({
    delivery_id: uuid,
    number: index + 1,
    id: uuidAt(startedAt, `attempt ${index} ${uuid}`),
    org_id: orgId,
    trigger: 'AUTOMATIC',
    started_at: startedAt,
    duration_ms: between(`${uuid} ${index}`, 40, 320),
    outcome: isBroken ? 'FAILED' : 'SUCCEEDED',
    response_status: status,
    response_body: isBroken ? '{"error":"queue is full"}' : '{"received":true}',
    error_code: isBroken ? 'BAD_STATUS' : null,
    error,
  }))
}

function webhookRows(
  orgId: string,
  event: DemoEvent,
  { endpoint, now }: { endpoint: Endpoint; now: Date },
) {
  const { isBroken } = endpoint
  const sending: Sending = {
    uuid: uuidAt(event.at, `to ${endpoint.uuid} ${event.uuid}`),
    at: event.at,
    now,
    isBroken,
    status: isBroken ? 500 : 200,
    error: isBroken ? 'HTTP 500, expected 2xx' : null,
  }
  const delivery = {
    ...deliveryRow(orgId, sending),
    endpoint_id: endpoint.uuid,
    channel: 'WEBHOOK',
    event_id: event.uuid,
    event_type: event.type,
    url: endpoint.url,
    message: null,
  }
  return { delivery, attempts: attemptRows(orgId, sending) }
}

function alertRows(
  orgId: string,
  outage: Outage,
  { contact, now }: { contact: Contact; now: Date },
) {
  const kinds = [
    ['DOWN', outage.from, `${outage.monitor.name} is down`],
    ['RECOVERED', outage.to, `${outage.monitor.name} is up again`],
  ] as const
  return kinds.flatMap(([kind, at, title]) => {
    if (at === null) return []
    const sentAt = after(at, between(`${kind} ${outage.uuid} ${contact.uuid}`, 5200, 7900))
    return alertRow(orgId, { outage, contact, kind, at: sentAt, now, title })
  })
}

type Alert = { outage: Outage; contact: Contact; kind: string; at: Date; now: Date; title: string }

function alertRow(orgId: string, { outage, contact, kind, at, now, title }: Alert) {
  const { isBroken } = contact
  const uuid = uuidAt(at, `${kind} ${contact.uuid} ${outage.uuid}`)
  const error = isBroken ? 'HTTP 404: Unknown Webhook' : null
  // A channel that is gone is not retried.
  const sending: Sending = { uuid, at, now, isBroken: false, status: isBroken ? 404 : 200, error }
  return {
    delivery: {
      ...deliveryRow(orgId, sending),
      status: isBroken ? 'FAILED' : 'SUCCEEDED',
      endpoint_id: contact.uuid,
      channel: 'ALERT',
      event_id: null,
      event_type: null,
      url: null,
      message: '\\x00',
    },
    attempts: attemptRows(orgId, sending).map((row) => ({
      ...row,
      ...(isBroken && {
        outcome: 'FAILED',
        error_code: 'BAD_STATUS',
        response_body: UNKNOWN_CHANNEL,
      }),
    })),
    message: {
      delivery_id: uuid,
      org_id: orgId,
      contact_id: contact.uuid,
      kind,
      thread: outage.uuid,
      title,
      incident_ids: [outage.uuid],
      created_at: at,
      settled_at: after(at, 1000),
    },
    line: {
      id: uuidAt(at, `line ${uuid}`),
      org_id: orgId,
      incident_id: outage.uuid,
      type: isBroken ? 'ALERT_FAILED' : 'ALERT_SENT',
      at: after(at, 500),
      message: isBroken
        ? `${contact.name} could not be told (${error}): ${title}`
        : `${contact.name} was told: ${title}`,
    },
  }
}
