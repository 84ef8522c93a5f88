// CRON monitors have no checks: a ping, a missed deadline and POST /check become result writes. They are decided under
// the lock of the state row, from the clock at that time.
import type { CheckResult, Observation, ResultKind } from '../../domain/incidents/apply-result.ts'
import type { EvidenceInput } from '../../domain/incidents/evidence.ts'
import { recoveryWaitMs } from '../../domain/incidents/recovery-hold.ts'
import {
  type HeartbeatVerdict,
  holdRecovery,
  judgeDeadline,
  judgeNow,
  type PingReceipt,
  type PingSignal,
  receive,
  silentSince,
  withoutRecovery,
} from '../../domain/monitors/heartbeat.ts'
import { type HeartbeatClock } from '../../domain/monitors/heartbeat-clock.ts'
import type { EngineMonitor } from '../../store/monitors/states.ts'
import type { DecidedResult, ResultWrite } from './result-batch.ts'

const LOCATION = 'heartbeat'
const EXCERPT_CHARACTERS = 1000

/**
 * `ageMs`: how long ago it was received. `isHeld`: it waited, so that a newer one may have been recorded. `isDayFull`: of its
 * organization, so that a recovery may have to wait. The clock keeps it until then.
 */
type HeartbeatPing = {
  signal: PingSignal
  ageMs: number
  rid: string | null
  body: string | null
  isHeld?: boolean
  isDayFull?: boolean
}

/** A ping to the monitor's URL. Changes nothing if the monitor is PAUSED or no longer CRON. */
export function pingWrite(monitorNo: number, ping: HeartbeatPing): ResultWrite {
  return {
    monitorNo,
    regionNo: null,
    resolve(monitor, now) {
      if (monitor.heartbeat === null || monitor.state === 'PAUSED') return undefined
      const receivedAt = new Date(now.getTime() - ping.ageMs)
      if (isOutdated(monitor.heartbeat, ping, receivedAt)) return undefined
      const at = freeInstant(monitor, receivedAt)
      const { clock, verdict } = receive(monitor.heartbeat, { ...ping, at })
      if (verdict === undefined) return { moved: { heartbeat: clock } }
      const waitMs =
        verdict.verdict === 'PASSED' && ping.isDayFull ? recoveryWaitMs(monitor, now) : 0
      if (waitMs > 0)
        return { moved: { heartbeat: holdRecovery(clock, new Date(now.getTime() + waitMs)) } }
      return toDecidedWrite(
        monitor,
        { kind: 'PING', slot: at, endedAt: at, body: ping.body },
        clock,
        verdict,
      )
    },
  }
}

/** Another process may have recorded a newer report meanwhile. */
function isOutdated({ lastPing }: HeartbeatClock, { isHeld }: HeartbeatPing, at: Date): boolean {
  return isHeld === true && lastPing !== null && lastPing.at > at
}

/** Two pings in one millisecond are two results: the later one takes the next millisecond. */
function freeInstant({ lastSlot }: EngineMonitor, at: Date): Date {
  return lastSlot !== null && at <= lastSlot ? new Date(lastSlot.getTime() + 1) : at
}

/**
 * The deadline has passed, or the time of a success that waited has come. If a ping came first, it moved the deadline, and
 * there is nothing to record. The receipt may be older than the lock: what it says about the time before its `until` is
 * final.
 */
export function deadlineWrite(monitorNo: number, receipt: PingReceipt): ResultWrite {
  return {
    monitorNo,
    regionNo: null,
    resolve(monitor, now) {
      if (monitor.heartbeat === null || monitor.state === 'PAUSED') return undefined
      const { clock, verdict } = judgeDeadline(monitor, monitor.heartbeat, now, receipt)
      if (verdict === undefined)
        return clock === monitor.heartbeat ? undefined : { moved: { heartbeat: clock } }
      if (verdict.verdict === 'PASSED') {
        const at = freeInstant(monitor, silentSince(clock))
        return toDecidedWrite(
          monitor,
          { kind: 'PING', slot: at, endedAt: at, body: null },
          clock,
          verdict,
        )
      }
      const { failedAt: slot } = verdict
      return toDecidedWrite(
        monitor,
        { kind: 'DEADLINE', slot, endedAt: now, body: null },
        clock,
        verdict,
      )
    },
  }
}

/** POST /check judges the current clock. If there is nothing to judge, nothing is stored. */
export function requestWrite(monitorNo: number, receipt: PingReceipt): ResultWrite {
  return {
    monitorNo,
    regionNo: null,
    resolve(monitor, now) {
      if (monitor.heartbeat === null || monitor.state === 'PAUSED') return undefined
      const verdict = judgeNow(monitor, monitor.heartbeat, now, receipt)
      if (verdict === undefined) return undefined
      const { clock } = judgeDeadline(monitor, monitor.heartbeat, now, receipt)
      return toDecidedWrite(
        monitor,
        { kind: 'REQUESTED', slot: now, endedAt: now, body: null },
        withoutRecovery(clock),
        verdict,
      )
    },
  }
}

type When = { kind: ResultKind; slot: Date; endedAt: Date; body: string | null }

function toDecidedWrite(
  monitor: EngineMonitor,
  { kind, slot, endedAt, body }: When,
  heartbeat: HeartbeatClock,
  verdict: HeartbeatVerdict,
): DecidedResult {
  const observation = toObservation(monitor, verdict)
  const beganAt = verdict.verdict === 'FAILED' ? verdict.failedAt : slot
  const outcome = toOutcome(verdict)
  return {
    result: {
      kind,
      slot,
      epoch: monitor.epoch,
      beganAt,
      endedAt,
      outcome,
      seen: observation,
      heartbeat,
    },
    evidence: () => toEvidenceInput(observation, outcome, endedAt, body),
  }
}

function toEvidenceInput(
  observation: Observation,
  outcome: CheckResult['outcome'],
  checkedAt: Date,
  body: string | null,
): EvidenceInput {
  const { domainExpiresAt: _, ...shown } = observation
  return {
    ...shown,
    checkedAt,
    location: LOCATION,
    outcome: outcome.result === 'OK' ? 'OK' : 'FAILED',
    resolvedIp: null,
    timings: null,
    bodyExcerpt: body === null ? null : body.slice(0, EXCERPT_CHARACTERS),
    attempts: [],
  }
}

function toOutcome(verdict: HeartbeatVerdict): CheckResult['outcome'] {
  if (verdict.verdict === 'PASSED') return { result: 'OK', responseMs: null, sampled: false }
  const failure = { cause: verdict.cause, bytesSent: false, controlReached: null }
  return { result: 'FAILED', failure, failedSince: verdict.failedAt }
}

function toObservation(monitor: EngineMonitor, verdict: HeartbeatVerdict): Observation {
  const failed = verdict.verdict === 'FAILED'
  return {
    causeCode: failed ? verdict.cause : null,
    cause: failed ? causeText(monitor, verdict.cause) : null,
    responseMs: null,
    httpStatus: null,
    certExpiresAt: null,
    domainExpiresAt: null,
    dnsAnswers: null,
  }
}

function causeText({ heartbeat }: EngineMonitor, cause: string): string {
  if (cause === 'HEARTBEAT_FAILED') return 'The job reported a failure'
  const since = heartbeat === null ? 'its start' : silentSince(heartbeat).toISOString()
  return `No heartbeat since ${since}`
}
