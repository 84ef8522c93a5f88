// Where jobs call: /hb/{token}, with /start, /fail, /log or an exit code behind it. Calls of a moment are
// recorded together, and each is answered after it is committed.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Ping, recordPings } from '../actions/record-pings.ts'
import type { RecordDeps } from '../actions/record-results.ts'
import { parseSignal, type Signal } from '../domain/heartbeat.ts'
import { Lanes } from '../platform/lanes.ts'
import type { Log } from '../platform/log.ts'
import type { Surface, Target } from './server.ts'
import { TokenThrottle } from './token-throttle.ts'

export type HeartbeatDeps = RecordDeps & { log: Log }

const GATHERING = { gatherMs: 10, gatherMoreMs: 10, maxBatch: 500, many: 100, maxLanes: 2 }
const MAX_BODY_BYTES = 10_000
const MAX_RID_LENGTH = 100
const METHODS = new Set(['GET', 'HEAD', 'POST'])
const TOKEN = /^[A-Za-z0-9_-]{16,64}$/
const OK = '{"ok":true}'
const NOT_FOUND = '{"ok":false}'
const headersOf = (body: string) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': body.length,
  'Cache-Control': 'no-store',
})
const HEADERS = { [OK]: headersOf(OK), [NOT_FOUND]: headersOf(NOT_FOUND) }

type Waiting = { ping: Ping; settle(found: boolean): void; fail(error: unknown): void }

export function heartbeatSurface(deps: HeartbeatDeps): Surface & { stop(): Promise<void> } {
  const throttle = new TokenThrottle()
  const desk = new Desk(deps)
  return {
    prefix: '/hb',
    stop: () => desk.drained(),
    async serve(request, response, target) {
      const receivedMs = performance.now()
      if (!METHODS.has(request.method ?? '')) return reply(response, 405, NOT_FOUND)
      const call = parseCall(target)
      if (call === undefined) return reply(response, 404, NOT_FOUND)
      if (!throttle.admits(call.token, receivedMs)) return reply(response, 200, OK)
      try {
        const body = request.method === 'POST' ? await readStart(request) : null
        const found = await desk.record({ ...call, body, receivedMs })
        if (!found) throttle.forget(call.token)
        reply(response, found ? 200 : 404, found ? OK : NOT_FOUND)
      } catch (err) {
        deps.log.error({ requestId: request.requestId, err }, 'heartbeat failed')
        // Not a 2xx: a job that repeats its call loses nothing.
        reply(response, 500, NOT_FOUND)
      }
    },
  }
}

/** Calls of a moment in one transaction. */
class Desk {
  readonly #deps: HeartbeatDeps
  readonly #lanes = new Lanes<Waiting>({ ...GATHERING, work: (batch) => this.#record(batch) })

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps
  }

  /** Whether there is such a monitor. */
  record(ping: Ping): Promise<boolean> {
    return new Promise((settle, fail) => this.#lanes.add({ ping, settle, fail }))
  }

  drained(): Promise<void> {
    return this.#lanes.drained()
  }

  async #record(batch: readonly Waiting[]): Promise<void> {
    try {
      const found = await recordPings(
        this.#deps,
        batch.map(({ ping }) => ping),
      )
      batch.forEach(({ settle }, index) => settle(found[index] === true))
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

function reply(response: ServerResponse, status: number, body: typeof OK | typeof NOT_FOUND): void {
  response.writeHead(status, HEADERS[body]).end(body)
}
