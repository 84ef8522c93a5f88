// Shared by all checks. A failing target is a finding, not an exception: a check throws only outbound errors or faults
// of our own, and the latter never take a monitor down.
import type { CauseCode as IncidentCauseCode } from '../domain/incidents/incident.ts'
import type { MonitorSettings } from '../domain/monitors/monitor.ts'
import type { OutboundConnection } from '../outbound/outbound-connection.ts'
import type { DomainRegistry } from './registration.ts'

/** No check can find a missed or failed heartbeat. */
export type CheckCauseCode = Exclude<IncidentCauseCode, 'HEARTBEAT_MISSED' | 'HEARTBEAT_FAILED'>

/** Why a check says nothing about its target. */
export const INCONCLUSIVE_REASONS = [
  'RESOLVER_UNREACHABLE',
  'OUT_OF_DESCRIPTORS',
  'OUT_OF_PORTS',
  'NO_ROUTE',
  'NO_PING',
  'LOOKUP_FAILED',
  'PROBE_ERROR',
  'ORG_CAP',
] as const
type InconclusiveReason = (typeof INCONCLUSIVE_REASONS)[number]

/** Must survive JSON, because findings travel between processes. Times are ISO 8601 in UTC. */
export type AttemptEvidence = {
  responseMs?: number
  httpStatus?: number
  resolvedIp?: string
  timings?: { dnsMs?: number; connectMs?: number; tlsMs?: number; firstByteMs?: number }
  certExpiresAt?: string
  domainExpiresAt?: string
  /** Of the certificate (SSL), or the registrar (DOMAIN). Probes before 0.2 send none. */
  issuer?: string
  dnsAnswers?: string[]
  bodyExcerpt?: string
}

export type CheckFinding =
  | ({ outcome: 'OK' } & AttemptEvidence)
  | ({
      outcome: 'FAILED'
      causeCode: CheckCauseCode
      cause: string
      /** Nothing answered, as if our own network were down. Probes before 0.2 never say so. */
      silent?: boolean
    } & AttemptEvidence)
  | { outcome: 'INCONCLUSIVE'; reason: InconclusiveReason; detail: string }

/** What a check gets from the probe: outbound access bounded by the attempt's deadline, and the clocks. */
export type CheckContext = OutboundConnection & {
  budgetMs: number
  /** Milliseconds since the attempt started. */
  elapsedMs(): number
  now(): Date
  registry: DomainRegistry
}

/** One type of check. Its target is what a probe needs for one attempt: a plain object that survives JSON. */
export type Check<Target> = {
  /** Validation of the monitor guarantees that the fields its type requires are set. */
  toTarget(monitor: MonitorSettings): Target
  run(target: Target, context: CheckContext): Promise<CheckFinding>
  /** It connects to a third party, whose address, timings and certificate are not evidence about the target. */
  viaThirdParty?: true
  /** Any other check that passes without having received anything is a bug of ours. */
  needsNoResponse?: true
}

export function failed(
  causeCode: CheckCauseCode,
  cause: string,
  evidence: AttemptEvidence = {},
): Extract<CheckFinding, { outcome: 'FAILED' }> {
  return { outcome: 'FAILED', causeCode, cause, ...evidence }
}
