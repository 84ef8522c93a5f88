// What changed in an organization, just enough for a screen to show it or to reload.
import type { MonitorState } from '../monitors/monitor.ts'
import { type IdPrefix, toPublicId } from '../values/id.ts'
import type { EventType } from './event.ts'

/** The lists a screen can reload. */
export const LISTS = [
  'monitors',
  'incidents',
  'maintenanceWindows',
  'statusPages',
  'statusIncidents',
  'webhookEndpoints',
  'alertContacts',
  'members',
  'invitations',
  'keys',
  'organization',
] as const
type List = (typeof LISTS)[number]

type Of<Row> = Row & { orgId: string; xid: number }
type ChangedMonitor = Of<{
  uuid: string
  state: MonitorState
  since: string | null
  checkedAt: string | null
  responseMs: number | null
}>
type ChangedIncident = Of<{
  uuid: string
  monitorUuid: string
  startedAt: string
  acknowledgedAt: string | null
  causeCode: string
}>
type ChangedReceiver = Of<{
  uuid: string
  kind: 'ENDPOINT' | 'CONTACT'
  enabled: boolean
  failingSince: string | null
}>
/** `about` is the resource the event names first, `monitorId` the monitor it belongs to. */
type ChangedEvent = Of<{
  uuid: string
  type: EventType
  about: string | null
  monitorId: string | null
}>
/** An audited action on the resource with this ID. */
type AuditedChange = Of<{ resourceId: string | null }>

export type ChangeRows = {
  monitors: ChangedMonitor[]
  incidents: ChangedIncident[]
  receivers: ChangedReceiver[]
  events: ChangedEvent[]
  deeds: AuditedChange[]
}

type Changes = {
  monitors?: object[]
  incidents?: object[]
  receivers?: object[]
  events?: object[]
  /** Lists to reload, because their changes are not in this message or would be too many. */
  lists?: List[]
}

/** The most entries of each kind in one message. Beyond that, the screen reloads the list. */
export const MAX_CHANGES = { monitors: 250, incidents: 100, receivers: 50, events: 100, deeds: 200 }

const LIST_OF: Readonly<Partial<Record<IdPrefix, List>>> = {
  mon: 'monitors',
  tag: 'monitors',
  blk: 'monitors',
  inc: 'incidents',
  mw: 'maintenanceWindows',
  sp: 'statusPages',
  sin: 'statusIncidents',
  whe: 'webhookEndpoints',
  act: 'alertContacts',
  usr: 'members',
  inv: 'invitations',
  key: 'keys',
  org: 'organization',
}

/** Undefined if nothing changed. */
export function toChanges(rows: ChangeRows): Changes | undefined {
  const lists = new Set(rows.deeds.flatMap(({ resourceId }) => listOf(resourceId) ?? []))
  const kept = <Row>(entries: Row[], most: number, beyond: readonly List[]): Row[] => {
    if (entries.length <= most) return entries
    for (const list of beyond) lists.add(list)
    return []
  }
  const monitors = kept(rows.monitors, MAX_CHANGES.monitors, ['monitors'])
  const incidents = kept(rows.incidents, MAX_CHANGES.incidents, ['incidents'])
  const receivers = kept(rows.receivers, MAX_CHANGES.receivers, [
    'webhookEndpoints',
    'alertContacts',
  ])
  const events = kept(rows.events, MAX_CHANGES.events, LISTS)
  kept(rows.deeds, MAX_CHANGES.deeds, LISTS)
  const changes: Changes = {
    ...(monitors.length > 0 && { monitors: monitors.map(toMonitor) }),
    ...(incidents.length > 0 && { incidents: incidents.map(toIncident) }),
    ...(receivers.length > 0 && { receivers: receivers.map(toReceiver) }),
    ...(events.length > 0 && { events: events.map(toEvent) }),
    ...(lists.size > 0 && { lists: LISTS.filter((list) => lists.has(list)) }),
  }
  return Object.keys(changes).length > 0 ? changes : undefined
}

function listOf(resourceId: string | null): List | undefined {
  const [prefix = ''] = (resourceId ?? '').split('_')
  return LIST_OF[prefix as IdPrefix]
}

function toMonitor({ uuid, state, since, checkedAt, responseMs }: ChangedMonitor) {
  const id = toPublicId('mon', uuid)
  return { id, state, since: toInstant(since), lastCheckedAt: toInstant(checkedAt), responseMs }
}

function toIncident({ uuid, monitorUuid, startedAt, acknowledgedAt, causeCode }: ChangedIncident) {
  return {
    id: toPublicId('inc', uuid),
    monitorId: toPublicId('mon', monitorUuid),
    startedAt: toInstant(startedAt),
    acknowledgedAt: toInstant(acknowledgedAt),
    causeCode,
  }
}

function toReceiver({ uuid, kind, enabled, failingSince }: ChangedReceiver) {
  const id = toPublicId(kind === 'ENDPOINT' ? 'whe' : 'act', uuid)
  return { id, enabled, failingSince: toInstant(failingSince) }
}

function toEvent({ uuid, type, about, monitorId }: ChangedEvent) {
  return { id: toPublicId('evt', uuid), type, about, monitorId }
}

const toInstant = (text: string | null): string | null =>
  text === null ? null : new Date(text).toISOString()
