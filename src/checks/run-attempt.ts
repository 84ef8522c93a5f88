// One attempt on one target: provides outbound access, enforces the deadline, measures the time, and never throws.
import { type Outbound, openOutboundConnection } from '../outbound/outbound-connection.ts'
import type { EventLoopWatch } from '../platform/observability/event-loop-watch.ts'
import type { CheckContext, CheckFinding } from './check.ts'
import type { DomainRegistry } from './registration.ts'
import { type CheckTarget, findCheckByType } from './registry.ts'
import { probeError, runGuarded } from './run-guarded.ts'

type AttemptDeps = {
  outbound: Outbound
  registry: DomainRegistry
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
    const finding = await Promise.race([runTarget(target, context), deadline.stuck])
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

async function runTarget(target: CheckTarget, context: CheckContext): Promise<CheckFinding> {
  const check = findCheckByType(target.type)
  if (check === undefined) return probeError(`this probe has no check of type ${target.type}`)
  return runGuarded(check, target, context)
}
