// The sentence at the top of a monitor's page, by state and type. Pure.

import { explainUnchecked } from '../../../../src/domain/alerts/owners/monitor-notice.ts'
import { monitorText } from '../../messages/monitor.ts'
import { causeSentence } from '../../shared/cause-sentence.ts'
import { expiryLabel } from '../../shared/expiry.ts'
import { formatDay, formatMoment } from '../../time/format.ts'
import { VIEWER_ZONE } from '../../time/viewer.ts'
import type { State } from '../../ui/state.tsx'
import type { MonitorScreen } from './monitor-screen.ts'

const text = monitorText.verdict

type Judged = Pick<
  MonitorScreen,
  'type' | 'state' | 'inMaintenance' | 'expiry' | 'openIncident' | 'notices' | 'downFrom' | 'at'
> & {
  monitor: Pick<
    MonitorScreen['monitor'],
    'degradedThresholdMs' | 'degradedThresholdMode' | 'degradedSamples'
  >
}

type VerdictText = {
  state: State
  /** Replaces the word for the state. */
  lead: string | null
  /** Whether it says how long the state has lasted. */
  lasts: boolean
  /** When it ends or ended, if that is known. */
  until?: { how: 'until' | 'expiredOn'; moment: string }
  reason: string
}

export function verdictOf(screen: Judged, zone = VIEWER_ZONE): VerdictText {
  const verdict = stateOf(screen, zone)
  const notices = screen.notices.map((notice) => noticeText(notice, screen.at, zone))
  return { ...verdict, reason: [verdict.reason, ...notices].filter(Boolean).join(' ') }
}

function noticeText(notice: Judged['notices'][number], now: string, zone: string): string {
  const { kind, reason, region, otherRegion } = notice
  const since = formatMoment(notice.since, now, zone)
  if (kind === 'NOT_CHECKED')
    return text.notChecked({ moment: since, why: explainUnchecked(reason, region) })
  if (kind === 'REGION_LEFT_OUT')
    return text.leftOut({ moment: since, why: explainUnchecked(reason, region) })
  return text.failsFromHome({ region: region ?? '', other: otherRegion ?? '', moment: since })
}

function stateOf(screen: Judged, zone: string): VerdictText {
  const { type, state, inMaintenance } = screen
  const plain = { lead: null, lasts: false, reason: '' }
  if (inMaintenance && state !== 'PAUSED')
    return { ...plain, state: 'MAINTENANCE', lead: text.inMaintenance, reason: text.maintenance }
  if (state === 'PENDING')
    return type === 'CRON'
      ? { ...plain, state, lead: text.waitingForPing }
      : { ...plain, state, lead: text.pending, reason: text.waiting }
  const expiring = state === 'DEGRADED' && screen.downFrom ? undefined : untilExpiry(screen, zone)
  return expiring ?? { ...plain, state, lasts: true, reason: reasonOf(screen) }
}

function untilExpiry(screen: Judged, zone: string): VerdictText | undefined {
  const { type, expiry, at: now } = screen
  const label = expiryLabel(screen)
  if (label === undefined || expiry === null) return undefined
  if (expiry.expired) return hasExpired(screen, expiry.at, zone)
  const isLastDay = expiry.daysLeft === 0
  const until = isLastDay ? formatMoment(expiry.at, now, zone) : formatDay(expiry.at, now, zone)
  return {
    state: label.state,
    lead: isLastDay ? lastDayLead(type) : daysLead(type, expiry.daysLeft),
    lasts: false,
    until: { how: 'until', moment: until },
    reason: '',
  }
}

const lastDayLead = (type: Judged['type']) =>
  type === 'DOMAIN' ? text.domainLastDay : text.certificateLastDay

const daysLead = (type: Judged['type'], days: number) =>
  type === 'DOMAIN' ? text.domain({ days }) : text.certificate({ days })

function hasExpired({ type, at: now }: Judged, at: string, zone: string): VerdictText {
  const lead = type === 'DOMAIN' ? text.domainExpired : text.certificateExpired
  const until = { how: 'expiredOn', moment: formatDay(at, now, zone) } as const
  return { state: 'EXPIRING', lead, lasts: false, until, reason: '' }
}

function reasonOf({ state, openIncident, monitor, downFrom }: Judged): string {
  if (openIncident !== null) return causeSentence(openIncident.cause)
  if (state === 'PAUSED') return text.paused
  if (state === 'DEGRADED' && downFrom) return `${downFrom}.`
  const { degradedSamples: samples, degradedThresholdMs: limit, degradedThresholdMode } = monitor
  if (state !== 'DEGRADED' || limit === null) return ''
  return degradedThresholdMode === 'P95'
    ? text.slowP95({ checks: samples, limitMs: limit })
    : text.slow({ checks: samples, limitMs: limit })
}

/** What a check by hand found. */
export function checkedMessage(
  before: Pick<MonitorScreen, 'state' | 'openIncident'>,
  after: { state: MonitorScreen['state'] },
  word: string,
): string {
  const isStillDown = before.state === 'DOWN' && after.state === 'DOWN'
  return isStillDown && before.openIncident !== null
    ? monitorText.actions.stillDown({ cause: causeSentence(before.openIncident.cause) })
    : monitorText.actions.checked({ word: word.toLowerCase() })
}
