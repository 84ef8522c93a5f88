// What an alert says: what, where, since when and why, and where to look.
import { type Alert, type AlertKind, bounded } from './alert.ts'
import type { TroubleKind } from './alerting.ts'
import { toPublicId } from './id.ts'

/** Kept as JSON with its trouble, as it was then. */
export type About = {
  /** Of a webhook endpoint its own. */
  monitorId: string
  name: string
  /** `https://shop.example/health`, or a host; null for CRON. */
  address: string | null
  /** Why, in words. */
  cause: string
  /** In place of what is made of its kind. */
  said?: { title: string; summary: string }
}

/** What is said of one trouble. */
export type ToldTrouble = {
  uuid: string
  kind: TroubleKind
  incidentUuid: string | null
  host: string | null
  since: Date
  endedAt: Date | null
  /** Why an outage ended, when it did not recover. */
  resolution: string | null
  about: About
}

export type Setting = {
  organization: string
  baseUrl: string
  timezone: string
  at: Date
}

export type Telling = {
  kind: AlertKind
  thread: string
  told: readonly ToldTrouble[]
  open: readonly ToldTrouble[]
}

const LISTED = 9

export function toAlert({ kind, thread, told, open }: Telling, setting: Setting): Alert {
  const { organization, baseUrl, at } = setting
  const [first] = told
  if (first === undefined) throw new Error('An alert tells of something')
  const names = new Set(told.map(({ about }) => about.monitorId))
  const isOne = names.size === 1
  // The outage says more than the slowness it began with.
  const main = told.find((trouble) => trouble.kind === 'DOWN') ?? first
  return bounded({
    kind,
    thread,
    organization,
    title: isOne ? titleOfOne(kind, main) : titleOfMany(kind, told, names.size),
    summary: isOne ? summaryOfOne(kind, main, setting) : summaryOfMany(kind, told, open, setting),
    facts: isOne ? factsOfOne(kind, main, setting) : factsOfMany(told),
    links: linksOf(kind, main, isOne, baseUrl),
    at: at.toISOString(),
  })
}

export function testAlert(name: string, setting: Setting): Alert {
  const { organization, baseUrl, at } = setting
  return bounded({
    kind: 'TEST',
    thread: 'test',
    organization,
    title: `Test alert for ${name}`,
    summary: `Sent on ${formatAt(at, setting.timezone)}. Alerts will look like this one.`,
    facts: [],
    links: { open: `${baseUrl}/alert-contacts`, acknowledge: null },
    at: at.toISOString(),
  })
}

// biome-ignore format: a table is read by its columns
const ONE: Record<TroubleKind, string> = {
  DOWN:            'is down',
  DEGRADED:        'is degraded',
  EXPIRING:        'expires soon',
  DNS_CHANGED:     'has changed in the DNS',
  WEBHOOK_FAILING: 'is failing',
}
// biome-ignore format: a table is read by its columns
const MANY: Record<TroubleKind, string> = {
  DOWN:            'are down',
  DEGRADED:        'are degraded',
  EXPIRING:        'expire soon',
  DNS_CHANGED:     'have changed in the DNS',
  WEBHOOK_FAILING: 'are failing',
}
// biome-ignore format: a table is read by its columns
const ENDS: Readonly<Record<string, string>> = {
  MONITOR_PAUSED:  'was paused',
  MONITOR_CHANGED: 'was changed',
  MONITOR_DELETED: 'was deleted',
}

function titleOfOne(kind: AlertKind, { kind: what, resolution, about }: ToldTrouble): string {
  if (about.said !== undefined) return about.said.title
  if (kind === 'REMINDER') return `${about.name} is still down`
  if (kind === 'PARTLY_RECOVERED') return `${about.name} is up again, but degraded`
  if (kind !== 'RECOVERED') return `${about.name} ${ONE[what]}`
  const end = ENDS[resolution ?? '']
  if (end !== undefined) return `${about.name} ${end}`
  return what === 'DOWN' ? `${about.name} is up again` : `${about.name} is no longer degraded`
}

function titleOfMany(kind: AlertKind, told: readonly ToldTrouble[], count: number): string {
  const hosts = new Set(told.map(({ host }) => host))
  const [host] = hosts
  const where = hosts.size === 1 && host != null ? ` on ${host}` : ''
  const isEndpoints = kind === 'WEBHOOK_FAILING'
  const who = `${count} ${isEndpoints ? 'webhook endpoints' : 'monitors'}${where}`
  if (kind === 'REMINDER') return `${who} are still down`
  if (kind === 'RECOVERED' || kind === 'PARTLY_RECOVERED') return `${who} are up again`
  return `${who} ${MANY[told[0]?.kind ?? 'DOWN']}`
}

function summaryOfOne(kind: AlertKind, trouble: ToldTrouble, { timezone }: Setting): string {
  const { since, endedAt, about, kind: what } = trouble
  if (about.said !== undefined) return about.said.summary
  if (kind === 'RECOVERED' || kind === 'PARTLY_RECOVERED')
    return `After ${formatLasted(since, endedAt ?? since)}, since ${formatAt(since, timezone)}`
  if (what === 'EXPIRING' || what === 'DNS_CHANGED') return about.cause
  return `${about.cause} since ${formatAt(since, timezone)}`
}

function summaryOfMany(
  kind: AlertKind,
  told: readonly ToldTrouble[],
  open: readonly ToldTrouble[],
  { timezone }: Setting,
): string {
  const since = new Date(Math.min(...told.map((trouble) => trouble.since.getTime())))
  if (kind !== 'RECOVERED' && kind !== 'PARTLY_RECOVERED') {
    const causes = new Set(told.map(({ about }) => about.cause))
    const why = causes.size === 1 ? `${[...causes][0]} since` : 'Since'
    return `${why} ${formatAt(since, timezone)}`
  }
  const end = new Date(Math.max(...told.map(({ endedAt }) => endedAt?.getTime() ?? 0)))
  const lasted = `After ${formatLasted(since, end)}, since ${formatAt(since, timezone)}`
  if (kind === 'RECOVERED') return lasted
  const names = open.map(({ about }) => about.name).join(', ')
  return `${lasted}. Still down: ${names}`
}

function factsOfOne(kind: AlertKind, trouble: ToldTrouble, { timezone }: Setting) {
  const { about, since, endedAt } = trouble
  const isEnd = kind === 'RECOVERED' && endedAt !== null
  return [
    { label: 'Cause', value: about.cause },
    ...(about.address === null ? [] : [{ label: 'Address', value: about.address }]),
    { label: 'Since', value: formatAt(since, timezone) },
    ...(isEnd ? [{ label: 'Until', value: formatAt(endedAt, timezone) }] : []),
  ]
}

function factsOfMany(told: readonly ToldTrouble[]) {
  const lines = told.map(({ about }) => ({ label: about.name, value: about.cause }))
  if (lines.length <= LISTED + 1) return lines
  const more = { label: 'And more', value: `${lines.length - LISTED} others` }
  return [...lines.slice(0, LISTED), more]
}

function linksOf(
  kind: AlertKind,
  { incidentUuid, about, resolution }: ToldTrouble,
  isOne: boolean,
  baseUrl: string,
): Alert['links'] {
  if (kind === 'WEBHOOK_FAILING') return { open: `${baseUrl}/webhooks`, acknowledge: null }
  const isOpen = kind === 'DOWN' || kind === 'REMINDER'
  if (!isOne) return { open: `${baseUrl}/incidents`, acknowledge: null }
  if (incidentUuid === null || resolution === 'MONITOR_DELETED')
    return { open: `${baseUrl}/monitors/${about.monitorId}`, acknowledge: null }
  const incident = `${baseUrl}/incidents/${toPublicId('inc', incidentUuid)}`
  return { open: incident, acknowledge: isOpen ? `${incident}#acknowledge` : null }
}

/** `Sat 14 Nov, 14:27 CET` */
export function formatAt(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  })
    .format(at)
    .replace(/^(\w+),/, '$1')
}

const SECOND_MS = 1_000
const MINUTE_SECONDS = 60
const HOUR_MINUTES = 60
const DAY_HOURS = 24

/** `7 min 40 s` */
export function formatLasted(from: Date, to: Date): string {
  const seconds = Math.max(1, Math.round((to.getTime() - from.getTime()) / SECOND_MS))
  const minutes = Math.floor(seconds / MINUTE_SECONDS)
  const hours = Math.floor(minutes / HOUR_MINUTES)
  const days = Math.floor(hours / DAY_HOURS)
  const parts = [
    [days, 'd'],
    [hours % DAY_HOURS, 'h'],
    [minutes % HOUR_MINUTES, 'min'],
    [seconds % MINUTE_SECONDS, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
