// What one check found, also if it threw: a silent or closing target is a finding, and everything else is a bug of ours.
import { toIssuer } from '../domain/monitors/issuer.ts'
import type { ConnectionTrace } from '../outbound/connect.ts'
import { OutboundError, toOutboundError } from '../outbound/outbound-error.ts'
import type { AttemptEvidence, Check, CheckContext, CheckFinding } from './check.ts'
import { findingOf } from './network-cause.ts'

export async function runGuarded<Target>(
  check: Check<Target>,
  target: Target,
  context: CheckContext,
): Promise<CheckFinding> {
  try {
    const finding = await check.run(target, context)
    if (finding.outcome === 'INCONCLUSIVE') return finding
    if (finding.outcome === 'OK' && !check.needsNoResponse && !context.trace.responded)
      return probeError('the check passed without a response')
    return { ...finding, ...evidenceOf(check, context.trace), ...wholeMs(finding.responseMs) }
  } catch (thrown) {
    const error = toTargetError(thrown, context.signal)
    const evidence = { ...evidenceOf(check, context.trace), ...refusedAddress(check, error) }
    return findingOf(error, context.budgetMs, evidence) ?? probeError(describe(error))
  }
}

export function probeError(detail: string): CheckFinding {
  return { outcome: 'INCONCLUSIVE', reason: 'PROBE_ERROR', detail }
}

/** The deadline is a timeout, also for a check that waits by itself and throws the signal's reason or a closed stream. */
function toTargetError(thrown: unknown, { aborted, reason }: AbortSignal): unknown {
  if (thrown instanceof OutboundError) return thrown
  if (aborted && (thrown === reason || (thrown instanceof Error && thrown.name === 'AbortError')))
    return new OutboundError('TIMEOUT')
  const error = toOutboundError(thrown)
  const isReset = error instanceof OutboundError && error.code === 'RESET'
  return aborted && isReset ? new OutboundError('TIMEOUT') : error
}

/** Evidence from the connection. */
function evidenceOf<Target>(
  { viaThirdParty }: Check<Target>,
  { timings, resolvedIp, certExpiresAt, issuer: named }: ConnectionTrace,
): AttemptEvidence {
  if (viaThirdParty) return {}
  const rounded = Object.entries(timings).map(([phase, ms]) => [phase, Math.round(ms)])
  const issuer = toIssuer(named)
  return {
    timings: Object.fromEntries(rounded),
    ...(resolvedIp !== undefined && { resolvedIp }),
    ...(certExpiresAt !== undefined && { certExpiresAt: certExpiresAt.toISOString() }),
    ...(issuer !== null && { issuer }),
  }
}

/** To compare it with those that worked before. It is not shown. */
function refusedAddress<Target>({ viaThirdParty }: Check<Target>, error: unknown): AttemptEvidence {
  if (viaThirdParty || !(error instanceof OutboundError)) return {}
  return error.address === undefined ? {} : { resolvedIp: error.address }
}

function wholeMs(responseMs: number | undefined): AttemptEvidence {
  return responseMs === undefined ? {} : { responseMs: Math.round(responseMs) }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
