// Describes an event in one line. It may be unverified, so every field is checked.
import type { EventType } from '@upvane/sdk/webhooks'

type Describe = (data: unknown) => string

const monitorName: Describe = (data) => text(data, 'monitor', 'name')
const changed: Describe = (data) =>
  `${monitorName(data)}: ${text(data, 'previousState')} -> ${text(data, 'monitor', 'state')}`
const expiring: Describe = (data) =>
  `${monitorName(data)}: ${text(data, 'daysLeft')} days left, until ${day(data, 'expiresAt')}`
const failing: Describe = (data) => `${monitorName(data)}: ${text(data, 'incident', 'cause')}`
const statusIncident: Describe = (data) =>
  `${text(data, 'statusIncident', 'title')}: ${text(data, 'statusIncident', 'status')}`

const DESCRIPTIONS: Record<EventType, Describe> = {
  'incident.opened': failing,
  'incident.acknowledged': failing,
  'incident.resolved': (data) =>
    `${monitorName(data)}: ${text(data, 'incident', 'resolution')} after ${text(data, 'incident', 'durationSec')} s`,
  'status_incident.published': statusIncident,
  'status_incident.updated': statusIncident,
  'status_incident.resolved': statusIncident,
  'monitor.created': watched,
  'monitor.updated': (data) => `${monitorName(data)}: ${list(data, 'changedFields')}`,
  'monitor.deleted': watched,
  'monitor.paused': watched,
  'monitor.resumed': watched,
  'monitor.up': changed,
  'monitor.degraded': changed,
  'monitor.down': changed,
  'monitor.ssl_expiring': expiring,
  'monitor.domain_expiring': expiring,
  'monitor.dns_changed': (data) =>
    `${monitorName(data)}: ${list(data, 'before')} -> ${list(data, 'after')}`,
  'maintenance.scheduled': maintenance,
  'maintenance.started': maintenance,
  'maintenance.ended': maintenance,
  'maintenance.canceled': maintenance,
  'webhook.test': (data) => text(data, 'message'),
}

/** Empty for types this version does not know. */
export function describeEvent(type: string, data: unknown): string {
  return isKnown(type) ? DESCRIPTIONS[type](data) : ''
}

function isKnown(type: string): type is EventType {
  return Object.hasOwn(DESCRIPTIONS, type)
}

function watched(data: unknown): string {
  const port = find(data, 'monitor', 'port')
  const host = find(data, 'monitor', 'url') ?? find(data, 'monitor', 'host')
  const where = [host, port].filter((part) => part !== undefined).join(':')
  return `${monitorName(data)} (${text(data, 'monitor', 'type')}${where && ` ${where}`})`
}

function maintenance(data: unknown): string {
  const name = text(data, 'maintenanceWindow', 'name')
  const from = find(data, 'occurrence', 'startsAt')
  return from === undefined ? name : `${name}: ${from} to ${text(data, 'occurrence', 'endsAt')}`
}

function text(value: unknown, ...path: string[]): string {
  return find(value, ...path) ?? '?'
}

function find(value: unknown, ...path: string[]): string | undefined {
  const found = path.reduce(at, value)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
}

function day(value: unknown, name: string): string {
  return text(value, name).slice(0, 10)
}

function list(value: unknown, name: string): string {
  const found = at(value, name)
  return Array.isArray(found) ? found.map(String).join(', ') : '?'
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
