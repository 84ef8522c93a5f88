// The same monitors in the words of Uptime Kuma, for dashboards and integrations that were written for it.
import { type MonitorState, type MonitorType, REQUIRED_FIELDS } from '../monitors/monitor.ts'
import type { UptimeWindow } from '../monitors/uptime-ranges.ts'
import { type MetricFamily, toLabels } from './exposition.ts'
import type { MetricMonitor } from './organization-metrics.ts'
import { shownTarget } from './shown-target.ts'

export const KUMA_WINDOWS: readonly UptimeWindow[] = ['24h', '30d', '365d']
// Its own names, in the same order.
const WINDOW_NAMES = ['1d', '30d', '365d']

/** Types without a counterpart keep their name: readers treat them as unknown. */
const TYPES: Record<MonitorType, string> = {
  HTTP: 'http',
  KEYWORD: 'keyword',
  PING: 'ping',
  PORT: 'port',
  CRON: 'push',
  DNS: 'dns',
  SSL: 'ssl',
  DOMAIN: 'domain',
}

const STATUSES: Record<Exclude<MonitorState, 'PAUSED'>, number> = {
  DOWN: 0,
  UP: 1,
  DEGRADED: 1,
  PENDING: 2,
}
const MAINTENANCE = 3
// Instead of a missing value.
const NO_RESPONSE_TIME = -1
const NOTHING = 'null'
const DAY_MS = 86_400_000

type KumaMonitor = { labels: string; monitor: MetricMonitor; status: number; at: Date }

/**
 * Paused monitors have no series. Readers identify a monitor by its name, because `monitor_id` would have to be a
 * number, so equal names get a suffix.
 */
export function toKumaMonitors(monitors: readonly MetricMonitor[], at: Date): KumaMonitor[] {
  const names = new UniqueNames(monitors.map(({ name }) => name))
  return monitors.flatMap((monitor) => {
    // Before the filter, so that a pause does not rename others.
    const name = names.next(monitor.name)
    const { state } = monitor
    if (state === 'PAUSED') return []
    const status = monitor.inMaintenance ? MAINTENANCE : STATUSES[state]
    return [{ labels: labelsOf(name, monitor), monitor, status, at }]
  })
}

class UniqueNames {
  readonly #all: ReadonlySet<string>
  readonly #given = new Set<string>()
  readonly #counts = new Map<string, number>()

  constructor(names: readonly string[]) {
    this.#all = new Set(names)
  }

  /** The name, or with the first free number. */
  next(name: string): string {
    let count = (this.#counts.get(name) ?? 0) + 1
    let given = count === 1 ? name : `${name} (${count})`
    while (this.#given.has(given) || (given !== name && this.#all.has(given))) {
      count += 1
      given = `${name} (${count})`
    }
    this.#counts.set(name, count)
    this.#given.add(given)
    return given
  }
}

function labelsOf(name: string, monitor: MetricMonitor): string {
  const target = shownTarget(monitor)
  const isUrl = target.includes('://')
  const { type, host, port } = monitor
  const needs = REQUIRED_FIELDS[type]
  const hostname = needs.includes('host') ? host : isUrl ? null : target
  return toLabels({
    monitor_name: name,
    monitor_type: TYPES[type],
    monitor_url: isUrl ? target : NOTHING,
    monitor_hostname: hostname || NOTHING,
    monitor_port: needs.includes('port') && port !== null ? String(port) : NOTHING,
  })
}

type Value = (row: KumaMonitor) => number | null

function gauge(name: string, help: string, value: Value): MetricFamily<KumaMonitor> {
  const linesOf = (row: KumaMonitor) => {
    const found = value(row)
    return found === null ? '' : `${name}{${row.labels}} ${found}\n`
  }
  return { name, help, kind: 'gauge', linesOf }
}

export const KUMA_FAMILIES: readonly MetricFamily<KumaMonitor>[] = [
  gauge(
    'monitor_cert_days_remaining',
    'The number of days until the certificate expires.',
    daysLeft,
  ),
  gauge(
    'monitor_cert_is_valid',
    'Whether the certificate is still valid (1 = yes, 0 = no).',
    (row) => {
      const days = daysLeft(row)
      return days === null ? null : Number(days >= 0)
    },
  ),
  {
    name: 'monitor_uptime_ratio',
    help: 'Uptime ratio over the sliding window of the label, from 0.0 to 1.0.',
    kind: 'gauge',
    linesOf: ratioLines,
  },
  gauge(
    'monitor_response_time',
    'Response time of the monitor in milliseconds.',
    ({ monitor }) => monitor.lastResponseMs ?? NO_RESPONSE_TIME,
  ),
  gauge(
    'monitor_status',
    'Status of the monitor (1 = up, 0 = down, 2 = pending, 3 = maintenance).',
    ({ status }) => status,
  ),
]

function daysLeft({ monitor: { certExpiresAt }, at }: KumaMonitor): number | null {
  return certExpiresAt && Math.floor((certExpiresAt.getTime() - at.getTime()) / DAY_MS)
}

function ratioLines({ labels, monitor }: KumaMonitor): string {
  let lines = ''
  WINDOW_NAMES.forEach((window, i) => {
    const ratio = monitor.ratios[i] ?? null
    if (ratio !== null) lines += `monitor_uptime_ratio{${labels},window="${window}"} ${ratio}\n`
  })
  return lines
}
