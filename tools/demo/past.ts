// What the engine would have written about ninety days of outages: state spans, and incidents with evidence and
// timeline. Pure: the same monitors at the same time give the same rows.
import { type EvidenceInput, toEvidence } from '../../src/domain/incidents/evidence.ts'
import type { Row } from '../history/whole-sets.ts'
import { between, chance, pick, uuidAt } from './chance.ts'
import type { Disruption } from './company.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DAY_MINUTES = 1440
export const PAST_DAYS = 90

export type DemoMonitor = {
  no: number
  uuid: string
  name: string
  type: string
  intervalSeconds: number
  usualMs: number | null
  isPaused: boolean
  disruptions: readonly Disruption[]
}

/** A disruption with its start and end times. */
export type Stretch = Disruption & { from: Date; to: Date | null }
export type CurrentState = { no: number; state: string; since: Date }

const minutesBefore = (now: Date, minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)

export const bornAt = (now: Date, { uuid }: Pick<DemoMonitor, 'uuid'>): Date =>
  new Date(now.getTime() - (PAST_DAYS + 1 + chance(`born ${uuid}`) * 200) * DAY_MS)

/** Oldest first, to the second, as checks would have detected it. */
export function stretchesOf({ name, disruptions }: DemoMonitor, now: Date): Stretch[] {
  return disruptions
    .map((disruption, index) => {
      // Whole days mean "some time on that day".
      const within = disruption.minutesAgo % DAY_MINUTES === 0 ? 900 : 1
      const ago = disruption.minutesAgo - chance(`${name} ${index}`) * within
      const { minutes } = disruption
      const to = minutes === undefined ? null : minutesBefore(now, ago - minutes)
      return { ...disruption, from: minutesBefore(now, ago), to }
    })
    .toSorted((one, other) => one.from.getTime() - other.from.getTime())
}

type Span = { state: string; from: Date; to: Date | null }

function spansOf(monitor: DemoMonitor, now: Date): Span[] {
  const spans: Span[] = []
  let since = bornAt(now, monitor)
  for (const { state, from, to } of stretchesOf(monitor, now)) {
    spans.push({ state: 'UP', from: since, to: from }, { state, from, to })
    if (to === null) return spans
    since = to
  }
  if (!monitor.isPaused) return [...spans, { state: 'UP', from: since, to: null }]
  const pausedAt = new Date(now.getTime() - 12.4 * DAY_MS)
  return [
    ...spans,
    { state: 'UP', from: since, to: pausedAt },
    { state: 'PAUSED', from: pausedAt, to: null },
  ]
}

export function spanRows(monitors: readonly DemoMonitor[], now: Date): Row[] {
  return monitors.flatMap((monitor) =>
    spansOf(monitor, now).map(({ state, from, to }) => ({
      monitor_no: monitor.no,
      started_at: from,
      ended_at: to,
      state,
    })),
  )
}

export function currentStates(monitors: readonly DemoMonitor[], now: Date): CurrentState[] {
  return monitors.map((monitor) => {
    const last = spansOf(monitor, now).at(-1)
    return { no: monitor.no, state: last?.state ?? 'UP', since: last?.from ?? now }
  })
}

export type Outage = Stretch & { uuid: string; monitor: DemoMonitor; cause: string }

export function outagesOf(monitors: readonly DemoMonitor[], now: Date): Outage[] {
  return monitors.flatMap((monitor) =>
    stretchesOf(monitor, now)
      .filter(({ state }) => state === 'DOWN')
      .map((stretch) => ({
        ...stretch,
        monitor,
        uuid: uuidAt(stretch.from, `incident ${monitor.uuid}`),
        ...acknowledgementOf(stretch, monitor.name),
        cause: stretch.cause ?? 'Timed out after 30 s',
      })),
  )
}

const ACKNOWLEDGERS = ['Ana Keller', 'Tomás Ruiz', 'Priya Nair', 'Mei Lin']

/** Most long outages are acknowledged. */
function acknowledgementOf(
  { taken, minutes = 0, minutesAgo }: Stretch,
  name: string,
): Pick<Disruption, 'taken'> {
  const salt = `${name} ${minutesAgo}`
  if (taken !== undefined || minutes < 12 || chance(`taken ${salt}`) > 0.7) return {}
  return { taken: { by: pick(`by ${salt}`, ACKNOWLEDGERS), afterMinutes: between(salt, 1, 9) } }
}

export const acknowledgedAt = ({ from, taken }: Outage): Date | null =>
  taken === undefined ? null : new Date(from.getTime() + taken.afterMinutes * MINUTE_MS)

export type People = ReadonlyMap<string, string>

export function incidentRows(orgId: string, outages: readonly Outage[], people: People): Row[] {
  return outages.map((outage) => ({
    id: outage.uuid,
    org_id: orgId,
    monitor_id: outage.monitor.uuid,
    started_at: outage.from,
    resolved_at: outage.to,
    cause: outage.cause,
    cause_code: outage.code ?? 'TIMEOUT',
    resolution: outage.to && 'RECOVERED',
    acknowledged_at: acknowledgedAt(outage),
    acknowledged_by_type: outage.taken ? 'USER' : null,
    acknowledged_by_id: outage.taken ? (people.get(outage.taken.by) ?? orgId) : null,
    acknowledged_by_name: outage.taken?.by ?? null,
    acknowledge_note: outage.taken?.note ?? null,
  }))
}

export function timelineRows(orgId: string, outages: readonly Outage[]): Row[] {
  return outages.flatMap((outage) =>
    (
      [
        ['OPENED', outage.from, outage.cause],
        ['ACKNOWLEDGED', acknowledgedAt(outage), `Acknowledged by ${outage.taken?.by}`],
        ['RESOLVED', outage.to, 'The monitor is up again'],
      ] as const
    ).flatMap(([type, at, message]) =>
      at === null
        ? []
        : {
            id: uuidAt(at, `${type} ${outage.uuid}`),
            org_id: orgId,
            incident_id: outage.uuid,
            type,
            at,
            message,
          },
    ),
  )
}

export function noteRows(orgId: string, outages: readonly Outage[], people: People): Row[] {
  return outages.flatMap((outage) =>
    (outage.notes ?? []).map(({ by, afterMinutes, text }) => {
      const at = new Date(outage.from.getTime() + afterMinutes * MINUTE_MS)
      return {
        id: uuidAt(at, `note ${outage.uuid}`),
        org_id: orgId,
        incident_id: outage.uuid,
        at,
        user_id: people.get(by) ?? orgId,
        user_name: by,
        text,
      }
    }),
  )
}

export function evidenceRows(orgId: string, outages: readonly Outage[], now: Date): Row[] {
  return outages.flatMap((outage) => {
    const lastFailedAt = new Date((outage.to ?? now).getTime() - 40_000)
    const seen = [
      ['OPENED', outage.from, failure(outage, outage.from)],
      ['LAST_FAILURE', lastFailedAt, failure(outage, lastFailedAt)],
      ...(outage.to === null ? [] : ([['RESOLVED', outage.to, success(outage.to)]] as const)),
    ] as const
    return seen.map(([part, at, details]) => {
      const id = uuidAt(at, `${part} ${outage.uuid}`)
      const evidence = toEvidence(id, isJob(outage) ? { ...details, ...AS_PING } : details)
      return { id, org_id: orgId, incident_id: outage.uuid, part, checked_at: at, evidence }
    })
  })
}

const isJob = ({ code }: Outage) => code?.startsWith('HEARTBEAT_') === true
/** A job reports by itself: there is no region, no address and no response. */
const AS_PING = {
  location: 'heartbeat',
  responseMs: null,
  httpStatus: null,
  resolvedIp: null,
  timings: null,
  attempts: [],
}

function success(at: Date): EvidenceInput {
  return {
    checkedAt: at,
    location: 'eu-central',
    outcome: 'OK',
    causeCode: null,
    cause: null,
    responseMs: 164,
    httpStatus: 200,
    resolvedIp: '203.0.113.24',
    timings: { dnsMs: 3, connectMs: 12, tlsMs: 24, firstByteMs: 125 },
    certExpiresAt: null,
    dnsAnswers: null,
    bodyExcerpt: null,
    attempts: [attempt(at, 'eu-central', null, 200)],
  }
}

function failure(outage: Outage, at: Date): EvidenceInput {
  const code = outage.code ?? 'TIMEOUT'
  const status = code === 'UNEXPECTED_STATUS' ? 503 : null
  const regions = ['eu-central', 'eu-west', 'us-east']
  return {
    ...success(at),
    outcome: 'FAILED',
    causeCode: code,
    cause: outage.cause,
    responseMs: status === null ? null : 84,
    httpStatus: status,
    timings: status === null ? null : { dnsMs: 3, connectMs: 12, tlsMs: 24, firstByteMs: 45 },
    bodyExcerpt: outage.excerpt ?? null,
    attempts: regions.map((region, index) =>
      attempt(new Date(at.getTime() + index * 900), region, code, status),
    ),
  }
}

function attempt(
  startedAt: Date,
  region: string,
  causeCode: EvidenceInput['causeCode'],
  httpStatus: number | null,
): EvidenceInput['attempts'][number] {
  const responseMs = httpStatus === null ? null : 84
  const outcome = causeCode === null ? 'OK' : 'FAILED'
  return { startedAt, region, outcome, causeCode, responseMs, httpStatus }
}
