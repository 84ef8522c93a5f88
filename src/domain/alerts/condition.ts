// Which events become alert conditions, and their texts.
import type { EventDraft } from '../events/event.ts'
import type { MonitorType } from '../monitors/monitor.ts'
import { fromPublicId } from '../values/id.ts'
import type { AlertConditionKind } from './model.ts'
import type { AlertSubject } from './text.ts'
import { formatDay } from './times.ts'

export type NewAlertCondition = {
  kind: AlertConditionKind
  monitorUuid: string
  incidentUuid: string | null
  url: string | null
  host: string | null
  since: Date
  about: AlertSubject
}

type MonitorData = {
  id: string
  name: string
  type: MonitorType
  url: string | null
  host: string | null
}
type EventData = {
  monitor: MonitorData
  incident?: { id: string; startedAt: string; cause: string }
  expiresAt?: string
  daysLeft?: number
  before?: readonly string[]
  after?: readonly string[]
}

// These degrade because an expiry date is near, which is reported as EXPIRING.
const EXPIRES: ReadonlySet<MonitorType> = new Set<MonitorType>(['SSL', 'DOMAIN'])

/** Undefined for events that start no alert condition. */
export function toAlertCondition({ type, at, data }: EventDraft): NewAlertCondition | undefined {
  // Safe because drafts of these types always carry a monitor, and those of incidents an incident.
  const { monitor, incident, ...more } = data as EventData
  switch (type) {
    case 'incident.opened':
      return incident && outage(monitor, incident)
    case 'monitor.degraded':
      return EXPIRES.has(monitor.type)
        ? undefined
        : createCondition('DEGRADED', monitor, at, 'Slower than its threshold')
    case 'monitor.ssl_expiring':
      return createCondition('EXPIRING', monitor, at, `The certificate ${expiry(more)}`)
    case 'monitor.domain_expiring':
      return createCondition('EXPIRING', monitor, at, `The domain ${expiry(more)}`)
    case 'monitor.dns_changed':
      return createCondition(
        'DNS_CHANGED',
        monitor,
        at,
        `${list(more.before)} became ${list(more.after)}`,
      )
    default:
      return undefined
  }
}

function outage(
  monitor: MonitorData,
  incident: NonNullable<EventData['incident']>,
): NewAlertCondition {
  const created = createCondition('DOWN', monitor, new Date(incident.startedAt), incident.cause)
  return { ...created, incidentUuid: fromPublicId('inc', incident.id) ?? null }
}

function createCondition(
  kind: AlertConditionKind,
  monitor: MonitorData,
  since: Date,
  cause: string,
): NewAlertCondition {
  const { id, name, url, host } = monitor
  const monitorUuid = fromPublicId('mon', id)
  if (monitorUuid === undefined) throw new Error(`Not a monitor: ${id}`)
  const about = { monitorId: id, name, address: withoutLogin(url) ?? host, cause }
  return { kind, monitorUuid, incidentUuid: null, url, host, since, about }
}

/** Alerts leave the organization, as events do, so a login in the URL is removed. */
function withoutLogin(url: string | null): string | null {
  return url && url.replace(/^([a-z]+:\/\/)[^/?#@]*@/i, '$1')
}

function expiry({ expiresAt = '', daysLeft = 0 }: Pick<EventData, 'expiresAt' | 'daysLeft'>) {
  const day = formatDay(new Date(expiresAt))
  if (daysLeft < 0) return `expired on ${day}`
  return `expires on ${day}, in ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}`
}

const list = (values: readonly string[] = []) =>
  values.length === 0 ? 'nothing' : values.join(', ')
