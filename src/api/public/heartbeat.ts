// Where jobs call: /hb/{token}, with /start, /fail, /log or an exit code behind it. Calls of a moment are
// recorded together, and each is answered after it is committed.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RecordDeps } from '../../actions/results/record.ts'
import { type Ping, type PingOutcome, recordPings } from '../../actions/results/record-pings.ts'
import { parseSignal, type Signal } from '../../domain/monitors/heartbeat.ts'
import { ApiError, methodNotAllowed } from '../../platform/api-error.ts'
import { Lanes } from '../../platform/limits/batcher.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Surface, SurfaceRequest, Target } from '../http/server.ts'
import { HeldReports } from './held-reports.ts'
import { TokenThrottle } from './token-throttle.ts'

type HeartbeatDeps = RecordDeps & { log: Log }

const GATHERING = { gatherMs: 10, gatherMoreMs: 10, maxBatch: 500, many: 100, maxLanes: 2 }
const MAX_BODY_BYTES = 10_000
const MAX_RID_LENGTH = 100
// A report of the minute's last moment may still be under way when the minute ends.
const SETTLE_MS = 200
const ALLOW = 'GET, HEAD, POST'
const METHODS = new Set(ALLOW.split(', '))
const TOKEN = /^[A-Za-z0-9_-]{16,64}$/
const OK = '{"ok":true}'
const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': OK.length,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

type Waiting = { ping: Ping; settle(outcome: PingOutcome): void; fail(error: unknown): void }

export function heartbeatSurface(deps: HeartbeatDeps): Surface & { stop(): Promise<void> } {
  const throttle = new TokenThrottle()
  const desk = new Desk(deps)
  const held = new HeldReports((ping) => desk.record(ping), deps.log)
  return {
    prefix: '/hb',
    async stop() {
      await held.flush()
      await desk.drained()
    },
    async serve(request, response, target) {
      const receivedMs = performance.now()
      if (!METHODS.has(request.method ?? '')) throw methodNotAllowed(ALLOW)
      const call = parseCall(target)
      if (call === undefined) throw noSuchHeartbeat()
      const isAdmitted = throttle.admits(call.token, receivedMs)
      // Beyond the limit only what may change the state is looked at.
      if (!isAdmitted && !isReport(call.signal)) return reply(request, response)
      // At once, so that an older report whose time comes now is not applied after it.
      if (isAdmitted && isReport(call.signal)) held.supersede({ ...call, receivedMs })
      const mayChange = isAdmitted ? {} : { mayChange: () => throttle.mayChange(call.token) }
      await record({ ...call, receivedMs, ...mayChange }, request)
      reply(request, response)
    },
  }

  async function record(call: Omit<Ping, 'body'>, request: SurfaceRequest): Promise<void> {
    const { ping, outcome } = await tryRecord(call, request)
    if (outcome === 'NO_MONITOR') {
      throttle.forget(ping.token)
      throw noSuchHeartbeat()
    }
    const nowMs = performance.now()
    const delayMs = throttle.endsMs(ping.token, nowMs) + SETTLE_MS - nowMs
    if (outcome === 'REFUSED') held.hold(ping, delayMs)
    else if (isReport(ping.signal)) held.supersede(ping)
  }

  async function tryRecord(call: Omit<Ping, 'body'>, request: SurfaceRequest) {
    try {
      const body = request.method === 'POST' ? await readStart(request) : null
      const ping = { ...call, body }
      return { ping, outcome: await desk.record(ping) }
    } catch (err) {
      deps.log.error({ requestId: request.requestId, err }, 'heartbeat failed')
      // Not a 2xx: a job that repeats its ping loses nothing.
      throw new ApiError('internal_error', 'Something failed on our side.')
    }
  }
}

const isReport = (signal: Signal): boolean => signal === 'SUCCESS' || signal === 'FAIL'

/** Calls of a moment in one transaction. */
class Desk {
  readonly #deps: HeartbeatDeps
  readonly #lanes = new Lanes<Waiting>({
    ...GATHERING,
    work: (batch) => watched('record pings', () => this.#record(batch)),
  })

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps
  }

  record(ping: Ping): Promise<PingOutcome> {
    return new Promise((settle, fail) => this.#lanes.add({ ping, settle, fail }))
  }

  drained(): Promise<void> {
    return this.#lanes.drained()
  }

  async #record(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await recordPings(
        this.#deps,
        batch.map(({ ping }) => ping),
      )
      batch.forEach(({ settle }, index) => settle(outcomes[index] ?? 'NO_MONITOR'))
    } catch (error) {
      for (const { fail } of batch) fail(error)
    }
  }
}

function parseCall({
  path,
  query,
}: Target): { token: string; signal: Signal; rid: string | null } | undefined {
  const [, , token = '', suffix = '', ...more] = path.split('/')
  const signal = parseSignal(suffix)
  if (more.length > 0 || signal === undefined || !TOKEN.test(token) || path.endsWith('/'))
    return undefined
  const rid = query === '' ? null : new URLSearchParams(query).get('rid')
  return {
    token,
    signal,
    rid: rid === null || rid === '' ? null : clean(rid).slice(0, MAX_RID_LENGTH),
  }
}

/** The first 10 kB as text; whatever a job sends more is read and dropped. */
async function readStart(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size < MAX_BODY_BYTES) chunks.push(chunk.subarray(0, MAX_BODY_BYTES - size))
    size += chunk.length
  }
  return size === 0 ? null : clean(Buffer.concat(chunks).toString())
}

/** PostgreSQL takes neither U+0000 nor half a character. */
function clean(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

const noSuchHeartbeat = (): ApiError => new ApiError('not_found', 'No such heartbeat address.')

function reply({ requestId }: SurfaceRequest, response: ServerResponse): void {
  response.writeHead(200, { ...HEADERS, 'X-Request-Id': requestId }).end(OK)
}
