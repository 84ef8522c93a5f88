// What a row of the list says about a monitor's target, checks and uptime. Pure.
import { coversPeriod } from '../../../../src/domain/monitors/uptime.ts'
import type { ItemOf } from '../../api/contract.ts'
import { monitorRowText as text } from '../../messages/monitor-row.ts'
import { issuerLabel, watchesExpiry } from '../../shared/expiry.ts'
import { formatUptime } from '../../time/figures.ts'
import { formatDuration, formatFull, formatSpan } from '../../time/format.ts'
import { VIEWER_ZONE } from '../../time/viewer.ts'

export type MonitorRowData = ItemOf<'GET /overview/monitors'>

const MONTH_MS = 30 * 86_400_000

type Target = Pick<MonitorRowData, 'name' | 'type' | 'target' | 'everySeconds' | 'expiry'>

/** For a certificate or a domain with its issuer. What the name already says is not repeated next to it. */
export function targetLabel({ name, type, target, everySeconds, expiry }: Target): string {
  if (type === 'CRON') return text.ping({ every: formatSpan(everySeconds * 1000) })
  const issuer = watchesExpiry(type) && expiry !== null ? issuerLabel(expiry) : null
  if (issuer === null) return target ?? ''
  return name === target ? upperFirst(issuer) : `${target ?? ''} · ${issuer}`
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type Checked = Pick<
  MonitorRowData,
  'type' | 'state' | 'lastCheckedAt' | 'lastHeartbeatAt' | 'nextCheckAt'
>

/** When it was last checked, or when its job last sent a ping, with the next time as the tooltip. */
export function checkedLabel(row: Checked, zone = VIEWER_ZONE) {
  const isCron = row.type === 'CRON'
  const at = isCron ? row.lastHeartbeatAt : row.lastCheckedAt
  const none = isCron ? text.noPing : text.notYet
  if (at === null) return { at, none, title: '' }
  const last = isCron ? text.lastPing : text.checked
  const both = isCron ? text.lastPingAndNext : text.checkedAndNext
  const full = formatFull(at, zone)
  const next = row.state === 'PAUSED' ? null : row.nextCheckAt
  return {
    at,
    none,
    title: next === null ? last({ full }) : both({ full, next: formatFull(next, zone) }),
  }
}

/** The uptime of 30 days, once half of them were measured. */
export function uptimeLabel({
  uptime30d,
  measured30dSeconds,
}: Pick<MonitorRowData, 'uptime30d' | 'measured30dSeconds'>) {
  const measuredMs = measured30dSeconds * 1000
  if (uptime30d === null) return { figure: formatUptime(null), title: text.notMeasured }
  const measured = text.measured({ duration: formatDuration(measuredMs) })
  return coversPeriod(measuredMs, MONTH_MS)
    ? { figure: formatUptime(uptime30d), title: measured }
    : { figure: formatUptime(null), title: measured }
}
