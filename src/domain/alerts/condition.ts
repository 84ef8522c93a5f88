// Which findings about a monitor become alert conditions, and their texts.
import type { CheckResult, MonitorNotice } from '../incidents/apply-result.ts'
import type { Incident } from '../incidents/incident.ts'
import { isSilent } from '../monitors/egress-doubt.ts'
import type { Monitor, MonitorType } from '../monitors/monitor.ts'
import { toPublicId } from '../values/id.ts'
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
  /** Where the silence was found: the number of a region, or where pings are received. Absent if it was no silence. */
  silentIn?: number | 'PINGS'
}

type AlertedMonitor = Pick<Monitor, 'uuid' | 'name' | 'type' | 'state' | 'url' | 'host'>

// These degrade because an expiry date is near, which is reported as EXPIRING.
const EXPIRES: ReadonlySet<MonitorType> = new Set<MonitorType>(['SSL', 'DOMAIN'])

export function outageCondition(
  monitor: AlertedMonitor,
  { uuid, startedAt, cause }: Pick<Incident, 'uuid' | 'startedAt' | 'cause'>,
  result?: Pick<CheckResult, 'outcome' | 'regionNo'>,
): NewAlertCondition {
  const silentIn = result && silentInOf(result)
  return {
    ...createCondition('DOWN', monitor, startedAt, cause),
    incidentUuid: uuid,
    ...(silentIn !== undefined && { silentIn }),
  }
}

/** Silence may be ours. Anything that answered, refused or reset shows that the network works. */
function silentInOf({
  outcome,
  regionNo,
}: Pick<CheckResult, 'outcome' | 'regionNo'>): number | 'PINGS' | undefined {
  if (outcome.result !== 'FAILED') return undefined
  if (outcome.failure.cause === 'HEARTBEAT_MISSED') return 'PINGS'
  return isSilent(outcome.failure) ? (regionNo ?? undefined) : undefined
}

/** Undefined for notices that start no alert condition. An outage starts with its incident. */
export function noticeCondition(
  notice: MonitorNotice,
  monitor: AlertedMonitor,
  at: Date,
): NewAlertCondition | undefined {
  switch (notice.kind) {
    case 'STATE':
      if (monitor.state !== 'DEGRADED') return undefined
      if (notice.reason !== undefined)
        return createCondition('DEGRADED', monitor, at, notice.reason)
      return EXPIRES.has(monitor.type)
        ? undefined
        : createCondition('DEGRADED', monitor, at, 'Slower than its threshold')
    case 'EXPIRY': {
      const what = notice.what === 'ssl' ? 'certificate' : 'domain'
      return createCondition('EXPIRING', monitor, at, `The ${what} ${expiry(notice.notice)}`)
    }
    case 'DNS': {
      const { before, after } = notice.change
      return createCondition('DNS_CHANGED', monitor, at, `${list(before)} → ${list(after)}`)
    }
  }
}

function createCondition(
  kind: AlertConditionKind,
  { uuid, name, url, host }: AlertedMonitor,
  since: Date,
  cause: string,
): NewAlertCondition {
  const about = {
    monitorId: toPublicId('mon', uuid),
    name,
    address: withoutLogin(url) ?? host,
    cause,
  }
  return { kind, monitorUuid: uuid, incidentUuid: null, url, host, since, about }
}

/** Alerts leave the organization, as events do, so a login in the URL is removed. */
function withoutLogin(url: string | null): string | null {
  return url && url.replace(/^([a-z]+:\/\/)[^/?#@]*@/i, '$1')
}

function expiry({ expiresAt, daysLeft }: { expiresAt: Date; daysLeft: number }): string {
  const day = formatDay(expiresAt)
  if (daysLeft < 0) return `expired on ${day}`
  return `expires on ${day}, in ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}`
}

const list = (values: readonly string[]) => (values.length === 0 ? 'nothing' : values.join(', '))
