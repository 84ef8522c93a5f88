// Sends due deliveries in cycles. Each cycle is one transaction that records finished attempts and claims what is due
// next, while earlier claims are in flight.
import { setTimeout as delay } from 'node:timers/promises'
import { pollDeliveries } from '../../actions/deliveries/poll.ts'
import { type SettleDeps, settle } from '../../actions/deliveries/settle.ts'
import { type Cycle, settleAndClaim } from '../../actions/deliveries/settle-and-claim.ts'
import type { Send } from '../../channels/channel.ts'
import { CLAIM_EVERY_MS, nextClaimMs } from '../../domain/events/claim-pace.ts'
import type { ChannelName } from '../../domain/events/delivery.ts'
import {
  type EndedAttempt,
  type FailureNotice,
  LOST,
  type SendResult,
} from '../../domain/events/delivery-outcome.ts'
import { MAX_PER_PROCESS } from '../../domain/events/delivery-share.ts'
import { waitLimitsMs } from '../../domain/events/retry-schedule.ts'
import type { DispatcherMetrics } from '../../platform/metrics/dispatcher-metrics.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Tracer } from '../../platform/observability/tracer.ts'
import type { WorkSignal } from '../../platform/process/work-signal.ts'
import { type Database, isDataError } from '../../store/core/db.ts'
import type { ClaimedAttempt, Horizon } from '../../store/deliveries/queue.ts'
import { FIRST_ENDPOINT } from '../../store/deliveries/receiver-queues.ts'
import type { Channels } from './channels.ts'
import { startDeliverySpan } from './delivery-trace.ts'
import { type Finished, InFlight } from './in-flight.ts'

type DispatcherDeps = {
  database: Database
  channels: Channels
  log: Log
  metrics: DispatcherMetrics
  tracer: Tracer | undefined
  scheduleSeconds: readonly number[]
  signal?: WorkSignal | undefined
}

// Shorter than a claim, to leave time to record the outcome.
const ATTEMPT_MS = 15_000
const POLL_INTERVAL_MS = 1000
// While nothing is pending and only this process could add something.
const REST_MS = 2000
// The more is in flight, the longer a cycle waits for more attempts to end: a batch costs little more than one write.
const LEAST_GATHER_MS = 4
const GATHER_MS_PER_REQUEST = 0.03
const AFTER_FAULT_MS = 500
// Counting scans the index of everything pending, so it runs less often than polling.
const COUNT_EVERY_MS = 10_000

const NONE: ReadonlySet<string> = new Set()

const RECEIVERS: Record<ChannelName, string> = {
  WEBHOOK: 'webhook endpoint',
  ALERT: 'alert contact',
  EMAIL: 'list of mail recipients',
  SUBSCRIBER: 'subscriber of a status page',
}

type RunningDispatcher = {
  /** For a minute, no claim ran or some sendable delivery was left waiting. */
  isOverdue(): boolean
  stop(): Promise<void>
}

export function startDispatcher(deps: DispatcherDeps): RunningDispatcher {
  const dispatcher = new Dispatcher(deps)
  const running = dispatcher.run()
  return {
    isOverdue: () => dispatcher.isOverdue(),
    async stop() {
      dispatcher.finish()
      await running
    },
  }
}

class Dispatcher {
  readonly #deps: DispatcherDeps
  readonly #settling: SettleDeps
  readonly #channels: ReadonlySet<ChannelName>
  readonly #patience: ReturnType<typeof waitLimitsMs>
  #horizon: Horizon | undefined
  #after = FIRST_ENDPOINT
  readonly #inFlight = new InFlight()
  /** Receivers that had more due than slots. */
  #backlogged = new Set<string>()
  #claimAtMs = 0
  #claimEveryMs = CLAIM_EVERY_MS
  #pollAtMs = 0
  #countAtMs = 0
  /** Time of the last claim that starved no receiver. */
  #fairAtMs = performance.now()
  #isStopping = false
  /** Nothing is pending, until this process is woken or polls again. */
  #isResting = false
  #isNew = false
  readonly #endListening: (() => void) | undefined

  constructor(deps: DispatcherDeps) {
    this.#deps = deps
    this.#settling = { ...deps, random: Math.random }
    this.#patience = waitLimitsMs(deps.scheduleSeconds)
    // Safe because the keys of `Channels` are channel names.
    this.#channels = new Set(Object.keys(deps.channels) as ChannelName[])
    deps.metrics.watchInFlight(() => this.#inFlight.count)
    this.#endListening = deps.signal?.listen('DELIVERIES', () => this.#onNew())
  }

  /** Resolves after finish() was called and everything in flight is recorded. */
  async run(): Promise<void> {
    while (!this.#isStopping || this.#inFlight.count > 0) {
      try {
        await watched('dispatch deliveries', () => this.#runCycle())
      } catch (err) {
        this.#deps.log.error({ err }, 'dispatcher turn failed')
        await delay(AFTER_FAULT_MS)
      }
      await this.#pause()
    }
  }

  isOverdue(): boolean {
    return performance.now() - this.#fairAtMs > this.#patience.overdueMs
  }

  finish(): void {
    this.#isStopping = true
    this.#endListening?.()
    this.#inFlight.wake()
  }

  async #runCycle(): Promise<void> {
    const horizon = await this.#poll()
    const startMs = performance.now()
    const batch = this.#inFlight.batch(startMs)
    const hasRoom = this.#inFlight.count - batch.length < MAX_PER_PROCESS
    const isTime = !this.#isResting && startMs >= this.#claimAtMs
    const isClaiming = !this.#isStopping && hasRoom && isTime
    if (batch.length === 0 && !isClaiming) return
    try {
      const cycle = await settleAndClaim(this.#settling, {
        ended: batch,
        inFlight: this.#inFlight.count,
        horizon,
        claim: isClaiming ? { after: this.#after, channels: this.#channels } : undefined,
        backlogged: this.#isStopping ? NONE : this.#backlogged,
      })
      this.#onSettled(batch, cycle)
      this.#onClaimed(cycle, startMs)
    } catch (err) {
      if (batch.length === 0) throw err
      // A failed claim, or one row that cannot be written, must not lose the results of what was sent.
      this.#onSettled(batch, await this.#write(batch))
      if (!isDataError(err)) throw err
    }
    this.#deps.metrics.cycled(performance.now() - startMs)
  }

  // Only after the commit: a batch that could not be written is retried in the next cycle.
  #onSettled(batch: readonly Finished[], { notices, busy }: Cycle): void {
    this.#inFlight.recorded(batch, busy)
    this.#logFailing(notices)
  }

  #logFailing(notices: readonly FailureNotice[]): void {
    for (const { orgId, endpointId, channel, what } of notices)
      this.#deps.log.warn({ orgId, endpointId, what }, `${RECEIVERS[channel]} is failing`)
  }

  #onClaimed({ claim, refill }: Cycle, startMs: number): void {
    if (claim !== undefined) {
      this.#deps.metrics.starved(claim.starvedMs)
      if (claim.starvedMs < this.#patience.starvedMs) this.#fairAtMs = startMs
      this.#after = claim.after
      this.#claimEveryMs = nextClaimMs(this.#claimEveryMs, claim.claimed.length)
      this.#claimAtMs = claim.hasMore ? 0 : startMs + this.#claimEveryMs
      this.#backlogged = new Set(claim.backlogged)
    }
    for (const endpointId of refill?.drained ?? []) this.#backlogged.delete(endpointId)
    const taken = claim ?? refill
    if (taken === undefined) return
    this.#inFlight.begin(taken.claimed.length)
    this.#send(taken.claimed)
  }

  /** An attempt the database rejects is left out and later counts as lost; the rest of the batch is written. */
  async #write(batch: readonly EndedAttempt[]): Promise<Cycle> {
    try {
      return await settle(this.#settling, batch)
    } catch (err) {
      if (!isDataError(err)) throw err
      const [only] = batch
      if (only !== undefined && batch.length === 1) {
        this.#deps.log.error({ err, deliveryId: only.deliveryId }, 'attempt not recorded')
        return { notices: [], busy: new Set() }
      }
      const parts = await Promise.all(halves(batch).map((half) => this.#write(half)))
      return {
        notices: parts.flatMap(({ notices }) => notices),
        busy: new Set(parts.flatMap(({ busy }) => [...busy])),
      }
    }
  }

  /** Once per second: finds the range of pending deliveries, and attempts that were lost. */
  async #poll(): Promise<Horizon> {
    const nowMs = performance.now()
    if (this.#horizon !== undefined && nowMs < this.#pollAtMs) return this.#horizon
    const { database, log, metrics } = this.#deps
    const isCounting = nowMs >= this.#countAtMs
    this.#isNew = false
    const { horizon, isBusy, lost, due } = await pollDeliveries(database, isCounting)
    if (due !== undefined) {
      metrics.due(due)
      this.#countAtMs = nowMs + COUNT_EVERY_MS
    }
    this.#horizon = horizon
    this.#rest(!isBusy && lost.length === 0)
    this.#pollAtMs = nowMs + (this.#isResting ? REST_MS : POLL_INTERVAL_MS)
    if (lost.length === 0) return horizon
    const ended = lost.map((one) => ({ ...one, result: LOST }))
    const { notices } = await settle(this.#settling, ended)
    this.#logFailing(notices)
    for (const { channel } of lost) metrics.attempted(channel, 'WORKER_LOST')
    log.warn({ attempts: lost.length }, 'attempts were lost')
    return horizon
  }

  /** What was committed while polling is not in what the poll found. */
  #rest(isQuiet: boolean): void {
    const isAlone = this.#deps.signal?.isAlone === true
    this.#isResting = isQuiet && isAlone && !this.#isNew && this.#inFlight.count === 0
    if (this.#isResting) this.#fairAtMs = performance.now()
  }

  /** Polls first: the delivery may be older than the range that is known. */
  #onNew(): void {
    this.#isNew = true
    if (!this.#isResting) return
    this.#isResting = false
    this.#pollAtMs = 0
    this.#claimAtMs = 0
    this.#inFlight.wake()
  }

  #send(claimed: readonly ClaimedAttempt[]): void {
    const startMs = performance.now()
    for (const [name, own] of Map.groupBy(claimed, ({ channel }) => channel)) {
      const operation = `delivery ${name}`
      const ready = watched(operation, () => this.#prepare(name, own))
      for (const one of own) {
        const span = startDeliverySpan(this.#deps.tracer, one)
        void watched(operation, () => this.#sendOne(ready, one)).then((result) => {
          const outcome = result.errorCode ?? result.outcome
          this.#deps.metrics.attempted(name, outcome)
          span?.end({ 'upvane.outcome': outcome }, result.outcome !== 'SUCCEEDED')
          this.#inFlight.finish({ ...one, result, atMs: startMs })
        })
      }
    }
  }

  async #prepare(name: ChannelName, claimed: readonly ClaimedAttempt[]): Promise<Send> {
    const channel = this.#deps.channels[name]
    if (channel === undefined) throw new Error(`There is no channel ${name}`)
    return channel.prepare(claimed)
  }

  async #sendOne(ready: Promise<Send>, one: ClaimedAttempt): Promise<SendResult> {
    try {
      const send = await ready
      return await send(one, ATTEMPT_MS)
    } catch (err) {
      this.#deps.log.error({ err, deliveryId: one.deliveryId }, 'delivery could not be sent')
      return { ...LOST, error: 'It could not be sent, by a fault of the sender' }
    }
  }

  /**
   * Waits for the next claim or the first finished attempt, then for up to half of what is in flight. So batches form,
   * and one half is sent while the other is recorded.
   */
  async #pause(): Promise<void> {
    const inFlight = this.#inFlight
    const mayClaim = !this.#isStopping && inFlight.count < MAX_PER_PROCESS
    const nextMs = this.#isResting ? this.#pollAtMs : this.#claimAtMs
    const untilClaimMs = mayClaim ? nextMs - performance.now() : CLAIM_EVERY_MS
    if (inFlight.fresh === 0 && untilClaimMs > 0) await inFlight.sleep(untilClaimMs, 1)
    const half = Math.ceil(inFlight.count / 2)
    if (inFlight.fresh < half)
      await inFlight.sleep(LEAST_GATHER_MS + inFlight.count * GATHER_MS_PER_REQUEST, half)
  }
}

function halves<T>(batch: readonly T[]): (readonly T[])[] {
  const middle = Math.ceil(batch.length / 2)
  return [batch.slice(0, middle), batch.slice(middle)]
}
