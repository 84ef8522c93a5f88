// What a probe's response means for the check: its finding, at times of our own clock.
import type { JobResult } from '../../bus/bus.ts'
import { type Attempt, PROBE_FAULT } from '../../domain/monitors/confirmation.ts'
import type { DatabaseClock } from '../database-clock.ts'
import type { ProbeFinding } from './probe.ts'

/** The outcome of an attempt, and the probe's finding if there is one. */
export type ObservedAttempt = Attempt & { finding: ProbeFinding | null }

/** The probe reports durations; timestamps come from our clock. */
export function toAttempt(
  clock: DatabaseClock,
  flight: { region: string; sentMs: number },
  result: JobResult,
  finding: ProbeFinding | undefined,
): ObservedAttempt {
  const startedMs = flight.sentMs + result.acceptedToStartMs
  const times = {
    region: flight.region,
    startedAt: clock.at(startedMs),
    endedAt: clock.at(startedMs + result.startedToEndMs),
  }
  if (finding === undefined)
    return { ...times, stalled: false, outcome: 'FAULT', reason: PROBE_FAULT, finding: null }
  const common = { ...times, stalled: finding.stalled, finding }
  if (finding.outcome === 'OK')
    return { ...common, outcome: 'OK', responseMs: finding.responseMs ?? null }
  if (finding.outcome === 'INCONCLUSIVE')
    return { ...common, outcome: 'FAULT', reason: finding.reason }
  const { causeCode: cause, httpStatus, sent: bytesSent, controlReached, silent } = finding
  const failure = {
    cause,
    bytesSent,
    controlReached,
    address: finding.resolvedIp ?? null,
    ...(httpStatus !== undefined && { httpStatus }),
    ...(silent !== undefined && { silent }),
  }
  return { ...common, outcome: 'FAILED', failure }
}
