// What the owners of an organization are emailed about its monitors besides alerts: when, and in which words. One email
// names all monitors, and a new one is sent only after a pause.
import { PATHS, pathTo } from '../../values/dashboard-paths.ts'
import { toPublicId } from '../../values/id.ts'
import { type Alert, bounded } from '../alert.ts'
import type { AlertContext } from '../text.ts'
import { formatAt } from '../times.ts'

export const MONITOR_NOTICE_KINDS = ['NOT_CHECKED', 'FAILS_FROM_HOME', 'REGION_LEFT_OUT'] as const
export type MonitorNoticeKind = (typeof MONITOR_NOTICE_KINDS)[number]

const MINUTE_MS = 60_000
/** Between two emails while it lasts, for monitors that joined. */
export const JOINING_PAUSE_MS = 60 * MINUTE_MS
/** Between two emails about separate times, so that a probe that comes and goes does not flood mailboxes. */
export const RENEWED_PAUSE_MS = 15 * MINUTE_MS

export type OwnerNotice = {
  sentAt: Date
  isOpen: boolean
  hasRecovered: boolean
}

/** Monitors by what their owners know of them. `others`: they know of them, or it is too early to say. */
export type NoticeCounts = { due: number; others: number }

/** BEGIN and MORE: name those that are due. END: all are over. CLOSE: so they are, without a word. */
export type NoticeStep = 'BEGIN' | 'MORE' | 'END' | 'CLOSE' | 'WAIT'

export function nextNoticeStep(
  kind: MonitorNoticeKind,
  last: OwnerNotice | undefined,
  { due, others }: NoticeCounts,
  now: Date,
): NoticeStep {
  const pausedMs = last === undefined ? Number.POSITIVE_INFINITY : now.getTime() - +last.sentAt
  if (last?.isOpen !== true) return due > 0 && pausedMs >= RENEWED_PAUSE_MS ? 'BEGIN' : 'WAIT'
  if (due > 0) return pausedMs >= JOINING_PAUSE_MS ? 'MORE' : 'WAIT'
  if (others > 0) return 'WAIT'
  return kind === 'NOT_CHECKED' && last.hasRecovered ? 'END' : 'CLOSE'
}

export type NoticedMonitor = {
  uuid: string
  name: string
  since: Date
  reason: string | null
  region: string | null
  otherRegion: string | null
}

/** `monitors`: the first of them, the longest unchecked one first. `isOneReason`: the same for all. */
export type NoticeContent = {
  kind: MonitorNoticeKind
  step: 'BEGIN' | 'MORE'
  thread: string
  monitors: readonly NoticedMonitor[]
  total: number
  isOneReason: boolean
}

/** One line less than an alert may have, for "and 12 more". */
export const LISTED = 9

export function toMonitorNotice(content: NoticeContent, context: AlertContext): Alert {
  const { kind, thread, monitors, total } = content
  const { organization, baseUrl, at } = context
  const [first] = monitors
  if (first === undefined) throw new Error('Owners are notified of a monitor')
  const isOne = total === 1
  const path = isOne
    ? pathTo(PATHS.monitor, { monitorId: toPublicId('mon', first.uuid) })
    : PATHS.monitors
  return bounded({
    kind: kind === 'REGION_LEFT_OUT' ? 'NOT_CHECKED' : kind,
    thread,
    organization,
    title: titleOf(content, first),
    summary: summaryOf(content, first, context),
    facts: [
      ...(isOne ? [] : listOf(content, context)),
      ...(isOne ? [{ label: 'What it means', value: MEANING[kind] }] : []),
    ],
    links: { open: `${baseUrl}${path}`, acknowledge: null },
    at: at.toISOString(),
  })
}

export function toCheckedAgainNotice(thread: string, context: AlertContext): Alert {
  const { organization, baseUrl, at, timezone } = context
  return bounded({
    kind: 'CHECKED_AGAIN',
    thread,
    organization,
    title: 'All monitors are being checked again',
    summary: `Since ${formatAt(at, timezone)}`,
    facts: [],
    links: { open: `${baseUrl}${PATHS.monitors}`, acknowledge: null },
    at: at.toISOString(),
  })
}

// biome-ignore format: a table is read by its columns
const ONE: Record<MonitorNoticeKind, string> = {
  NOT_CHECKED:     'is not being checked',
  FAILS_FROM_HOME: 'fails from one region',
  REGION_LEFT_OUT: 'is not being checked from one of its regions',
}
// biome-ignore format: a table is read by its columns
const MANY: Record<MonitorNoticeKind, string> = {
  NOT_CHECKED:     'are not being checked',
  FAILS_FROM_HOME: 'fail from one region',
  REGION_LEFT_OUT: 'are not being checked from one of their regions',
}
// biome-ignore format: a table is read by its columns
const MEANING: Record<MonitorNoticeKind, string> = {
  NOT_CHECKED:     'Its state is the last known one. Nobody is alerted if it goes down meanwhile.',
  FAILS_FROM_HOME: 'It is not down. It is checked from the region that reaches it until both do.',
  REGION_LEFT_OUT: 'Its other regions decide without this one.',
}

function titleOf({ kind, step, total }: NoticeContent, first: NoticedMonitor): string {
  if (total === 1) return `${first.name} ${ONE[kind]}`
  return `${total}${step === 'MORE' ? ' more' : ''} monitors ${MANY[kind]}`
}

function summaryOf(
  { kind, isOneReason }: NoticeContent,
  first: NoticedMonitor,
  { timezone }: AlertContext,
): string {
  const since = `since ${formatAt(first.since, timezone)}`
  const why = explain(kind, first)
  if (kind !== 'NOT_CHECKED') return isOneReason ? `${sentence(why)}, ${since}` : sentence(since)
  return `Not checked ${since}${isOneReason ? `: ${why}` : ''}`
}

function listOf({ kind, monitors, total }: NoticeContent, { timezone }: AlertContext) {
  const listed = monitors.slice(0, LISTED).map((one) => ({
    label: one.name,
    value: `${explain(kind, one)}, since ${formatAt(one.since, timezone)}`,
  }))
  const more = total - listed.length
  return more > 0 ? [...listed, { label: 'More', value: `and ${more} more` }] : listed
}

const explain = (kind: MonitorNoticeKind, { reason, region, otherRegion }: NoticedMonitor) =>
  kind === 'FAILS_FROM_HOME'
    ? `Fails from ${region ?? 'home'}, passes from ${otherRegion ?? 'another region'}`
    : explainUnchecked(reason, region)

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `no probe in site-b` */
export function explainUnchecked(reason: string | null, region: string | null): string {
  if (reason === 'NO_PROBE' && region === null) return 'no probe in any region'
  const what = REASONS.get(reason ?? '') ?? 'no result'
  return region === null ? what : `${what} ${FROM.has(reason ?? '') ? 'from' : 'in'} ${region}`
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['NO_PROBE', 'no probe'],
  ['NO_ANSWER', 'no response from the probe'],
  ['NO_ROUTE', 'no route'],
  ['NOT_PROVEN', 'never reached'],
  ['EGRESS', 'no network connection'],
  ['TARGET_NOT_ALLOWED', 'address no longer allowed'],
  ['PROBE_BUSY', 'probe overloaded'],
  ['STALLED', 'probe overloaded'],
  ['PROBE_FAULT', 'invalid results'],
  ['PROBE_TOO_OLD', 'probe too old'],
])
const FROM: ReadonlySet<string> = new Set(['NO_ROUTE', 'NOT_PROVEN', 'PROBE_FAULT'])
