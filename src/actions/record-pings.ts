// Calls to heartbeat addresses, recorded in batches and answered after the commit.
import type { Signal } from '../domain/heartbeat.ts'
import type { Tx } from '../store/db.ts'
import { type CallRow, findHeartbeats, insertCalls } from '../store/heartbeats.ts'
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
  const monitors = await findHeartbeats(deps.database, [
    ...new Set(pings.map(({ token }) => token)),
  ])
  const known = pings.flatMap((ping) => {
    const monitorNo = monitors.get(ping.token)
    return monitorNo === undefined ? [] : [{ ...ping, monitorNo }]
  })
  if (known.length > 0) {
    const startedMs = performance.now()
    const ageMs = (receivedMs: number) => startedMs - receivedMs
    const recordings = known.map(({ monitorNo, signal, rid, body, receivedMs }) =>
      pingRecording(monitorNo, { signal, rid, body, ageMs: ageMs(receivedMs) }),
    )
    const keepCalls = (tx: Tx) =>
      insertCalls(
        tx,
        known.map(
          ({ monitorNo, signal, rid, body, receivedMs }): CallRow => ({
            monitorNo,
            at: new Date(tx.now.getTime() - ageMs(receivedMs)),
            signal,
            rid,
            body,
          }),
        ),
      )
    await recordResults(deps, undefined, recordings, keepCalls)
  }
  return pings.map(({ token }) => monitors.has(token))
}
