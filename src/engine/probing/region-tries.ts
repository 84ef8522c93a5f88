// Lets regions try targets, one after the other, so that they may decide about them later. A try is no result. What is
// over the limit is left out: the next check of the monitor asks again.
import { recordProofs } from '../../actions/results/record-proof.ts'
import { type CheckTarget, toTarget } from '../../checks/registry.ts'
import { proofsAfter, type RegionProof, regionsToTry } from '../../domain/regions/reach.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import type { DueMonitor } from '../../store/monitors/due.ts'
import { every, type Loop } from '../every.ts'
import type { RegionNumbers } from '../region-numbers.ts'
import type { JobSender } from './job-sender.ts'
import { toRegionFinding } from './region-finding.ts'
import type { FinishedCheck } from './run-check.ts'

type TriesDeps = {
  database: Database
  sender: JobSender
  regions: RegionNumbers
  log: Log
  now(): Date
  liveRegions(type: string): string[]
}

type Try = { monitor: DueMonitor; region: string; target: CheckTarget }

// After an upgrade, or when a region is added, every monitor is due for a try.
const MAX_WAITING = 1000
const MAX_RUNNING = 50
const SPACING_MS = 50
const MAX_BUDGET_MS = 10_000

export class RegionTries {
  readonly #deps: TriesDeps
  readonly #waiting = new Map<string, Try>()
  readonly #running = new Set<string>()
  readonly #loop: Loop

  constructor(deps: TriesDeps) {
    this.#deps = deps
    const onError = (err: unknown) => deps.log.warn({ err }, 'a try was not recorded')
    this.#loop = every(SPACING_MS, async () => this.#startNext(onError), onError)
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  /** The monitor as it was read before the check. */
  after(monitor: DueMonitor, check: FinishedCheck): void {
    if (monitor.type === 'CRON') return
    const target = toTarget(monitor)
    const { base, home, isPrivate, outcome, findings } = check
    const { chosenRegions: chosen } = monitor
    const live = this.#deps.liveRegions(monitor.type)
    const rules = {
      type: monitor.type,
      method: 'method' in target ? target.method : null,
      base,
      home,
      isPrivate: isPrivate || findings.some((finding) => finding.isPrivate),
      // Whoever chose regions wants no others at the target.
      liveRegions: chosen.length === 0 ? live : live.filter((region) => chosen.includes(region)),
      passed: outcome.result === 'OK',
    }
    for (const region of regionsToTry(monitor.proofs, rules, check.endedAt)) {
      const key = `${monitor.no} ${region}`
      if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, { monitor, region, target })
    }
  }

  #startNext(onError: (error: unknown) => void): void {
    const [next] = this.#waiting
    if (next === undefined || this.#running.size >= MAX_RUNNING) return
    const [key, one] = next
    this.#waiting.delete(key)
    if (this.#running.has(key)) return
    this.#running.add(key)
    void this.#run(one)
      .catch(onError)
      .finally(() => this.#running.delete(key))
  }

  async #run({ monitor, region, target }: Try): Promise<void> {
    const { sender, database, regions } = this.#deps
    const attempt = await sender.attempt(region, {
      orgId: monitor.orgId,
      number: 1,
      budgetMs: Math.min(monitor.timeoutSeconds * 1000, MAX_BUDGET_MS),
      // The same private address may be another host there.
      task: { target, privateTargets: false },
      sendsOnce: false,
    })
    // The probe did not run it, so it is not over.
    if (attempt.outcome === 'FAULT') return
    await regions.numberOf(region)
    const proof = proofAfterTry(monitor.proofs, region, {
      finding: toRegionFinding(target, attempt),
      now: this.#deps.now(),
    })
    await recordProofs(database, [{ monitorNo: monitor.no, epoch: monitor.epoch, proof }])
  }
}

function proofAfterTry(
  proofs: readonly RegionProof[],
  region: string,
  { finding, now }: { finding: ReturnType<typeof toRegionFinding>; now: Date },
): RegionProof {
  const before = proofs.find((proof) => proof.region === region)
  const known = before ?? { ...NEVER, region }
  const isProof = finding?.passed === true && !finding.isPrivate
  const [after = known] = isProof ? proofsAfter(proofs, [finding], { counts: false, now }) : []
  return { ...after, triedAt: now }
}

const NEVER = {
  passedAt: null,
  decidedAt: null,
  lostAt: null,
  address: null,
  port: null,
  isPrivate: false,
}
