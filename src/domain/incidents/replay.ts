// Reruns the recorded results of a monitor through the function that the engine uses, with other settings if wanted.
// With unchanged settings, its incidents are those that were recorded.
import type { Interval } from '../monitors/uptime.ts'
import { type Applied, applyResult, type MonitorSnapshot } from './apply-result.ts'
import type { CauseCode, Incident } from './incident.ts'
import {
  type ExactTimes,
  exactTimes,
  type RecordedChange,
  type RecordedIncident,
  type RecordedResult,
  type ReplayHistory,
  type ReplaySettings,
  rejudged,
  toCheckResult,
  WARNING_DAYS,
} from './recorded-result.ts'

export type ReplayedIncident = Pick<
  Incident,
  'startedAt' | 'resolvedAt' | 'resolution' | 'causeCode'
> & {
  /** The recorded incident that began with the same check; null if there is none. */
  recordedUuid: string | null
}

export type Degradation = { from: Date; to: Date | null }
export type Replay = { incidents: ReplayedIncident[]; degradations: Degradation[] }

type Run = {
  snapshot: MonitorSnapshot
  incidents: ReplayedIncident[]
  degradations: Degradation[]
  windows: Interval[]
  /** The first window that is not over. */
  nextWindow: number
}

// Of moments, which take microseconds each.
const STEP = 100

/** A month of results takes a second, so it pauses now and then: the caller decides when it goes on. */
export function* replay(
  history: ReplayHistory,
  settings: ReplaySettings,
): Generator<undefined, Replay> {
  const run = startRun(history, settings)
  const exact = exactTimes(history)
  const moments = [...history.changes, ...history.results].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  )
  for (const [at, moment] of moments.entries()) {
    if ('state' in moment) applyChange(run, moment)
    else applyRecorded(run, rejudged(moment, settings), exact)
    if (at % STEP === 0) yield
  }
  return { incidents: run.incidents, degradations: run.degradations }
}

function startRun(history: ReplayHistory, settings: ReplaySettings): Run {
  const firstAt = history.results[0]?.at ?? history.to
  const open = history.incidents.find(({ startedAt }) => startedAt < firstAt)
  const { type, degradedThresholdMs, degradedThresholdMode, degradedSamples } = settings
  const snapshot: MonitorSnapshot = {
    type,
    degradedThresholdMs,
    degradedThresholdMode,
    degradedSamples,
    dnsAlertOnChange: false,
    sslExpiryThresholdDays: WARNING_DAYS,
    state: history.state,
    epoch: 0,
    nextDueAt: null,
    lastCheckedAt: null,
    lastStatusChangedAt: null,
    lastResponseMs: null,
    certExpiresAt: null,
    heartbeat: null,
    lastSlot: null,
    samplesMs: [],
    samplesRegion: null,
    dnsBaseline: null,
    expiryToldFor: null,
    domainExpiresAt: null,
    issuer: null,
    incident: open ? openIncident(open.causeCode, open.startedAt) : null,
    maintenance: [],
  }
  return {
    snapshot,
    incidents: open ? [{ ...withoutEnd(open), recordedUuid: open.uuid }] : [],
    degradations: [],
    windows: mergeWindows(history.maintenance),
    nextWindow: 0,
  }
}

const withoutEnd = ({ startedAt, causeCode }: RecordedIncident) => ({
  startedAt,
  causeCode,
  resolvedAt: null,
  resolution: null,
})

const openIncident = (lastCauseCode: CauseCode, lastLineAt: Date) => ({
  uuid: 'replayed',
  lastCauseCode,
  lastLineAt,
})

function mergeWindows(windows: readonly Interval[]): Interval[] {
  const merged: Interval[] = []
  for (const window of windows.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = merged.at(-1)
    if (last === undefined || window.from > last.to) merged.push({ ...window })
    else if (window.to > last.to) last.to = window.to
  }
  return merged
}

function applyRecorded(run: Run, recorded: RecordedResult, exact: ExactTimes): void {
  const slotMs = recorded.at.getTime()
  const arrived = toCheckResult(run.snapshot.type, recorded, exact)
  run.snapshot.maintenance = windowsAt(run, arrived.beganAt)
  const applied = applyResult(run.snapshot, arrived)
  const { incident } = applied
  // A copy, because its incident is set below.
  run.snapshot = { ...applied.snapshot }
  if (incident?.do === 'OPEN') {
    const { startedAt, causeCode } = incident
    run.snapshot.incident = openIncident(causeCode, startedAt)
    const recordedUuid = exact.started.get(slotMs)?.uuid ?? null
    const opened = { startedAt, causeCode, resolvedAt: null, resolution: null, recordedUuid }
    run.incidents.push(opened)
  }
  if (incident?.do === 'RESOLVE') resolveLast(run, incident.resolvedAt, 'RECOVERED')
  if (applied.spanFrom !== null) followState(run, applied, applied.spanFrom)
}

function windowsAt(run: Run, at: Date): Interval[] {
  const { windows } = run
  for (let window = windows[run.nextWindow]; window !== undefined && window.to <= at; ) {
    run.nextWindow += 1
    window = windows[run.nextWindow]
  }
  const window = windows[run.nextWindow]
  return window !== undefined && window.from <= at ? [window] : []
}

function applyChange(run: Run, { at, state }: RecordedChange): void {
  resolveLast(run, at, state === 'PAUSED' ? 'MONITOR_PAUSED' : 'MONITOR_CHANGED')
  endDegradation(run, at)
  run.snapshot = { ...run.snapshot, state, samplesMs: [], samplesRegion: null }
}

function resolveLast(run: Run, at: Date, resolution: ReplayedIncident['resolution']): void {
  const last = run.incidents.at(-1)
  run.snapshot.incident = null
  if (last === undefined || last.resolvedAt !== null) return
  run.incidents[run.incidents.length - 1] = {
    ...last,
    resolvedAt: at < last.startedAt ? last.startedAt : at,
    resolution,
  }
}

/** A degradation goes on while the monitor is down, as its alerts do. One in a maintenance window is not reported. */
function followState(run: Run, { snapshot, notices }: Applied, at: Date): void {
  if (snapshot.state === 'DOWN') return
  endDegradation(run, at)
  if (snapshot.state === 'DEGRADED' && notices.some(({ kind }) => kind === 'STATE'))
    run.degradations.push({ from: at, to: null })
}

function endDegradation({ degradations }: Run, at: Date): void {
  const last = degradations.at(-1)
  if (last !== undefined && last.to === null) last.to = at
}
