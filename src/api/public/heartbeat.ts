// Receives pings from jobs: /hb/{token}, optionally with /start, /fail, /log or an exit code, and the same under tokens
// of another tool: /hb/alias/{id}/{token}. Pings that arrive together are recorded together, and each gets its response
// after the commit.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RecordDeps } from '../../actions/results/record.ts'
import {
  type PingOutcome,
  type ReceivedPing,
  recordPings,
} from '../../actions/results/record-pings.ts'
import { type PingSignal, parsePingSignal } from '../../domain/monitors/heartbeat.ts'
import { parseAliasedPing } from '../../domain/monitors/ping-alias.ts'
import { ApiError, beingMoved, methodNotAllowed } from '../../platform/api-error.ts'
import { Batcher } from '../../platform/limits/batcher.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import { toApiError } from '../http/failure.ts'
import type { RequestTarget, Surface, SurfaceRequest } from '../http/surface.ts'
import { HeldReports } from './held-reports.ts'
import { TokenThrottle } from './token-throttle.ts'

type HeartbeatDeps = RecordDeps & { log: Log }

const BATCHING = {
  gatherMs: 10,
  gatherMoreMs: 10,
  maxBatch: 500,
  backlogThreshold: 100,
  maxConcurrent: 2,
}
const MAX_BODY_BYTES = 10_000
const MAX_RID_LENGTH = 100
// A report from the end of the minute may still be in flight when the minute ends.
const SETTLE_MS = 200
const ALLOW = 'GET, HEAD, POST'
const METHODS = new Set(ALLOW.split(', '))
const TOKEN = /^[A-Za-z0-9_-]{16,64}$/
// Too short to be a token.
const ALIAS = 'alias'
const OK = '{"ok":true}'
const MOVING =
  'The organization of this heartbeat is being moved to another installation. Try again in a few minutes.'
const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': OK.length,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** `message` is what the URL itself says. */
type PingCall = Omit<ReceivedPing, 'body'> & { message: string | null }

type Waiting = {
  ping: ReceivedPing
  settle(outcome: PingOutcome): void
  fail(error: unknown): void
}

export function heartbeatSurface(deps: HeartbeatDeps): Surface & { stop(): Promise<void> } {
  const throttle = new TokenThrottle()
  const recorder = new PingRecorder(deps)
  const held = new HeldReports((ping) => recorder.record(ping), deps.log, throttle.keyOf)
  return {
    prefix: '/hb',
    async stop() {
      await held.flush()
      await recorder.drained()
    },
    async serve(request, response, target) {
      const receivedMs = performance.now()
      if (!METHODS.has(request.method ?? '')) throw methodNotAllowed(ALLOW)
      const call = parsePing(target)
      if (call === undefined) throw noSuchHeartbeat()
      const isAdmitted = throttle.admits(call.token, receivedMs)
      // Beyond the limit, only a ping that may change the state is considered.
      if (!isAdmitted && !isReport(call.signal)) return reply(request, response)
      // Immediately, so that an older held report that is due now is not applied after it.
      if (isAdmitted && isReport(call.signal)) held.supersede({ ...call, receivedMs })
      const mayChange = isAdmitted ? {} : { mayChange: () => throttle.mayChange(call.token) }
      await record({ ...call, receivedMs, ...mayChange }, request)
      reply(request, response)
    },
  }

  async function record(call: PingCall, request: SurfaceRequest): Promise<void> {
    const { ping, outcome } = await tryRecord(recorder, deps.log, call, request)
    const { verdict, monitorNo } = outcome
    if (verdict === 'NO_MONITOR') {
      throttle.forget(ping.token)
      throw noSuchHeartbeat()
    }
    // Not a 2xx either: what is recorded here now would not move along.
    if (verdict === 'MOVING') throw beingMoved(MOVING)
    const nowMs = performance.now()
    if (monitorNo !== undefined) throttle.learn(ping.token, monitorNo, nowMs)
    const delayMs = throttle.endsMs(ping.token, nowMs) + SETTLE_MS - nowMs
    if (verdict === 'REFUSED') held.hold(ping, delayMs)
    else if (isReport(ping.signal)) held.supersede(ping)
  }
}

async function tryRecord(
  recorder: PingRecorder,
  log: Log,
  { message, ...call }: PingCall,
  request: SurfaceRequest,
) {
  try {
    const sent = request.method === 'POST' ? await readStart(request) : null
    const ping = { ...call, body: sent ?? message }
    return { ping, outcome: await recorder.record(ping) }
  } catch (err) {
    // Not a 2xx: a job that retries its ping loses nothing.
    throw toApiError(err, log, request, 'heartbeat failed')
  }
}

const isReport = (signal: PingSignal): boolean => signal === 'SUCCESS' || signal === 'FAIL'

/** Records pings that arrive together in one transaction. */
class PingRecorder {
  readonly #deps: HeartbeatDeps
  readonly #batcher = new Batcher<Waiting>({
    ...BATCHING,
    work: (batch) => watched('record pings', () => this.#record(batch)),
  })

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps
  }

  record(ping: ReceivedPing): Promise<PingOutcome> {
    return new Promise((settle, fail) => this.#batcher.add({ ping, settle, fail }))
  }

  drained(): Promise<void> {
    return this.#batcher.drained()
  }

  async #record(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await recordPings(
        this.#deps,
        batch.map(({ ping }) => ping),
      )
      batch.forEach(({ settle }, index) => settle(outcomes[index] ?? { verdict: 'NO_MONITOR' }))
    } catch (error) {
      for (const { fail } of batch) fail(error)
    }
  }
}

function parsePing({ path, query }: RequestTarget): Omit<PingCall, 'receivedMs'> | undefined {
  const parts = path.split('/').slice(2)
  const given = new URLSearchParams(query)
  const rid = given.get('rid')
  const shared = { rid: rid === null || rid === '' ? null : clean(rid).slice(0, MAX_RID_LENGTH) }
  if (parts[0] !== ALIAS) {
    const own = parseOwn(parts)
    return own && { ...own, ...shared, message: null }
  }
  const aliased = parseAliasedPing(parts.slice(1), given.get('status'))
  const message = given.get('msg')
  return (
    aliased && {
      token: aliased.name,
      signal: aliased.signal,
      ...shared,
      message: message === null || message === '' ? null : clean(message).slice(0, MAX_BODY_BYTES),
    }
  )
}

type OwnPing = { token: string; signal: PingSignal }

function parseOwn(parts: readonly string[]): OwnPing | undefined {
  const [token = '', suffix = '', ...more] = parts
  const signal = parsePingSignal(suffix)
  if (more.length > 0 || signal === undefined || !TOKEN.test(token) || parts.at(-1) === '')
    return undefined
  return { token, signal }
}

/** The first 10 kB as text; the rest is read and dropped. */
async function readStart(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size < MAX_BODY_BYTES) chunks.push(chunk.subarray(0, MAX_BODY_BYTES - size))
    size += chunk.length
  }
  return size === 0 ? null : clean(Buffer.concat(chunks).toString())
}

/** PostgreSQL accepts neither U+0000 nor half a character. */
function clean(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

const noSuchHeartbeat = (): ApiError => new ApiError('not_found', 'No such heartbeat address.')

function reply({ requestId }: SurfaceRequest, response: ServerResponse): void {
  response.writeHead(200, { ...HEADERS, 'X-Request-Id': requestId }).end(OK)
}
