// All followers of organizations' changes on this process. One query per second finds the changes of all followed
// organizations, however many followers they have. Each message is encoded once for all its recipients.
import type { ServerResponse } from 'node:http'
import {
  type ChangePosition,
  isAtLeast,
  isTooOld,
  MAX_START_TEXT,
  readPosition,
  writePosition,
} from '../../../domain/events/change-position.ts'
import { groupRows, withoutKnown } from '../../../domain/events/changed-rows.ts'
import { type ChangeRows, toChanges } from '../../../domain/events/row-change.ts'
import { ApiError } from '../../../platform/api-error.ts'
import type { StreamConfig } from '../../../platform/config/stream-config.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { StreamMetrics } from '../../../platform/metrics/stream-metrics.ts'
import { watched } from '../../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { Db } from '../../../store/core/db.ts'
import type { Tenants } from '../../../store/core/tenants.ts'
import { type FoundChanges, findChanges, findPosition } from '../../../store/events/changes.ts'
import { findEndedFollowing } from '../../../store/people/sessions.ts'
import type { Follow } from '../../http/contexts.ts'
import { type EndReason, EventStream, encodeKeepalive, encodeMessage } from './event-stream.ts'

type StreamsDeps = {
  /** As upvane_engine: one query covers many organizations. */
  engine: Db
  people: Db
  tenants: Tenants
  limits: StreamConfig
  log: Log
  metrics: Metrics
}

const POLL_INTERVAL_MS = 1_000
// Slow polls run less often: polling uses at most a tenth of one connection's time.
const POLL_REST_FACTOR = 10
const MAX_POLL_INTERVAL_MS = 10_000
const CHECK_INTERVAL_MS = 2_000
const KEEPALIVE_INTERVAL_MS = 15_000
const RETRY_AFTER_SECONDS = 10
// A position found for readers is used again for this long: an older one only replays more.
const REUSE_POSITION_MS = 1_000

const OPERATION = 'event streams'

type Follower = Follow & { stream: EventStream; position: ChangePosition | undefined }

export class Streams {
  readonly #deps: StreamsDeps
  readonly #followers = new Set<Follower>()
  /** Open streams per session, person and organization. */
  readonly #open = new Map<string, number>()
  readonly #timers: NodeJS.Timeout[]
  readonly #metrics: StreamMetrics
  /** Polls and joins are serialized: a follower that joins is in the next poll, and in none already running. */
  #queue: Promise<void> = Promise.resolve()
  #position: ChangePosition | undefined
  /** For readers while nobody follows. */
  #recent: { untilMs: number; position: Promise<ChangePosition> } | undefined
  #pollTimer: NodeJS.Timeout | undefined
  #count = 0
  #isChecking = false
  #isStopping = false

  constructor(deps: StreamsDeps) {
    this.#deps = deps
    this.#metrics = new StreamMetrics(deps.metrics.registry, () => this.#count)
    this.#timers = [
      setInterval(() => watched(OPERATION, () => this.#checkFollowers()), CHECK_INTERVAL_MS),
      setInterval(() => watched(OPERATION, () => this.#sendKeepalives()), KEEPALIVE_INTERVAL_MS),
    ]
  }

  /** Throws before anything is written if there are too many; returns once the stream has started. */
  async open(follow: Follow, response: ServerResponse): Promise<void> {
    if (response.closed) return
    this.#refuseTooMany(follow)
    this.#tally(follow, 1)
    const stream = new EventStream(response, (reason) => this.#leave(follower, reason))
    const follower: Follower = { ...follow, stream, position: undefined }
    if (this.#isStopping) {
      stream.begin(follow.requestId)
      return stream.end('STOPPING')
    }
    // Whatever happens, the response closes once, and the count drops with it.
    await this.#runInOrder(() => this.#join(follower))
  }

  /** Where a stream starts that misses nothing of what is read after this call. Undefined if it cannot be determined:
   * the stream then starts with its first message. */
  async findStart(): Promise<string | undefined> {
    try {
      const text = writePosition(this.#position ?? (await this.#findRecent()))
      return text.length > MAX_START_TEXT ? undefined : text
    } catch (err) {
      this.#recent = undefined
      this.#deps.log.warn({ err }, 'the position of changes could not be read')
      return undefined
    }
  }

  /** Asks all clients to reconnect, to another process or to the next one. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers) clearInterval(timer)
    clearTimeout(this.#pollTimer)
    await this.#queue
    for (const { stream } of this.#followers) stream.end('STOPPING')
  }

  #findRecent(): Promise<ChangePosition> {
    const nowMs = performance.now()
    if (this.#recent === undefined || this.#recent.untilMs < nowMs)
      this.#recent = {
        untilMs: nowMs + REUSE_POSITION_MS,
        position: findPosition(this.#deps.engine),
      }
    return this.#recent.position
  }

  #refuseTooMany(follow: Follow): void {
    const { perProcess, perSession, perUser, perOrganization } = this.#deps.limits
    const limits = [perSession, perUser, perOrganization]
    const isWithin = holdersOf(follow).every((holder, i) => {
      return (this.#open.get(holder) ?? 0) < (limits[i] ?? 0)
    })
    if (this.#count < perProcess && isWithin) return
    throw new ApiError('rate_limited', 'Too many streams are open. Close one, or try later.', {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    })
  }

  #tally(follow: Follow, change: 1 | -1): void {
    this.#count += change
    for (const holder of holdersOf(follow)) {
      const left = (this.#open.get(holder) ?? 0) + change
      if (left > 0) this.#open.set(holder, left)
      else this.#open.delete(holder)
    }
  }

  #leave(follower: Follower, reason: EndReason): void {
    this.#followers.delete(follower)
    this.#tally(follower, -1)
    this.#metrics.ended(reason)
    const { requestId, orgId } = follower
    this.#deps.log.info({ requestId, orgId, reason }, 'stream ended')
  }

  #runInOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => {})
    return done
  }

  async #join(follower: Follower): Promise<void> {
    const { stream, requestId, lastEventId } = follower
    this.#position ??= await findPosition(this.#deps.engine)
    const now = this.#position
    const found = lastEventId === '' ? undefined : await this.#replay(follower, now)
    if (stream.isOver) return
    stream.begin(requestId)
    if (this.#isStopping) return stream.end('STOPPING')
    follower.position = found?.position ?? now
    stream.send(firstMessage(follower.position, lastEventId, found))
    this.#followers.add(follower)
    this.#schedulePoll(POLL_INTERVAL_MS)
  }

  /** The changes since the given id; undefined if they cannot be determined. */
  async #replay(
    { orgId, lastEventId }: Follower,
    now: ChangePosition,
  ): Promise<FoundChanges | undefined> {
    const { tenants, limits } = this.#deps
    const from = readPosition(lastEventId)
    if (from === undefined || isTooOld(from, now.at, limits.replaySeconds)) return undefined
    const found = await findChanges(tenants.of(orgId), [orgId], from)
    // A position ahead of ours comes from another database, or from this one before a restore.
    return isAtLeast(found.position, from) ? found : undefined
  }

  #schedulePoll(waitMs: number): void {
    if (this.#isStopping) return
    this.#pollTimer ??= setTimeout(() => {
      const startedMs = performance.now()
      watched(OPERATION, () => this.#runInOrder(() => this.#poll()))
        .catch((err: unknown) => this.#deps.log.warn({ err }, 'changes could not be read'))
        .finally(() => {
          this.#pollTimer = undefined
          const tookMs = performance.now() - startedMs
          const restMs = Math.min(tookMs * POLL_REST_FACTOR, MAX_POLL_INTERVAL_MS)
          if (this.#position !== undefined) this.#schedulePoll(Math.max(POLL_INTERVAL_MS, restMs))
        })
    }, waitMs)
  }

  async #poll(): Promise<void> {
    const before = this.#position
    if (this.#followers.size === 0 || before === undefined) {
      this.#position = undefined
      return
    }
    const startedMs = performance.now()
    const orgIds = [...new Set([...this.#followers].map(({ orgId }) => orgId))]
    const found = await findChanges(this.#deps.engine, orgIds, before)
    this.#metrics.polled(performance.now() - startedMs)
    this.#publish(before, found)
    this.#position = found.position
  }

  #publish(before: ChangePosition, { position, rows }: FoundChanges): void {
    const id = writePosition(position)
    const rowsOf = groupRows(rows)
    const messages = new Map<string, Buffer | undefined>()
    for (const follower of this.#followers) {
      const { orgId, stream, position: reached } = follower
      const own = rowsOf.get(orgId)
      if (reached === before) {
        if (own !== undefined && !messages.has(orgId)) messages.set(orgId, messageOf(id, own))
        const message = messages.get(orgId)
        if (message !== undefined) stream.send(message)
        follower.position = position
        continue
      }
      // Came from another process, whose last poll was later than ours.
      const message = own && reached && messageOf(id, withoutKnown(own, reached))
      if (message !== undefined) stream.send(message)
      if (reached === undefined || isAtLeast(position, reached)) follower.position = position
    }
  }

  #checkFollowers(): void {
    const followers = [...this.#followers]
    if (followers.length === 0 || this.#isChecking) return
    this.#isChecking = true
    findEndedFollowing(this.#deps.people, followers)
      .then((ended) => {
        const over = new Set(ended.map(({ sessionUuid, orgId }) => `${sessionUuid} ${orgId}`))
        for (const { sessionUuid, orgId, stream } of followers)
          if (over.has(`${sessionUuid} ${orgId}`)) stream.end('NOT_ALLOWED')
      })
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'followers could not be checked'))
      .finally(() => {
        this.#isChecking = false
      })
  }

  #sendKeepalives(): void {
    const signs = new Map<ChangePosition, Buffer>()
    for (const { stream, position } of this.#followers) {
      if (position === undefined) continue
      const sign = signs.get(position) ?? encodeKeepalive(writePosition(position))
      signs.set(position, sign)
      stream.send(sign)
    }
  }
}

function holdersOf({ sessionUuid, userUuid, orgId }: Follow): string[] {
  return [`session ${sessionUuid}`, `user ${userUuid}`, `organization ${orgId}`]
}

function firstMessage(
  position: ChangePosition,
  lastEventId: string,
  found: FoundChanges | undefined,
): Buffer {
  const id = writePosition(position)
  if (found !== undefined) return messageOf(id, found.rows) ?? encodeKeepalive(id)
  const name = lastEventId === '' ? 'ready' : 'reset'
  return encodeMessage(name, id, { at: position.at.toISOString() })
}

function messageOf(id: string, rows: ChangeRows): Buffer | undefined {
  const changes = toChanges(rows)
  return changes && encodeMessage('changes', id, changes)
}
