// The network between schedulers and targets: jobs and responses get lost, arrive twice or late, probes die during a
// job, and a probe's event loop stalls. A target that answers never fails a valid attempt of an honest probe.
import type { CheckFailure } from '../../src/domain/monitors/confirmation.ts'
import { isLive, isWithin, type Nature, type Region } from './nature.ts'
import type { Rng } from './rng.ts'
import { hostAt, isCutOff, look, type Sight } from './sites.ts'
import type { MonitorRow } from './store.ts'
import type { Process, World } from './world.ts'

/** Which other addresses the probe asks, and when. */
export type Egress = { when: 'START' | 'SILENCE' | 'NEVER'; pairs: readonly string[] }

export type Job = {
  id: string
  kind: 'CHECK' | 'TRY'
  monitor: MonitorRow
  slot: Date
  number: number
  region: Region
  budgetMs: number
  token: number | null
  privateTargets: boolean
  egress: Egress
}

type Seen = { address: string; isPrivate: boolean }
type Found =
  | ({ outcome: 'OK'; responseMs: number } & Seen)
  | ({ outcome: 'FAILED'; failure: CheckFailure } & Seen)
  | { outcome: 'FAULT'; reason: string }
  /** Not a finding: `{}`. */
  | { outcome: 'NONSENSE' }

/** What the probe reports: only durations; the owner assigns the times. */
export type ProbeResponse = { jobId: string; tookMs: number; stalled: boolean; found: Found }

/** What really happened at the target, and what its sender must have seen. */
export type Hit = {
  job: Job
  atMs: number
  sight: Sight
  /** The probe reported something else than it saw. */
  lied: boolean
  isOld: boolean
  isRepeat: boolean
}

export type Network = {
  readonly hits: Hit[]
  /** How often each job was sent. */
  readonly sends: Map<string, number>
  liveRegions(): Region[]
  send(
    sender: Process,
    job: Job,
    on: { accepted(): void; answered(answer: ProbeResponse): void },
  ): void
}

const RTT_MS = [2, 120] as const

export function createNetwork(world: World, nature: Nature): Network {
  const hits: Hit[] = []
  const sends = new Map<string, number>()
  const { rng } = world
  const rtt = () => rng.int(...RTT_MS)
  const accepted = new Set<string>()
  return {
    hits,
    sends,
    liveRegions: () => nature.regions.filter((region) => isLive(nature, region, world.nowMs())),
    send(sender, job, on) {
      const reply = world.replyTo(sender)
      sends.set(job.id, (sends.get(job.id) ?? 0) + 1)
      if (world.fault(0.01) || isWithin(nature.deadRegions.get(job.region), world.nowMs())) return
      world.schedule(rtt(), () => {
        reply(rtt(), on.accepted)
        const { truth, ...reported } = runJob(world, nature, job)
        hits.push({ ...truth, job, atMs: world.nowMs(), isRepeat: accepted.has(job.id) })
        accepted.add(job.id)
        if (world.fault(0.01)) return // the probe died during the job
        const deliver = (delayMs: number) =>
          reply(delayMs, () => on.answered({ jobId: job.id, ...reported }))
        if (!world.fault(0.01)) deliver(reported.tookMs + rtt() + rng.int(0, 50))
        if (world.fault(0.05)) deliver(reported.tookMs + rtt() + rng.int(0, 20_000))
      })
    },
  }
}

type Truth = Pick<Hit, 'sight' | 'lied' | 'isOld'>
type Run = Omit<ProbeResponse, 'jobId'> & { truth: Truth }

function runJob(world: World, nature: Nature, job: Job): Run {
  const nowMs = world.nowMs()
  const isOld = isWithin(nature.oldProbes.get(job.region), nowMs)
  const lie = nature.lies
    .get(job.region)
    ?.find(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs)
  const sight = permitted(look(nature, job.monitor, job.region, nowMs), job, isOld)
  const truth = { sight, isOld, lied: false }
  if (lie?.mode === 'NONSENSE')
    return { truth, tookMs: 5, stalled: false, found: { outcome: 'NONSENSE' } }
  const honest = attempt(world, nature, job, { sight, isOld })
  if (lie === undefined) return { truth, ...honest }
  const { address, isPrivate } = sight
  const failure = { cause: 'CONNECTION_REFUSED', bytesSent: false, controlReached: null }
  const found: Found =
    lie.mode === 'OK'
      ? { outcome: 'OK', responseMs: 10, address, isPrivate }
      : { outcome: 'FAILED', failure, address, isPrivate }
  const lied = !isWhatItSaw(lie.mode, sight)
  return { truth: { ...truth, lied }, tookMs: 10, stalled: false, found }
}

/** Refusal instead of silence is a lie too: it says that the network of the probe works. */
function isWhatItSaw(says: 'OK' | 'FAILED', { kind }: Sight): boolean {
  return says === 'OK' ? kind === 'OK' : kind === 'REFUSED' || kind === 'MIXED'
}

// The previous version does not know that a try may not reach private addresses.
function permitted(sight: Sight, { privateTargets }: Job, isOld: boolean): Sight {
  const isForbidden = sight.isPrivate && !privateTargets && !isOld && sight.kind !== 'NO_ROUTE'
  return isForbidden ? { ...sight, kind: 'NOT_ALLOWED' } : sight
}

type Meeting = { sight: Sight; isOld: boolean }

function attempt(
  world: World,
  nature: Nature,
  job: Job,
  { sight, isOld }: Meeting,
): Omit<ProbeResponse, 'jobId'> {
  const { rng } = world
  const { kind, address, isPrivate } = sight
  const { budgetMs } = job
  const where = { address, isPrivate }
  const stalled = world.fault(0.02)
  const unsent = refusal(sight)
  if (unsent !== undefined) return { tookMs: 2, stalled: false, found: unsent }
  const isSilent = stalled || meetsSilence(rng, kind)
  const tookMs = isSilent ? budgetMs : rng.int(1, Math.min(2_000, budgetMs))
  if (!isSilent && kind === 'OK')
    return { tookMs, stalled, found: { outcome: 'OK', responseMs: tookMs, ...where } }
  const silent = isSilent || !world.guards('refused-is-answer')
  const controlReached = silent ? askOthers(world, nature, job, { isOld, tookMs }) : null
  const extras = isOld ? {} : { silent, address }
  const how = isSilent
    ? { cause: 'TIMEOUT', bytesSent: kind !== 'SILENT' }
    : { cause: 'CONNECTION_REFUSED', bytesSent: false }
  const failure: CheckFailure = { ...how, controlReached, ...extras }
  return { tookMs, stalled, found: { outcome: 'FAILED', failure, ...where } }
}

function meetsSilence(rng: Rng, kind: Sight['kind']): boolean {
  return kind === 'SILENT' || (kind === 'MIXED' && rng.chance(0.3))
}

/** What a probe reports without sending anything. */
function refusal({ kind, address, isPrivate }: Sight): Found | undefined {
  if (kind === 'NO_ROUTE') return { outcome: 'FAULT', reason: 'NO_ROUTE' }
  if (kind !== 'NOT_ALLOWED') return undefined
  const failure = { cause: 'TARGET_NOT_ALLOWED', bytesSent: false, controlReached: null, address }
  return { outcome: 'FAILED', failure, address, isPrivate }
}

/** Whether anything else answers this region. Null if there is nothing to ask. */
function askOthers(
  world: World,
  nature: Nature,
  { region, egress }: Job,
  { isOld, tookMs }: { isOld: boolean; tookMs: number },
): boolean | null {
  const isControlled = nature.controlled.has(region)
  const when = isOld ? 'SILENCE' : egress.when
  if (when === 'NEVER') return null
  const atMs = world.nowMs() + (when === 'START' ? 0 : tookMs)
  const isOut = isCutOff(nature, region, atMs, false)
  if (isControlled) return !isOut
  if (isOld || egress.pairs.length === 0) return null
  return !isOut && egress.pairs.some((address) => answers(world, nature, address, atMs))
}

function answers(world: World, nature: Nature, address: string, ms: number): boolean {
  const kind = hostAt(nature, nature.publicHosts.get(address) ?? '', ms)
  return kind === 'SILENT' ? false : kind === 'OK' || world.guards('refused-is-answer')
}
