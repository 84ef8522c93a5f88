// What an alert says: what, where, since when and why, and where to look.
import { toPublicId } from '../values/id.ts'
import { type Alert, type AlertKind, bounded } from './alert.ts'
import type { TroubleKind } from './alerting.ts'
import { answerOf, nowOf, type OutageDetails, seenFrom, takenBy, uptimeOf } from './details.ts'
import { formatAt, formatLasted, formatStretch } from './times.ts'

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
  /** How it ended, where that is known. */
  resolution: string | null
  about: About
}

export type Setting = {
  organization: string
  baseUrl: string
  timezone: string
  at: Date
}

type Telling = {
  kind: AlertKind
  thread: string
  told: readonly ToldTrouble[]
  open: readonly ToldTrouble[]
  /** By incident, of those that have some. */
  details?: ReadonlyMap<string, OutageDetails>
}

const LISTED = 9

export function toAlert(telling: Telling, setting: Setting): Alert {
  const { kind, thread, told, open } = telling
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
    facts: isOne ? factsOfOne(telling, main, setting) : factsOfMany(told),
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
const CLOSED: Readonly<Record<string, string>> = {
  MONITOR_PAUSED:  'paused',
  MONITOR_CHANGED: 'changed',
  MONITOR_DELETED: 'deleted',
}
const closedHow = (resolution: string | null) => CLOSED[resolution ?? ''] ?? 'closed'
const isEnd = (kind: AlertKind) =>
  kind === 'RECOVERED' || kind === 'PARTLY_RECOVERED' || kind === 'CLOSED'

function titleOfOne(kind: AlertKind, { kind: what, resolution, about }: ToldTrouble): string {
  if (about.said !== undefined) return about.said.title
  if (kind === 'REMINDER') return `${about.name} is still down`
  if (kind === 'PARTLY_RECOVERED') return `${about.name} is up again, but degraded`
  if (kind === 'CLOSED') return `${about.name} was ${closedHow(resolution)}`
  if (kind !== 'RECOVERED') return `${about.name} ${ONE[what]}`
  return what === 'DOWN' ? `${about.name} is up again` : `${about.name} is no longer degraded`
}

function titleOfMany(kind: AlertKind, told: readonly ToldTrouble[], count: number): string {
  const hosts = new Set(told.map(({ host }) => host))
  const [host] = hosts
  const where = hosts.size === 1 && host != null ? ` on ${host}` : ''
  const isEndpoints = kind === 'WEBHOOK_FAILING'
  const who = `${count} ${isEndpoints ? 'webhook endpoints' : 'monitors'}${where}`
  if (kind === 'REMINDER') return `${who} are still down`
  if (kind === 'CLOSED') {
    const ways = new Set(told.map(({ resolution }) => closedHow(resolution)))
    return `${who} were ${[...ways].join(' or ')}`
  }
  if (isEnd(kind)) return `${who} are up again`
  return `${who} ${MANY[told[0]?.kind ?? 'DOWN']}`
}

function summaryOfOne(kind: AlertKind, trouble: ToldTrouble, { timezone }: Setting): string {
  const { since, endedAt, about, kind: what } = trouble
  if (about.said !== undefined) return about.said.summary
  if (isEnd(kind))
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
  if (!isEnd(kind)) {
    const causes = new Set(told.map(({ about }) => about.cause))
    const why = causes.size === 1 ? `${[...causes][0]} since` : 'Since'
    return `${why} ${formatAt(since, timezone)}`
  }
  const end = new Date(Math.max(...told.map(({ endedAt }) => endedAt?.getTime() ?? 0)))
  const lasted = `After ${formatLasted(since, end)}, since ${formatAt(since, timezone)}`
  if (kind !== 'PARTLY_RECOVERED') return lasted
  const names = open.map(({ about }) => about.name).join(', ')
  return `${lasted}. Still down: ${names}`
}

type Row = { label: string; value: string }

function factsOfOne(telling: Telling, trouble: ToldTrouble, setting: Setting): Row[] {
  const { kind, details } = telling
  const { about, since, endedAt, incidentUuid, kind: what } = trouble
  const { timezone } = setting
  const known = details?.get(incidentUuid ?? '')
  const opened = known?.opened ?? null
  const address = about.address === null ? [] : [{ label: 'Address', value: about.address }]
  const cause = { label: 'Cause', value: about.cause }
  // Their cause is the summary.
  if (what === 'EXPIRING' || what === 'DNS_CHANGED')
    return [...address, { label: 'Noticed', value: formatAt(since, timezone) }]
  if (!isEnd(kind) || kind === 'PARTLY_RECOVERED' || endedAt === null) {
    const began = { label: 'Since', value: formatAt(since, timezone) }
    return [cause, ...seenFrom(opened), ...address, ...answerOf(opened), began]
  }
  return [
    { label: STRETCH[what], value: formatStretch(since, endedAt, timezone) },
    { label: 'Lasted', value: formatLasted(since, endedAt) },
    cause,
    ...address,
    ...(known ? [...nowOf(known.resolved), ...takenBy(known, timezone), ...uptimeOf(known)] : []),
  ]
}

// biome-ignore format: a table is read by its columns
const STRETCH: Record<TroubleKind, string> = {
  DOWN:            'Down',
  DEGRADED:        'Degraded',
  EXPIRING:        'Expiring',
  DNS_CHANGED:     'Changed',
  WEBHOOK_FAILING: 'Failing',
}
const lastedOf = ({ kind, since, endedAt }: ToldTrouble) =>
  endedAt && `${STRETCH[kind]} for ${formatLasted(since, endedAt)}`

/** What each of them says that the summary does not: how long it was, or where it is if all fail alike. */
function factsOfMany(told: readonly ToldTrouble[]): Row[] {
  const isAlike = new Set(told.map(({ about }) => about.cause)).size === 1
  const lines = told.map((trouble) => ({
    label: trouble.about.name,
    value: lastedOf(trouble) ?? (isAlike ? trouble.about.address : null) ?? trouble.about.cause,
  }))
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
  // The page of a monitor that was deleted, and those of its incidents, are gone.
  if (!isOne || (kind === 'CLOSED' && resolution === 'MONITOR_DELETED'))
    return { open: `${baseUrl}/incidents`, acknowledge: null }
  if (incidentUuid === null)
    return { open: `${baseUrl}/monitors/${about.monitorId}`, acknowledge: null }
  const incident = `${baseUrl}/incidents/${toPublicId('inc', incidentUuid)}`
  return { open: incident, acknowledge: isOpen ? `${incident}#acknowledge` : null }
}
