// Sends what is due: settle what has ended, claim what is due, send it. One round after the other, because a
// claim leaves out the endpoints that a settlement holds.
import { type SendResult, sendWebhook } from '../channels/webhook.ts'
import type { Secret } from '../domain/signature.ts'
import type { WebhookClient } from '../outbound/webhook-client.ts'
import type { DispatcherMetrics } from '../platform/dispatcher-metrics.ts'
import type { Log } from '../platform/log.ts'
import { type Database, isDataError } from '../store/db.ts'
import {
  type Claimed,
  findHorizon,
  findLost,
  type Horizon,
  readByIndex,
} from '../store/delivery-queue.ts'
import type { OrganizationSecrets } from '../store/organization-secrets.ts'
import { openSecrets } from '../store/webhook-endpoints.ts'
import { CLAIM_SECONDS, claimDue, FIRST_ENDPOINT } from './dispatcher-claim.ts'
import { type Ended, LOST, type Notice, settle } from './dispatcher-settle.ts'
import { MAX_PER_PROCESS } from './dispatcher-share.ts'

export type DispatcherDeps = {
  database: Database
  secrets: OrganizationSecrets
  client: WebhookClient
  log: Log
  metrics: DispatcherMetrics
  scheduleSeconds: readonly number[]
}

const CLAIM_EVERY_MS = 100
const LOOK_ROUND_MS = 1000
// The more is in hand, the longer a round waits for more of it to end: a batch costs little more than one.
const LEAST_GATHER_MS = 4
const GATHER_MS_PER_REQUEST = 0.06
const AFTER_FAULT_MS = 500
const MAX_LOST = 200

type Finished = Ended & { atMs: number }

export function startDispatcher(deps: DispatcherDeps): { stop(): Promise<void> } {
  const dispatcher = new Dispatcher(deps)
  const running = dispatcher.run()
  return {
    async stop() {
      dispatcher.finish()
      await running
    },
  }
}

function halves<T>(batch: readonly T[]): (readonly T[])[] {
  const middle = Math.ceil(batch.length / 2)
  return [batch.slice(0, middle), batch.slice(middle)]
}

class Dispatcher {
  readonly #deps: DispatcherDeps
  #horizon: Horizon | undefined
  #after = FIRST_ENDPOINT
  #inHand = 0
  #finished: Finished[] = []
  /** Endpoints that had more due than they could take. */
  #hungry = new Set<string>()
  #claimAtMs = 0
  #lookAtMs = 0
  #isStopping = false
  #wake = () => {}

  constructor(deps: DispatcherDeps) {
    this.#deps = deps
    deps.metrics.watchInFlight(() => this.#inHand)
  }

  /** Ends when it was told to finish and everything in hand is recorded. */
  async run(): Promise<void> {
    while (!this.#isStopping || this.#inHand > 0) {
      let waitMs = 0
      try {
        await this.#settle()
        if (!this.#isStopping) await this.#claim()
      } catch (err) {
        this.#deps.log.error({ err }, 'webhook round failed')
        waitMs = AFTER_FAULT_MS
      }
      await this.#pause(Math.max(waitMs, LEAST_GATHER_MS + this.#inHand * GATHER_MS_PER_REQUEST))
    }
  }

  finish(): void {
    this.#isStopping = true
    this.#wake()
  }

  async #settle(): Promise<void> {
    this.#dropExpired()
    const batch = [...this.#finished]
    if (batch.length === 0) return
    const startMs = performance.now()
    const notices = await this.#write(batch)
    this.#deps.metrics.settled(performance.now() - startMs)
    // Only now: a batch that could not be written is tried again with the next round.
    this.#finished = this.#finished.slice(batch.length)
    this.#inHand -= batch.length
    for (const { endpointId, what } of notices)
      this.#deps.log.warn({ endpointId, what }, 'webhook endpoint is failing')
    if (batch.some(({ endpointId }) => this.#hungry.has(endpointId))) this.#claimAtMs = 0
  }

  /** What the database refuses is left out and becomes a lost attempt; the rest of its batch is written. */
  async #write(batch: readonly Ended[]): Promise<Notice[]> {
    const deps = { ...this.#deps, random: Math.random }
    try {
      return await settle(deps, batch)
    } catch (err) {
      if (!isDataError(err)) throw err
      const [only] = batch
      if (only === undefined || batch.length > 1)
        return (await Promise.all(halves(batch).map((half) => this.#write(half)))).flat()
      this.#deps.log.error({ err, deliveryId: only.deliveryId }, 'webhook attempt not recorded')
      return []
    }
  }

  // What could not be recorded in time is taken for lost by everybody, and must not fill the room for ever.
  #dropExpired(): void {
    const oldestMs = performance.now() - CLAIM_SECONDS * 1000
    const kept = this.#finished.filter(({ atMs }) => atMs > oldestMs)
    this.#inHand -= this.#finished.length - kept.length
    this.#finished = kept
  }

  async #claim(): Promise<void> {
    const startMs = performance.now()
    const horizon = await this.#lookRound(startMs)
    const room = MAX_PER_PROCESS - this.#inHand
    if (startMs < this.#claimAtMs || room === 0) return
    const { database, metrics } = this.#deps
    const claim = await claimDue(database, { horizon, after: this.#after, room })
    metrics.claimed(performance.now() - startMs)
    metrics.oldestDue(claim.now.getTime() - (claim.oldestDueAt ?? claim.now).getTime())
    this.#after = claim.after
    this.#claimAtMs = claim.isCramped ? 0 : startMs + CLAIM_EVERY_MS
    const hungry = claim.claimed.filter(({ laneHasMore }) => laneHasMore)
    this.#hungry = new Set(hungry.map(({ endpointId }) => endpointId))
    this.#inHand += claim.claimed.length
    if (claim.claimed.length > 0) await this.#send(claim.claimed)
  }

  /** Once a second: where pending deliveries lie, and whose attempts were lost. */
  async #lookRound(nowMs: number): Promise<Horizon> {
    if (this.#horizon !== undefined && nowMs < this.#lookAtMs) return this.#horizon
    const { database, log, metrics } = this.#deps
    const { horizon, lost } = await database.transaction(undefined, async (tx) => {
      await readByIndex(tx)
      const found = await findHorizon(tx)
      return { horizon: found, lost: await findLost(tx, MAX_LOST) }
    })
    this.#horizon = horizon
    this.#lookAtMs = nowMs + LOOK_ROUND_MS
    if (lost.length === 0) return horizon
    const ended = lost.map((one) => ({ ...one, url: null, result: LOST }))
    await settle({ ...this.#deps, random: Math.random }, ended)
    for (const _ of lost) metrics.attempted('WORKER_LOST')
    log.warn({ attempts: lost.length }, 'webhook attempts were lost')
    return horizon
  }

  async #send(claimed: readonly Claimed[]): Promise<void> {
    const startMs = performance.now()
    const opened = await this.#openSecrets(claimed)
    for (const one of claimed) {
      const secrets = opened.get(one.endpointId) ?? []
      void this.#sendOne(one, secrets).then((result) => {
        this.#deps.metrics.attempted(result.errorCode ?? result.outcome)
        this.#finished.push({ ...one, result, atMs: startMs })
        this.#wake()
      })
    }
  }

  async #sendOne(one: Claimed, secrets: readonly Secret[]): Promise<SendResult> {
    try {
      return await sendWebhook(this.#deps.client, { ...one, sentAt: one.startedAt, secrets })
    } catch (err) {
      this.#deps.log.error({ err, deliveryId: one.deliveryId }, 'webhook could not be sent')
      return { ...LOST, error: 'It could not be sent, by a fault of the sender' }
    }
  }

  /** One organization whose secrets do not open must not keep the others' events. */
  async #openSecrets(claimed: readonly Claimed[]): Promise<Map<string, Secret[]>> {
    const { database, secrets, log } = this.#deps
    const endpointIds = [...new Set(claimed.map(({ endpointId }) => endpointId))]
    const all = await openSecrets(database, secrets, endpointIds).catch(() => undefined)
    if (all !== undefined) return all
    const opened = new Map<string, Secret[]>()
    for (const endpointId of endpointIds)
      try {
        const own = await openSecrets(database, secrets, [endpointId])
        opened.set(endpointId, own.get(endpointId) ?? [])
      } catch (err) {
        log.error({ err, endpointId }, 'webhook secrets do not open')
      }
    return opened
  }

  /** Until the next claim, or until something has ended; never shorter than `leastMs`, so that batches form. */
  #pause(leastMs: number): Promise<void> {
    const mayClaim = !this.#isStopping && this.#inHand < MAX_PER_PROCESS
    const untilClaimMs = mayClaim ? this.#claimAtMs - performance.now() : CLAIM_EVERY_MS
    const hasWork = this.#finished.length > 0 || untilClaimMs <= leastMs
    return new Promise((resolve) => {
      let timer = setTimeout(resolve, hasWork ? leastMs : untilClaimMs)
      this.#wake = () => {
        this.#wake = () => {}
        if (hasWork) return
        clearTimeout(timer)
        timer = setTimeout(resolve, leastMs)
      }
    })
  }
}
