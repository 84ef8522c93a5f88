// POST /check reaches the owner of the monitor's shard here. One check of a monitor runs at a time: who
// asks while one is running waits for it, and all who waited share the next.
import {
  type CheckAnswer,
  type CheckRequest,
  checkRequestName,
  type TrialRequest,
} from '../../actions/monitors/request-check.ts'
import type { Bus, Serving } from '../../bus/bus.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { findLookRules, loadSubject, type Subject } from '../../store/monitors/due.ts'
import type { FinishedCheck, Looked } from '../probing/run-check.ts'

type OnDemandDeps = {
  database: Database
  secrets: OrganizationSecrets
  bus: Bus
  isRunning(monitorNo: number): boolean
  run(subject: Subject): Promise<CheckAnswer>
  /** Looks, and keeps nothing of it. */
  look(draft: Looked): Promise<FinishedCheck>
}

type Next = { started: Promise<void>; start(): void; answer: Promise<CheckAnswer> }

export class OnDemand {
  readonly #deps: OnDemandDeps
  readonly #serving = new Map<number, Serving>()
  readonly #next = new Map<number, Next>()

  constructor(deps: OnDemandDeps) {
    this.#deps = deps
  }

  // All at once: one after the other, 256 round trips could outlast the lease on a busy machine.
  async serve(shards: readonly number[]): Promise<void> {
    const handler = (body: unknown) => {
      const request = body as CheckRequest | TrialRequest
      return 'draft' in request ? this.#try(request) : this.#answer(request)
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

  /** The check that was running has ended: whoever waited gets theirs. */
  freed(monitorNo: number): void {
    const next = this.#next.get(monitorNo)
    this.#next.delete(monitorNo)
    next?.start()
  }

  async stop(): Promise<void> {
    await this.release([...this.#serving.keys()])
  }

  async #answer(request: CheckRequest): Promise<CheckAnswer> {
    const subject = await this.#load(request)
    if (subject === undefined) return { outcome: 'GONE' }
    if (subject.state === 'PAUSED') return { outcome: 'PAUSED' }
    if (!this.#deps.isRunning(subject.no)) return this.#deps.run(subject)
    const waiting = this.#next.get(subject.no) ?? this.#queue(subject.no, request)
    return waiting.answer
  }

  async #try({ orgId, draft }: TrialRequest) {
    const rules = await findLookRules(this.#deps.database, orgId)
    if (rules === undefined) throw new Error('No such organization')
    const { outcome, facts } = await this.#deps.look({ ...draft, ...rules, orgId })
    return { result: outcome.result, facts: facts() }
  }

  #queue(monitorNo: number, request: CheckRequest): Next {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const answer = started.then(() => this.#answer(request))
    const next = { started, start, answer }
    this.#next.set(monitorNo, next)
    return next
  }

  #load({ orgId, monitorUuid }: CheckRequest): Promise<Subject | undefined> {
    return loadSubject(this.#deps.database, this.#deps.secrets, orgId, monitorUuid)
  }
}
