// The text of an alert: what, where, since when and why, with links.
import { PATHS, pathTo } from '../values/dashboard-paths.ts'
import { toPublicId } from '../values/id.ts'
import { type Alert, type AlertKind, bounded } from './alert.ts'
import {
  acknowledgedBy,
  detectedFrom,
  nowOf,
  type OutageDetails,
  responseOf,
  uptimeOf,
} from './details.ts'
import { doubtFacts, titleOfDoubt } from './doubt-text.ts'
import type { AlertConditionKind, EscalatedContact } from './model.ts'
import { formatAt, formatLasted, formatStretch } from './times.ts'

/** Stored as JSON with its condition, as it was when the condition began. */
export type AlertSubject = {
  /** For a webhook endpoint, its own ID. */
  monitorId: string
  name: string
  /** `https://shop.example/health`, or a host; null for CRON. */
  address: string | null
  /** A readable reason. */
  cause: string
  /** Replaces the title and summary derived from the kind. */
  said?: { title: string; summary: string }
}

/** One condition as an alert describes it. */
export type NotifiedCondition = {
  uuid: string
  kind: AlertConditionKind
  incidentUuid: string | null
  host: string | null
  since: Date
  endedAt: Date | null
  /** Null if unknown. */
  resolution: string | null
  about: AlertSubject
  doubt?: { uuid: string } | null
}

export type AlertContext = {
  organization: string
  baseUrl: string
  timezone: string
  at: Date
  /** For contacts whose readers need no account: the link that acknowledges an incident, by its UUID. */
  acknowledgeLink?: (incidentUuid: string) => string
  /** How many monitors the organization has that are not paused, if an outage of a doubt is reported. */
  monitors?: number
}

type AlertContent = {
  kind: AlertKind
  thread: string
  conditions: readonly NotifiedCondition[]
  open: readonly NotifiedCondition[]
  /** By incident UUID. */
  details?: ReadonlyMap<string, OutageDetails>
  escalated?: EscalatedContact | undefined
}

const LISTED = 9

export function toAlert(content: AlertContent, context: AlertContext): Alert {
  const { kind, thread, conditions, open } = content
  const { organization, at } = context
  const [first] = conditions
  if (first === undefined) throw new Error('An alert needs a condition')
  const names = new Set(conditions.map(({ about }) => about.monitorId))
  const isOne = names.size === 1
  // An outage says more than the slowness it began with.
  const main = conditions.find((condition) => condition.kind === 'DOWN') ?? first
  return bounded({
    kind,
    thread,
    organization,
    title: isOne
      ? titleOfOne(kind, main)
      : (titleOfDoubt(content, names.size, context) ?? titleOfMany(kind, conditions, names.size)),
    summary: isOne
      ? summaryOfOne(kind, main, context)
      : summaryOfMany(kind, conditions, open, context),
    facts: [
      ...escalationFacts(content),
      ...doubtFacts(content, context),
      ...(isOne ? factsOfOne(content, main, context) : factsOfMany(conditions)),
    ],
    links: linksOf(kind, main, isOne, context),
    at: at.toISOString(),
  })
}

export function testAlert(name: string, context: AlertContext): Alert {
  const { organization, baseUrl, at } = context
  return bounded({
    kind: 'TEST',
    thread: 'test',
    organization,
    title: `Test alert for ${name}`,
    summary: `Sent on ${formatAt(at, context.timezone)}. Alerts will look like this one.`,
    facts: [],
    links: { open: `${baseUrl}${PATHS.alertContacts}`, acknowledge: null },
    at: at.toISOString(),
  })
}

// biome-ignore format: a table is read by its columns
const ONE: Record<AlertConditionKind, string> = {
  DOWN:            'is down',
  DEGRADED:        'is degraded',
  EXPIRING:        'expires soon',
  DNS_CHANGED:     'changed',
  WEBHOOK_FAILING: 'is failing',
}
// biome-ignore format: a table is read by its columns
const MANY: Record<AlertConditionKind, string> = {
  DOWN:            'are down',
  DEGRADED:        'are degraded',
  EXPIRING:        'expire soon',
  DNS_CHANGED:     'changed',
  WEBHOOK_FAILING: 'are failing',
}
// biome-ignore format: a table is read by its columns
const CLOSED: Readonly<Record<string, string>> = {
  MONITOR_PAUSED:  'paused',
  MONITOR_CHANGED: 'changed',
  MONITOR_DELETED: 'deleted',
}
/** `DNS for acme.com changed`: the monitor itself did not. */
const subjectOf = (what: AlertConditionKind) => (what === 'DNS_CHANGED' ? 'DNS for ' : '')
const closedHow = (resolution: string | null) => CLOSED[resolution ?? ''] ?? 'closed'
const isEnd = (kind: AlertKind) =>
  kind === 'RECOVERED' || kind === 'PARTLY_RECOVERED' || kind === 'CLOSED'

function titleOfOne(kind: AlertKind, { kind: what, resolution, about }: NotifiedCondition): string {
  if (about.said !== undefined) return about.said.title
  if (kind === 'REMINDER') return `${about.name} is still down`
  if (kind === 'PARTLY_RECOVERED') return `${about.name} is up again, but degraded`
  if (kind === 'CLOSED') return `${about.name} was ${closedHow(resolution)}`
  if (kind !== 'RECOVERED') return `${subjectOf(what)}${about.name} ${ONE[what]}`
  return what === 'DOWN' ? `${about.name} is up again` : `${about.name} is no longer degraded`
}

function titleOfMany(
  kind: AlertKind,
  conditions: readonly NotifiedCondition[],
  count: number,
): string {
  const hosts = new Set(conditions.map(({ host }) => host))
  const [host] = hosts
  const where = hosts.size === 1 && host != null ? ` on ${host}` : ''
  const isEndpoints = kind === 'WEBHOOK_FAILING'
  const who = `${count} ${isEndpoints ? 'webhook endpoints' : 'monitors'}${where}`
  if (kind === 'REMINDER') return `${who} are still down`
  if (kind === 'CLOSED') {
    const ways = new Set(conditions.map(({ resolution }) => closedHow(resolution)))
    return `${who} were ${[...ways].join(' or ')}`
  }
  if (isEnd(kind)) return `${who} are up again`
  const what = conditions[0]?.kind ?? 'DOWN'
  return `${subjectOf(what)}${who} ${MANY[what]}`
}

function summaryOfOne(
  kind: AlertKind,
  condition: NotifiedCondition,
  { timezone }: AlertContext,
): string {
  const { since, endedAt, about, kind: what } = condition
  if (about.said !== undefined) return about.said.summary
  if (isEnd(kind))
    return `After ${formatLasted(since, endedAt ?? since)}, since ${formatAt(since, timezone)}`
  if (what === 'EXPIRING' || what === 'DNS_CHANGED') return about.cause
  return `${about.cause} since ${formatAt(since, timezone)}`
}

function summaryOfMany(
  kind: AlertKind,
  conditions: readonly NotifiedCondition[],
  open: readonly NotifiedCondition[],
  { timezone }: AlertContext,
): string {
  const since = new Date(Math.min(...conditions.map((condition) => condition.since.getTime())))
  if (!isEnd(kind)) {
    const causes = new Set(conditions.map(({ about }) => about.cause))
    const why = causes.size === 1 ? `${[...causes][0]} since` : 'Since'
    return `${why} ${formatAt(since, timezone)}`
  }
  const end = new Date(Math.max(...conditions.map(({ endedAt }) => endedAt?.getTime() ?? 0)))
  const lasted = `After ${formatLasted(since, end)}, since ${formatAt(since, timezone)}`
  if (kind !== 'PARTLY_RECOVERED') return lasted
  const names = open.map(({ about }) => about.name).join(', ')
  return `${lasted}. Still down: ${names}`
}

type Row = { label: string; value: string }

/** Why this contact, and why only now. */
function escalationFacts({ escalated }: AlertContent): Row[] {
  if (escalated === undefined) return []
  const { step, afterMinutes } = escalated
  return [{ label: 'Escalation', value: `Step ${step}, no acknowledgement in ${afterMinutes} min` }]
}

function factsOfOne(
  content: AlertContent,
  condition: NotifiedCondition,
  context: AlertContext,
): Row[] {
  const { kind, details } = content
  const { about, since, endedAt, incidentUuid, kind: what } = condition
  const { timezone } = context
  const known = details?.get(incidentUuid ?? '')
  const opened = known?.opened ?? null
  const address = about.address === null ? [] : [{ label: 'Address', value: about.address }]
  const cause = { label: 'Cause', value: about.cause }
  // The summary already states their cause.
  if (what === 'EXPIRING' || what === 'DNS_CHANGED')
    return [...address, { label: 'Detected', value: formatAt(since, timezone) }]
  if (!isEnd(kind) || kind === 'PARTLY_RECOVERED' || endedAt === null) {
    const began = { label: 'Since', value: formatAt(since, timezone) }
    return [cause, ...detectedFrom(opened), ...address, ...responseOf(opened), began]
  }
  return [
    { label: STRETCH[what], value: formatStretch(since, endedAt, timezone) },
    { label: 'Lasted', value: formatLasted(since, endedAt) },
    cause,
    ...address,
    ...(known
      ? [...nowOf(known.resolved), ...acknowledgedBy(known, timezone), ...uptimeOf(known)]
      : []),
  ]
}

// biome-ignore format: a table is read by its columns
const STRETCH: Record<AlertConditionKind, string> = {
  DOWN:            'Down',
  DEGRADED:        'Degraded',
  EXPIRING:        'Expiring',
  DNS_CHANGED:     'Changed',
  WEBHOOK_FAILING: 'Failing',
}
const lastedOf = ({ kind, since, endedAt }: NotifiedCondition) =>
  endedAt && `${STRETCH[kind]} for ${formatLasted(since, endedAt)}`

/** What the summary leaves out: how long each lasted, or its address if all share one cause. */
function factsOfMany(conditions: readonly NotifiedCondition[]): Row[] {
  const isAlike = new Set(conditions.map(({ about }) => about.cause)).size === 1
  const lines = conditions.map((condition) => ({
    label: condition.about.name,
    value:
      lastedOf(condition) ?? (isAlike ? condition.about.address : null) ?? condition.about.cause,
  }))
  if (lines.length <= LISTED + 1) return lines
  const more = { label: 'And more', value: `${lines.length - LISTED} others` }
  return [...lines.slice(0, LISTED), more]
}

function linksOf(
  kind: AlertKind,
  { incidentUuid, about, resolution }: NotifiedCondition,
  isOne: boolean,
  { baseUrl, acknowledgeLink }: AlertContext,
): Alert['links'] {
  if (kind === 'WEBHOOK_FAILING') return { open: `${baseUrl}${PATHS.webhooks}`, acknowledge: null }
  const isOpen = kind === 'DOWN' || kind === 'REMINDER'
  const incidents = `${baseUrl}${PATHS.incidents}`
  // The pages of a deleted monitor and its incidents are gone.
  if (kind === 'CLOSED' && resolution === 'MONITOR_DELETED')
    return { open: incidents, acknowledge: null }
  // Several have no link of their own: where they are acknowledged, one has to sign in.
  if (!isOne)
    return { open: incidents, acknowledge: isOpen ? `${incidents}?state=unacknowledged` : null }
  const { monitorId } = about
  if (incidentUuid === null)
    return { open: `${baseUrl}${pathTo(PATHS.monitor, { monitorId })}`, acknowledge: null }
  const incidentId = toPublicId('inc', incidentUuid)
  const incident = `${baseUrl}${pathTo(PATHS.incident, { incidentId })}`
  if (!isOpen) return { open: incident, acknowledge: null }
  return {
    open: incident,
    acknowledge: acknowledgeLink?.(incidentUuid) ?? `${incident}#acknowledge`,
  }
}
