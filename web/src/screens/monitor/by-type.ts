// What the page of a monitor shows depends on its type. Pure.
import { monitorText } from '../../messages/monitor.ts'
import { watchesExpiry } from '../../shared/expiry.ts'
import type { MonitorDraftType } from '../../shared/monitor-draft.ts'

type MonitorType = MonitorDraftType

/** The columns of the check log, besides time and result. */
export type LogColumns = {
  /** Heading of the response time; null where there is none. */
  total: string | null
  phases: boolean
  region: boolean
}

const { columns } = monitorText.log
const WEB = { total: columns.total, phases: true, region: true }

const LOG_COLUMNS: Record<MonitorType, LogColumns> = {
  HTTP: WEB,
  KEYWORD: WEB,
  PING: { total: columns.roundTrip, phases: false, region: true },
  PORT: { total: columns.connect, phases: false, region: true },
  DNS: { total: columns.lookup, phases: false, region: true },
  SSL: { total: columns.handshake, phases: false, region: true },
  DOMAIN: { total: null, phases: false, region: true },
  CRON: { total: null, phases: false, region: false },
}

export const logColumnsOf = (type: MonitorType): LogColumns => LOG_COLUMNS[type]

/** Time, result and the button for details are always there. */
export const columnCount = ({ total, phases, region }: LogColumns): number =>
  3 + Number(total !== null) + Number(phases) + Number(region)

// Response times mean nothing for a job's run or a registry lookup.
export const hasResponseTimes = (type: MonitorType): boolean => type !== 'CRON' && type !== 'DOMAIN'

/** Certificates and domains lead with the time left; uptime would only repeat "100%". */
export const leadsWithUptime = (type: MonitorType): boolean => !watchesExpiry(type)

const LEAST_BAR_MS = 5

/** The length of a check's bar; undefined if it has none. Very short phases would only show rounding. */
export function barLength(
  timings: PhaseTimes | null,
  responseMs: number | null,
): number | undefined {
  if (timings === null || responseMs === null) return undefined
  const phases = phasesOf(timings).reduce((sum, [, ms]) => sum + (ms ?? 0), 0)
  // Phases may exceed the response time, which excludes time that the target did not spend.
  const length = Math.max(responseMs, phases)
  return length < LEAST_BAR_MS ? undefined : length
}

type PhaseTimes = {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
}

export const phasesOf = (timings: PhaseTimes) =>
  [
    ['dns', timings.dnsMs],
    ['con', timings.connectMs],
    ['tls', timings.tlsMs],
    ['wait', timings.firstByteMs],
  ] as const

/** `DNS 3 ms · Connect 12 ms · TLS 24 ms · Wait 992 ms`. */
export const phasesLabel = (timings: PhaseTimes): string =>
  phasesOf(timings)
    .flatMap(([name, ms]) => (ms === null ? [] : [`${monitorText.log.phases[name]} ${ms} ms`]))
    .join(' · ')

const SCALES_DAYS = [90, 365, 730]

/** The bar of the time left: its length in days, and the parts that are left and in which to warn, from 0 to 1. */
export function remainingBar({ daysLeft, warnDays }: { daysLeft: number; warnDays: number }) {
  const scaleDays = SCALES_DAYS.find((days) => daysLeft <= days) ?? daysLeft
  return { scaleDays, left: daysLeft / scaleDays, warn: Math.min(1, warnDays / scaleDays) }
}
