// What a finished run left behind, as plain values: the rows of the database, what the targets saw, and what the API
// acknowledged. Times are in milliseconds. Nothing here is shared with the product.

export type MonitorRow = {
  no: number
  uuid: string
  intervalSeconds: number
  state: string
  nextDueMs: number | null
}

export type Verdict = 'PASSED' | 'SLOW' | 'FAILED' | 'INCONCLUSIVE' | 'SUPERSEDED'
export type ResultRow = {
  monitorNo: number
  slotMs: number
  kind: 'SCHEDULED' | 'REQUESTED' | 'PING' | 'DEADLINE'
  verdict: Verdict
  statusCode: number | null
  region: string | null
}
export type MissedRow = {
  monitorNo: number
  fromMs: number
  toMs: number
  count: number
  reason: string
}
type SpanRow = {
  monitorNo: number
  state: string
  startedMs: number
  endedMs: number | null
}
export type IncidentRow = {
  id: string
  monitorUuid: string
  startedMs: number
  resolvedMs: number | null
  resolution: string | null
}
type EvidenceRow = {
  id: string
  incidentId: string
  part: string
  location: string
  attempts: { number: number; startedMs: number }[]
}
type LineRow = { id: string; incidentId: string; type: string; atMs: number }
export type EventRow = {
  id: string
  /** The id and the type that its receivers see. */
  bodyId: string
  type: string
  bodyType: string
  atMs: number
  monitorUuid: string | null
  incidentId: string | null
  previousState: string | null
}

/** A request by a probe. `status` is the response's; 0 if the connection was cut instead. */
export type Hit = { monitorUuid: string; atMs: number; status: number; from: string }
/** The target was unreachable, so that there can be no hit. */
export type Outage = { monitorUuid: string; fromMs: number; toMs: number }
/** A call with a 2xx response. */
export type Call = {
  operation: 'createMonitor' | 'pauseMonitor' | 'resumeMonitor' | 'checkMonitor'
  monitorUuid: string
}

export type Run = {
  /** Every slot before it must be recorded. */
  settledMs: number
  monitors: MonitorRow[]
  results: ResultRow[]
  missed: MissedRow[]
  spans: SpanRow[]
  incidents: IncidentRow[]
  evidence: EvidenceRow[]
  timeline: LineRow[]
  /** In the order of their ids. */
  events: EventRow[]
  hits: Hit[]
  outages: Outage[]
  calls: Call[]
}

export type Violation = { rule: string; text: string }

/** Everything about one monitor, in chronological order. */
export type Life = {
  monitor: MonitorRow
  results: ResultRow[]
  missed: MissedRow[]
  spans: SpanRow[]
  incidents: IncidentRow[]
  events: EventRow[]
  hits: Hit[]
  outages: Outage[]
}

export function livesOf(run: Run): Life[] {
  const byNo = <R extends { monitorNo: number }>(rows: R[]) =>
    Map.groupBy(rows, ({ monitorNo }) => monitorNo)
  const byUuid = <R extends { monitorUuid: string | null }>(rows: R[]) =>
    Map.groupBy(rows, ({ monitorUuid }) => monitorUuid)
  const results = byNo(run.results.toSorted((a, b) => a.slotMs - b.slotMs))
  const missed = byNo(run.missed.toSorted((a, b) => a.fromMs - b.fromMs))
  const spans = byNo(run.spans.toSorted((a, b) => a.startedMs - b.startedMs))
  const incidents = byUuid(run.incidents.toSorted((a, b) => a.startedMs - b.startedMs))
  const events = byUuid(run.events)
  const hits = byUuid(run.hits.toSorted((a, b) => a.atMs - b.atMs))
  const outages = byUuid(run.outages)
  return run.monitors.map((monitor) => ({
    monitor,
    results: results.get(monitor.no) ?? [],
    missed: missed.get(monitor.no) ?? [],
    spans: spans.get(monitor.no) ?? [],
    incidents: incidents.get(monitor.uuid) ?? [],
    events: events.get(monitor.uuid) ?? [],
    hits: hits.get(monitor.uuid) ?? [],
    outages: outages.get(monitor.uuid) ?? [],
  }))
}

export const instant = (ms: number): string => new Date(ms).toISOString()
/** The random end of a UUID: enough to find the row. */
export const short = (uuid: string): string => uuid.slice(-12)
