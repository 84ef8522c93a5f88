// One attempt on one target: provides outbound access, enforces the deadline, measures the time, and never throws.
import type { ConnectionTrace } from '../outbound/connect.ts'
import { type Outbound, openOutboundConnection } from '../outbound/outbound-connection.ts'
import type { EventLoopWatch } from '../platform/observability/event-loop-watch.ts'
import type { AttemptEvidence, CheckContext, CheckFinding, CheckTarget } from './check.ts'
import { checkDns } from './dns.ts'
import { checkDomain } from './domain.ts'
import { checkHttp } from './http.ts'
import { checkKeyword } from './keyword.ts'
import { findingOf } from './network-cause.ts'
import { checkPing } from './ping.ts'
import { checkPort } from './port.ts'
import type { Registry } from './registration.ts'
import { checkSsl } from './ssl.ts'

type AttemptDeps = {
  outbound: Outbound
  registry: Registry
  eventLoop: Pick<EventLoopWatch, 'hasStalledSince'>
  budgetMs: number
}

export type AttemptResult = CheckFinding & {
  durationMs: number
  /** The request's bytes have been sent: a POST, PUT, PATCH or DELETE must not be repeated. */
  sent: boolean
  /** This process stalled in the meantime, so a timeout or response time of this attempt is unreliable. */
  stalled: boolean
}

// A check that runs this long past its deadline is stuck in our own code.
const GRACE_MS = 150
// Without it, the abort reason would be a new error with a stack for every attempt.
const OVER = 'The attempt is over'

export async function runAttempt(target: CheckTarget, deps: AttemptDeps): Promise<AttemptResult> {
  const startMs = performance.now()
  const deadline = startDeadline(deps.budgetMs)
  const connection = openOutboundConnection(deps.outbound, deadline.signal)
  const context = {
    ...connection,
    budgetMs: deps.budgetMs,
    elapsedMs: () => performance.now() - startMs,
    now: deps.outbound.guard.now,
    registry: deps.registry,
  }
  try {
    const finding = await Promise.race([runCheck(target, context), deadline.stuck])
    return {
      ...finding,
      durationMs: Math.round(performance.now() - startMs),
      sent: connection.trace.sent,
      stalled: deps.eventLoop.hasStalledSince(startMs),
    }
  } finally {
    deadline.end()
  }
}

function startDeadline(budgetMs: number) {
  const controller = new AbortController()
  const { promise: stuck, resolve } = Promise.withResolvers<CheckFinding>()
  const giveUp = () => resolve(probeError('the check did not end'))
  let timer = setTimeout(() => {
    timer = setTimeout(giveUp, GRACE_MS)
    controller.abort(OVER)
  }, budgetMs)
  return {
    signal: controller.signal,
    stuck,
    end() {
      clearTimeout(timer)
      // Ends whatever is still open or pending.
      controller.abort(OVER)
    },
  }
}

async function runCheck(target: CheckTarget, context: CheckContext): Promise<CheckFinding> {
  try {
    const finding = await checkByType(target, context)
    if (finding.outcome === 'INCONCLUSIVE') return finding
    return { ...finding, ...evidenceOf(target, context.trace), ...wholeMs(finding.responseMs) }
  } catch (error) {
    const evidence = evidenceOf(target, context.trace)
    return findingOf(error, context.budgetMs, evidence) ?? probeError(describe(error))
  }
}

function checkByType(target: CheckTarget, context: CheckContext): Promise<CheckFinding> {
  switch (target.type) {
    case 'HTTP':
      return checkHttp(target, context)
    case 'KEYWORD':
      return checkKeyword(target, context)
    case 'PING':
      return checkPing(target, context)
    case 'PORT':
      return checkPort(target, context)
    case 'DNS':
      return checkDns(target, context)
    case 'SSL':
      return checkSsl(target, context)
    case 'DOMAIN':
      return checkDomain(target, context)
  }
}

/** Evidence from the connection. A DOMAIN check connects to a registry, which is not the target. */
function evidenceOf(
  { type }: CheckTarget,
  { timings, resolvedIp, certExpiresAt }: ConnectionTrace,
): AttemptEvidence {
  if (type === 'DOMAIN') return {}
  const rounded = Object.entries(timings).map(([phase, ms]) => [phase, Math.round(ms)])
  return {
    timings: Object.fromEntries(rounded),
    ...(resolvedIp !== undefined && { resolvedIp }),
    ...(certExpiresAt !== undefined && { certExpiresAt: certExpiresAt.toISOString() }),
  }
}

function wholeMs(responseMs: number | undefined): AttemptEvidence {
  return responseMs === undefined ? {} : { responseMs: Math.round(responseMs) }
}

function probeError(detail: string): CheckFinding {
  return { outcome: 'INCONCLUSIVE', reason: 'PROBE_ERROR', detail }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
