// Serves POST /check on the owner of the monitor's shard. Only one check of a monitor runs at a time: requests that
// arrive during one wait for it and share the next.
import {
  type CheckRequest,
  type CheckResponse,
  checkRequestName,
  type TrialRequest,
} from '../../actions/monitors/request-check.ts'
import { recordProofs } from '../../actions/results/record-proof.ts'
import { findRecoveryWaitMs } from '../../actions/results/recovery-wait.ts'
import type { Bus, Serving } from '../../bus/bus.ts'
import { proofsAfter } from '../../domain/regions/reach.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { type DueMonitor, findCheckRules, loadDueMonitor } from '../../store/monitors/due.ts'
import type { CheckedMonitor, FinishedCheck } from '../probing/run-check.ts'

type OnDemandDeps = {
  database: Database
  secrets: OrganizationSecrets
  bus: Bus
  isRunning(monitorNo: number): boolean
  run(monitor: DueMonitor): Promise<CheckResponse>
  /** Runs a check without recording it. */
  check(draft: CheckedMonitor): Promise<FinishedCheck>
}

type Next = { started: Promise<void>; start(): void; response: Promise<CheckResponse> }

export class OnDemand {
  readonly #deps: OnDemandDeps
  readonly #serving = new Map<number, Serving>()
  readonly #next = new Map<number, Next>()

  constructor(deps: OnDemandDeps) {
    this.#deps = deps
  }

  // In parallel: on a busy machine, 256 round trips in sequence could outlast the lease.
  async serve(shards: readonly number[]): Promise<void> {
    const handler = (body: unknown) => {
      const request = body as CheckRequest | TrialRequest
      return 'draft' in request ? this.#tryDraft(request) : this.#respond(request)
    }
    const serving = shards.map(async (shard) =>
      this.#serving.set(
        shard,
        await this.#deps.bus.serveRequests(checkRequestName(shard), handler),
      ),
    )
    await Promise.all(serving)
  }

  async release(shards: readonly number[]): Promise<void> {
    const stopping = shards.map((shard) => this.#serving.get(shard)?.stop())
    for (const shard of shards) this.#serving.delete(shard)
    await Promise.all(stopping)
  }

  /** The running check has ended: starts the next one if requests are waiting. */
  freed(monitorNo: number): void {
    const next = this.#next.get(monitorNo)
    this.#next.delete(monitorNo)
    next?.start()
  }

  async stop(): Promise<void> {
    await this.release([...this.#serving.keys()])
  }

  async #respond(request: CheckRequest): Promise<CheckResponse> {
    const monitor = await this.#load(request)
    if (monitor === undefined) return { outcome: 'GONE' }
    if (monitor.state === 'PAUSED') return { outcome: 'PAUSED' }
    const waitMs = await findRecoveryWaitMs(this.#deps.database, monitor)
    if (waitMs > 0) return { outcome: 'TOO_SOON', waitMs }
    if (!this.#deps.isRunning(monitor.no)) return this.#deps.run(monitor)
    const waiting = this.#next.get(monitor.no) ?? this.#queue(monitor.no, request)
    return waiting.response
  }

  async #tryDraft({ orgId, draft, region, monitorUuid }: TrialRequest) {
    const { database } = this.#deps
    const rules = await findCheckRules(database, orgId)
    if (rules === undefined) throw new Error('No such organization')
    // Read before the check: if the target changes meanwhile, the pass proves nothing.
    const monitor = monitorUuid && (await this.#load({ orgId, monitorUuid }))
    const only = region === undefined ? {} : { onlyRegion: region }
    const proofs = monitor ? monitor.proofs : []
    // A trial has one finding to show.
    const subject = { ...(monitor || draft), ...rules, ...only, eachRegion: null, orgId, proofs }
    const { outcome, evidence, findings, endedAt } = await this.#deps.check(subject)
    if (monitor && region !== undefined) {
      const proven = proofsAfter(proofs, findings, { counts: false, now: endedAt })
      const { no: monitorNo, epoch } = monitor
      await recordProofs(
        database,
        proven.map((proof) => ({ monitorNo, epoch, proof })),
      )
    }
    return { result: outcome.result, facts: evidence() }
  }

  #queue(monitorNo: number, request: CheckRequest): Next {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const response = started.then(() => this.#respond(request))
    const next = { started, start, response }
    this.#next.set(monitorNo, next)
    return next
  }

  #load({
    orgId,
    monitorUuid,
  }: Pick<CheckRequest, 'orgId' | 'monitorUuid'>): Promise<DueMonitor | undefined> {
    return loadDueMonitor(this.#deps.database, this.#deps.secrets, orgId, monitorUuid)
  }
}
