// The metrics that an organization's own Prometheus scrapes.
import type { MonitorState, MonitorType } from '../monitors/monitor.ts'
import type { UptimeWindow } from '../monitors/uptime-ranges.ts'
import { toPublicId } from '../values/id.ts'
import { type MetricFamily, toLabels } from './exposition.ts'
import { shownTarget } from './shown-target.ts'
import type { UptimeRatios } from './uptime-ratios.ts'

/** What metrics say about a monitor. Nothing of its request: no header, no body, no heartbeat address. */
export type MetricMonitor = {
  uuid: string
  name: string
  type: MonitorType
  url: string | null
  host: string | null
  port: number | null
  state: MonitorState
  lastResponseMs: number | null
  lastCheckedAt: Date | null
  certExpiresAt: Date | null
  domainExpiresAt: Date | null
  inMaintenance: boolean
  /** The slug of a status page that shows the monitor, and the section there. */
  page: string | null
  section: string | null
  ratios: UptimeRatios
  /** What each region found in the last check; null if that ran in one. `isUp`: null without an answer. */
  regions: readonly MetricRegion[] | null
}

type MetricRegion = { region: string; responseMs: number | null; isUp: boolean | null }

export const METRIC_WINDOWS: readonly UptimeWindow[] = ['24h', '7d', '30d']

type LabeledMonitor = MetricMonitor & { labels: string }

export function toLabeled(monitor: MetricMonitor): LabeledMonitor {
  const { uuid, name, type } = monitor
  return { ...monitor, labels: toLabels({ id: toPublicId('mon', uuid), name, type }) }
}

const UP: Record<MonitorState, number | null> = {
  UP: 1,
  DEGRADED: 1,
  DOWN: 0,
  PENDING: null,
  PAUSED: null,
}

type Value = (monitor: LabeledMonitor) => number | null

/** A gauge with one sample per monitor; null leaves it out. */
function gauge(name: string, help: string, value: Value): MetricFamily<LabeledMonitor> {
  const start = `${name}{`
  const linesOf = (monitor: LabeledMonitor) => {
    const found = value(monitor)
    return found === null ? '' : `${start}${monitor.labels}} ${found}\n`
  }
  return { name, help, kind: 'gauge', linesOf }
}

/** A gauge with one sample per monitor and region; null leaves it out. Only what is checked has any. */
function regionGauge(
  name: string,
  help: string,
  value: (region: MetricRegion) => number | null,
): MetricFamily<LabeledMonitor> {
  const linesOf = ({ labels, regions, state }: LabeledMonitor) => {
    if (regions === null || UP[state] === null) return ''
    const found = regions.map((one) => ({
      labels: toLabels({ region: one.region }),
      at: value(one),
    }))
    return found
      .filter(({ at }) => at !== null)
      .map((one) => `${name}{${labels},${one.labels}} ${one.at}\n`)
      .join('')
  }
  return { name, help, kind: 'gauge', linesOf }
}

const seconds = (at: Date | null): number | null => at && Math.floor(at.getTime() / 1000)

export const MONITOR_FAMILIES: readonly MetricFamily<LabeledMonitor>[] = [
  gauge(
    'upvane_monitor_up',
    'Whether the monitor is UP or DEGRADED (1) or DOWN (0). Absent while it is PENDING or PAUSED.',
    ({ state }) => UP[state],
  ),
  {
    name: 'upvane_monitor_state',
    help: 'The state of the monitor. Only the series of the current state exists, and it is 1.',
    kind: 'gauge',
    linesOf: ({ labels, state }) => `upvane_monitor_state{${labels},state="${state}"} 1\n`,
  },
  gauge(
    'upvane_monitor_response_seconds',
    'Response time of the last check. Absent while the monitor is PENDING or PAUSED.',
    ({ state, lastResponseMs }) =>
      UP[state] === null || lastResponseMs === null ? null : lastResponseMs / 1000,
  ),
  {
    name: 'upvane_monitor_uptime_ratio',
    help: 'Share of the measured time in which the monitor was up, from 0 to 1. Up to five minutes old.',
    kind: 'gauge',
    linesOf: ratioLines,
  },
  gauge(
    'upvane_monitor_certificate_expiry_timestamp_seconds',
    'When the certificate expires.',
    ({ certExpiresAt }) => seconds(certExpiresAt),
  ),
  gauge(
    'upvane_monitor_domain_expiry_timestamp_seconds',
    'When the registration of the domain expires.',
    ({ domainExpiresAt }) => seconds(domainExpiresAt),
  ),
  gauge(
    'upvane_monitor_last_check_timestamp_seconds',
    'When the monitor was last checked.',
    ({ lastCheckedAt }) => seconds(lastCheckedAt),
  ),
  gauge(
    'upvane_monitor_in_maintenance',
    'Whether a maintenance window covers the monitor now (1) or not (0).',
    ({ inMaintenance }) => Number(inMaintenance),
  ),
  {
    name: 'upvane_monitor_info',
    help: 'What the monitor checks, and where it is published. Always 1.',
    kind: 'info',
    linesOf: infoLine,
  },
  regionGauge(
    'upvane_monitor_region_up',
    'Whether the monitor was reached from the region in the last check (1) or not (0), if checks run in several at once. Absent if the region gave no answer.',
    ({ isUp }) => (isUp === null ? null : Number(isUp)),
  ),
  regionGauge(
    'upvane_monitor_region_response_seconds',
    'Response time of the last check from the region, if checks run in several at once.',
    ({ isUp, responseMs }) => (isUp && responseMs !== null ? responseMs / 1000 : null),
  ),
]

function ratioLines({ labels, ratios }: LabeledMonitor): string {
  let lines = ''
  METRIC_WINDOWS.forEach((window, i) => {
    const ratio = ratios[i] ?? null
    if (ratio !== null)
      lines += `upvane_monitor_uptime_ratio{${labels},window="${window}"} ${ratio}\n`
  })
  return lines
}

function infoLine(monitor: LabeledMonitor): string {
  const more = toLabels({
    target: shownTarget(monitor),
    page: monitor.page ?? '',
    section: monitor.section ?? '',
  })
  return `upvane_monitor_info{${monitor.labels},${more}} 1\n`
}

/** A family of the organization, with one sample. */
export const INCIDENT_FAMILIES: readonly MetricFamily<number>[] = [
  {
    name: 'upvane_incidents_open',
    help: 'Incidents that are not resolved.',
    kind: 'gauge',
    linesOf: (count) => `upvane_incidents_open ${count}\n`,
  },
]
