// The network between schedulers and targets: jobs and responses get lost, arrive twice or late, probes die during a
// job, and a probe's event loop stalls. A target that is up never fails a valid attempt.
import type { Attempt } from '../../src/domain/monitors/confirmation.ts'
import { HOME, isWithin, type Nature, REGIONS } from './nature.ts'
import type { MonitorRow } from './store.ts'
import type { Process, World } from './world.ts'

export type Job = {
  id: string
  monitor: MonitorRow
  slot: Date
  number: number
  region: string
  budgetMs: number
  token: number
}

/** What the probe reports: only durations; the owner assigns the times. */
export type ProbeResponse = { jobId: string; tookMs: number; stalled: boolean; found: Found }
type Found =
  | { outcome: 'OK'; responseMs: number }
  | { outcome: 'FAILED'; failure: (Attempt & { outcome: 'FAILED' })['failure'] }

/** The target's own log: each request, and what its sender must have seen. */
type Hit = {
  job: Job
  atMs: number
  wasDown: boolean
  isRepeat: boolean
}

export type Network = {
  readonly hits: Hit[]
  /** How often each job was sent. */
  readonly sends: Map<string, number>
  liveRegions(): string[]
  send(
    sender: Process,
    job: Job,
    on: { accepted(): void; answered(answer: ProbeResponse): void },
  ): void
}

const RTT_MS = [2, 120] as const
const REGION_NOTICE_MS = 3_000

export function createNetwork(world: World, nature: Nature): Network {
  const hits: Hit[] = []
  const sends = new Map<string, number>()
  const { rng } = world
  const rtt = () => rng.int(...RTT_MS)
  const accepted = new Set<string>()
  return {
    hits,
    sends,
    // A dead region is detected a little after it died.
    liveRegions: () =>
      REGIONS.filter(
        (region) => !isWithin(nature.deadRegions.get(region), world.nowMs() - REGION_NOTICE_MS),
      ),
    send(sender, job, on) {
      const reply = world.replyTo(sender)
      sends.set(job.id, (sends.get(job.id) ?? 0) + 1)
      if (world.fault(0.01) || isWithin(nature.deadRegions.get(job.region), world.nowMs())) return
      world.schedule(rtt(), () => {
        reply(rtt(), on.accepted)
        const answer = runCheck(world, nature, job)
        hits.push({ ...answer.truth, job, atMs: world.nowMs(), isRepeat: accepted.has(job.id) })
        accepted.add(job.id)
        if (world.fault(0.01)) return // the probe died during the job
        const deliver = (delayMs: number) =>
          reply(delayMs, () => on.answered({ jobId: job.id, ...answer.reported }))
        if (!world.fault(0.01)) deliver(answer.reported.tookMs + rtt() + rng.int(0, 50))
        if (world.fault(0.05)) deliver(answer.reported.tookMs + rtt() + rng.int(0, 20_000))
      })
    },
  }
}

function runCheck(world: World, nature: Nature, { monitor, region, budgetMs }: Job) {
  const { rng } = world
  const nowMs = world.nowMs()
  const isDown = isWithin(nature.outages.get(monitor.uuid), nowMs)
  const isCut = region === HOME && isWithin(nature.egressCuts, nowMs)
  const isStalled = world.fault(0.02)
  const isSilent = isCut || isStalled || (isDown && rng.chance(0.3))
  const truth = { wasDown: isDown }
  if (isSilent) {
    const failure = { cause: 'TIMEOUT', bytesSent: !isCut, controlReached: !isCut }
    const found: Found = { outcome: 'FAILED', failure }
    return { truth, reported: { tookMs: budgetMs, stalled: isStalled, found } }
  }
  const tookMs = rng.int(1, Math.min(2_000, budgetMs))
  const refused = { cause: 'CONNECTION_REFUSED', bytesSent: false, controlReached: true }
  const found: Found = isDown
    ? { outcome: 'FAILED', failure: refused }
    : { outcome: 'OK', responseMs: tookMs }
  return { truth, reported: { tookMs, stalled: false, found } }
}
