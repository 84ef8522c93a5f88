// Records pings in batches. The response follows the commit.
import { type PingSignal, stateAfter } from '../../domain/monitors/heartbeat.ts'
import type { MonitorState } from '../../domain/monitors/monitor.ts'
import { pingBytes } from '../../domain/values/day-quota.ts'
import type { Tx } from '../../store/core/db.ts'
import { findHeartbeats, insertPings, type PingRow } from '../../store/monitors/heartbeats.ts'
import type { PingedMonitor } from '../../store/monitors/ping-aliases.ts'
import { findWithinDay } from '../within-day.ts'
import { pingWrite } from './heartbeat-writes.ts'
import { type RecordDeps, recordResults } from './record.ts'
import type { ResultWrite } from './result-batch.ts'

/** `receivedMs` is the time of receipt by performance.now(). */
export type ReceivedPing = {
  /** Of our own, or the name of an alias. */
  token: string
  signal: PingSignal
  rid: string | null
  body: string | null
  receivedMs: number
  /** Set for a ping over its monitor's limit, which counts only if it changes the state. Returns whether it still may. */
  mayChange?: () => boolean
  /** It was refused before, and its time has come. */
  isHeld?: boolean
}

/**
 * NO_MONITOR: unknown URL. DROPPED: over the limit, and would change nothing. REFUSED: would change the state, but is
 * not allowed to now. MOVING: its organization is being moved to another installation.
 */
type PingVerdict = 'RECORDED' | 'DROPPED' | 'REFUSED' | 'NO_MONITOR' | 'MOVING'
export type PingOutcome = { verdict: PingVerdict; monitorNo?: number }

// A ping without room for its text is recorded all the same.
const NO_TEXT = { rid: null, body: null }

export async function recordPings(
  deps: RecordDeps,
  pings: readonly ReceivedPing[],
): Promise<PingOutcome[]> {
  const tokens = [...new Set(pings.map(({ token }) => token))]
  const monitors = await findHeartbeats(deps.database, tokens)
  const verdicts = judgePings(pings, monitors)
  const found = pings.flatMap((ping, index) => {
    const monitor = monitors.get(ping.token)
    return monitor === undefined || verdicts[index] !== 'RECORDED' ? [] : [{ ping, monitor }]
  })
  await recordFound(deps, found)
  return pings.map(({ token }, index) => {
    const monitorNo = monitors.get(token)?.no
    const verdict = verdicts[index] ?? 'NO_MONITOR'
    return { verdict, ...(monitorNo !== undefined && { monitorNo }) }
  })
}

type FoundPing = { ping: ReceivedPing; monitor: PingedMonitor }

async function recordFound(deps: RecordDeps, found: readonly FoundPing[]): Promise<void> {
  if (found.length === 0) return
  const kept = await findWithinDay(
    deps.database,
    'PINGS',
    found.map(({ ping, monitor }) => ({ ping, orgId: monitor.orgId, bytes: pingBytes(ping) })),
  )
  const withText = new Set([...kept].map(({ ping }) => ping))
  const startedMs = performance.now()
  const calls = new Map<ResultWrite, ReceivedPing>()
  for (const { ping, monitor } of found) {
    const { isDayFull } = monitor
    const call = { ...ping, ageMs: startedMs - ping.receivedMs, isDayFull }
    calls.set({ ...pingWrite(monitor.no, call), known: monitor }, ping)
  }
  const keepCalls = (tx: Tx, writes: readonly ResultWrite[]) =>
    insertPings(
      tx,
      writes.flatMap((write): PingRow[] => {
        const ping = calls.get(write)
        if (ping === undefined) return []
        const at = new Date(tx.now.getTime() - (startedMs - ping.receivedMs))
        const { signal } = ping
        const { rid, body } = withText.has(ping) ? ping : NO_TEXT
        return [{ monitorNo: write.monitorNo, at, signal, rid, body }]
      }),
    )
  await recordResults(deps, undefined, [...calls.keys()], keepCalls)
}

/** In order of receipt, each based on the state that the previous ones leave. */
function judgePings(
  pings: readonly ReceivedPing[],
  monitors: ReadonlyMap<string, PingedMonitor>,
): PingVerdict[] {
  // By monitor: a job may use its new URL and an alias.
  const states = new Map<number, MonitorState>()
  return pings.map(({ token, signal, mayChange }) => {
    const monitor = monitors.get(token)
    if (monitor === undefined) return 'NO_MONITOR'
    if (monitor.isMoving) return 'MOVING'
    const state = states.get(monitor.no) ?? monitor.state
    const after = stateAfter(state, signal)
    if (mayChange !== undefined && after === state) return 'DROPPED'
    if (mayChange !== undefined && !mayChange()) return 'REFUSED'
    states.set(monitor.no, after)
    return 'RECORDED'
  })
}
