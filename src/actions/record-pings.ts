// Calls to heartbeat addresses, recorded in batches and answered after the commit.
import type { Signal } from '../domain/heartbeat.ts'
import type { Tx } from '../store/db.ts'
import { type CallRow, findHeartbeats, insertCalls } from '../store/heartbeats.ts'
import type { Recording } from './batch.ts'
import { pingRecording } from './heartbeat-recordings.ts'
import { type RecordDeps, recordResults } from './record-results.ts'

/** `receivedMs` is the moment of receipt by performance.now(). */
export type Ping = {
  token: string
  signal: Signal
  rid: string | null
  body: string | null
  receivedMs: number
}

/** For each ping whether its address exists. */
export async function recordPings(deps: RecordDeps, pings: readonly Ping[]): Promise<boolean[]> {
  const tokens = [...new Set(pings.map(({ token }) => token))]
  const monitors = await findHeartbeats(deps.database, tokens)
  const found = pings.flatMap((ping) => {
    const monitor = monitors.get(ping.token)
    return monitor === undefined ? [] : [{ ping, monitor }]
  })
  const startedMs = performance.now()
  const calls = new Map<Recording, Ping>()
  for (const { ping, monitor } of found) {
    const call = { ...ping, ageMs: startedMs - ping.receivedMs }
    calls.set({ ...pingRecording(monitor.no, call), known: monitor }, ping)
  }
  const keepCalls = (tx: Tx, recordings: readonly Recording[]) =>
    insertCalls(
      tx,
      recordings.flatMap((recording): CallRow[] => {
        const ping = calls.get(recording)
        if (ping === undefined) return []
        const at = new Date(tx.now.getTime() - (startedMs - ping.receivedMs))
        const { signal, rid, body } = ping
        return [{ monitorNo: recording.monitorNo, at, signal, rid, body }]
      }),
    )
  if (calls.size > 0) await recordResults(deps, undefined, [...calls.keys()], keepCalls)
  return pings.map(({ token }) => monitors.has(token))
}
