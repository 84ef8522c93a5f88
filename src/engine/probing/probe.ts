// Runs checks. A probe has no database: it accepts packets of jobs for its region, runs them, and returns the findings
// and how long they took.
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus, Job, ProbeLocation, ProbeResult, ReceivedPacket } from '../../bus/bus.ts'
import type { DomainRegistry } from '../../checks/registration.ts'
import { CHECK_TYPES, type CheckTarget } from '../../checks/registry.ts'
import { type AttemptResult, runAttempt } from '../../checks/run-attempt.ts'
import { isSilent } from '../../domain/monitors/egress-doubt.ts'
import { publicOnly } from '../../outbound/create-outbound.ts'
import type { Outbound } from '../../outbound/outbound-connection.ts'
import type { ProbeMetrics } from '../../platform/metrics/probe-metrics.ts'
import { type EventLoopWatch, watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import { readTraceparent } from '../../platform/observability/trace-context.ts'
import type { Attributes, Span, Tracer } from '../../platform/observability/tracer.ts'
import { FairQueue } from '../fair-queue.ts'
import type { ControlTargets } from './control-targets.ts'

/** A job's payload; the bus transports it without reading it. */
export type ProbeTask = {
  target: CheckTarget
  privateTargets: boolean
  /** Set on the attempt whose silence would decide. Older schedulers do not send it. */
  egress?: EgressTask
}

/** Addresses that are asked whether the probe's own network works, when the attempt starts or after its silence. */
export type EgressTask = { when: 'START' | 'SILENCE' | 'NEVER'; pairs: readonly string[] }

/** `controlReached` is null if no other address was asked. */
export type ProbeFinding = AttemptResult & { controlReached: boolean | null }

type ProbeDeps = {
  bus: Bus
  place: ProbeLocation
  /** Fingerprints of the settings, to compare the probes of a region. */
  settings: Record<string, string>
  /** The private networks that it may reach. */
  allows: readonly string[]
  /** Fingerprints of the networks this machine is in now. */
  networks(): string[]
  outbound: Outbound
  registry: DomainRegistry
  controls: ControlTargets
  /** Limits on concurrent attempts, in total and per organization. `capacity` includes waiting jobs. */
  capacity: number
  capacityPerOrganization: number
  eventLoop: EventLoopWatch
  metrics: ProbeMetrics
  tracer: Tracer | undefined
  log: Log
  /** The product's version, to show which probes are outdated. */
  version: string
}

/** How long a job may wait behind others of its organization before it starts. */
export const QUEUE_ALLOWANCE_MS = 3000

const ANNOUNCE_MS = 2000
// For so long after its event loop was blocked, a probe accepts no more than so many jobs.
const STRAINED_MS = 250
const LEAST_CAPACITY = 100
const DRAIN_MS = 3000
const WAITED_TOO_LONG: ProbeFinding = {
  outcome: 'INCONCLUSIVE',
  reason: 'ORG_CAP',
  detail: 'waited too long behind others of its organization',
  durationMs: 0,
  sent: false,
  stalled: false,
  controlReached: null,
}

type Probe = { inFlight(): number; stop(): Promise<void> }

export async function startProbe(deps: ProbeDeps): Promise<Probe> {
  const { bus, place, settings, capacity, capacityPerOrganization } = deps
  const queue = new FairQueue({ capacity, perKey: capacityPerOrganization })
  const runJob = createJobRunner(deps)
  // The longest wait of any job since the last announcement.
  let lateMs = 0
  // More at once would be measured wrongly, or end too late to count.
  const isStrained = () =>
    queue.size >= LEAST_CAPACITY && deps.eventLoop.hasStalledSince(performance.now() - STRAINED_MS)
  let announced = false
  const { version } = deps
  const announce = () => {
    const load = { capacity, inFlight: queue.size, lateMs: Math.round(lateMs) }
    lateMs = 0
    announced = true
    const networks = deps.networks()
    const said = { can: CHECK_TYPES, settings, version, networks, allows: [...deps.allows] }
    bus.announce({ ...place, ...load, ...said })
  }
  const take = ({ jobs, reply }: ReceivedPacket): 'accepted' | 'busy' => {
    // A response counts only after the announcement that proves whose it is.
    if (!announced) announce()
    if (!queue.hasRoom(jobs.length) || isStrained()) {
      deps.metrics.busy()
      return 'busy'
    }
    const acceptedMs = performance.now()
    for (const job of jobs)
      queue.run(job.orgId, async () => {
        lateMs = Math.max(lateMs, performance.now() - acceptedMs)
        reply([await timed(job, acceptedMs, runJob)])
      })
    return 'accepted'
  }

  const serving = await bus.serveJobs(place, take)
  announce()
  deps.metrics.watchInFlight(() => queue.size)
  const timer = setInterval(announce, ANNOUNCE_MS)
  return {
    inFlight: () => queue.size,
    async stop() {
      clearInterval(timer)
      await serving.stop()
      // The sender resends jobs that take longer to another probe.
      await Promise.race([queue.drained(), delay(DRAIN_MS, undefined, { ref: false })])
    },
  }
}

/** Runs one attempt of a job and adds what the probe knows about its own network. */
function createJobRunner(deps: ProbeDeps): (job: Job) => Promise<ProbeFinding> {
  const restricted = publicOnly(deps.outbound)
  return async (job) => {
    const { target, privateTargets, egress } = job.target as ProbeTask
    const { registry } = deps
    const { eventLoop } = deps
    const outbound = privateTargets ? deps.outbound : restricted
    const { budgetMs } = job
    const span = startSpan(deps, job)
    // Before the attempt, so that both meet the same network.
    const sample =
      egress?.when === 'START' ? deps.controls.sample(pairsOf(egress)) : Promise.resolve(null)
    const attempt = await watched(`check ${target.type}`, () =>
      runAttempt(target, { outbound, registry, eventLoop, budgetMs }),
    )
    span?.end(attributesOf(attempt), attempt.outcome === 'INCONCLUSIVE')
    deps.metrics.attempted(target.type, attempt.outcome)
    if (attempt.outcome === 'INCONCLUSIVE')
      deps.log.warn({ reason: attempt.reason, detail: attempt.detail }, 'attempt inconclusive')
    if (!isSilence(attempt)) return { ...attempt, controlReached: null }
    if (egress === undefined) return { ...attempt, controlReached: await deps.controls.reached() }
    if (egress.when !== 'SILENCE') return { ...attempt, controlReached: await sample }
    return { ...attempt, controlReached: await deps.controls.sample(pairsOf(egress)) }
  }
}

/** The target may be secret, so the span records only its type. */
function startSpan({ tracer, place }: ProbeDeps, job: Job): Span | undefined {
  const parent = tracer && readTraceparent(job.traceparent)
  if (parent === undefined) return undefined
  return tracer?.start('probe', {
    kind: 'CONSUMER',
    parent,
    attributes: {
      'upvane.region': place.region,
      'upvane.probe': place.probe,
      'upvane.attempt': job.attempt,
      'upvane.monitor.type': (job.target as ProbeTask).target.type,
    },
  })
}

function attributesOf(attempt: AttemptResult): Attributes {
  const { outcome } = attempt
  const found = { 'upvane.outcome': outcome }
  if (outcome === 'FAILED') return { ...found, 'upvane.cause': attempt.causeCode }
  return outcome === 'INCONCLUSIVE' ? { ...found, 'upvane.reason': attempt.reason } : found
}

async function timed(
  job: Job,
  acceptedMs: number,
  runJob: (job: Job) => Promise<ProbeFinding>,
): Promise<ProbeResult> {
  const startedMs = performance.now()
  // The sender stops waiting by then: running the job would only delay jobs that are still wanted.
  const isTooLate = startedMs - acceptedMs > QUEUE_ALLOWANCE_MS
  const attempt = isTooLate ? WAITED_TOO_LONG : await runJob(job)
  return {
    id: job.id,
    acceptedToStartMs: Math.round(startedMs - acceptedMs),
    startedToEndMs: Math.round(performance.now() - startedMs),
    attempt,
  }
}

/** Only silence is in doubt: any response proves that our network works. */
function isSilence(attempt: AttemptResult): boolean {
  return attempt.outcome === 'FAILED' && isSilent({ ...attempt, cause: attempt.causeCode })
}

/** What came over the bus. */
function pairsOf({ pairs }: EgressTask): readonly string[] {
  return Array.isArray(pairs) ? pairs.filter((pair) => typeof pair === 'string') : []
}
