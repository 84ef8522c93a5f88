// The product with status pages, and a client that can send any Host.
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '../../../tools/stack.ts'
import { type ProductFixture, startProduct } from '../../kit/fixture.ts'
import { toUuid } from '../../kit/ids.ts'
import { World } from './world.ts'

const POLL_MS = 50
const GIVE_UP_MS = 10_000

export type Reply = {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
  /** Until the first byte of the response body, or its end. */
  firstByteMs: number
}
type PageRequest = {
  method?: string
  host?: string
  headers?: OutgoingHttpHeaders
  body?: string
  agent?: false
}

/** Reads public resources. Redirects are not followed. */
export function read(baseUrl: string, path: string, options: PageRequest = {}): Promise<Reply> {
  const { hostname, port } = new URL(baseUrl)
  const { method = 'GET', host, headers = {}, body } = options
  const startedMs = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const outgoing = request({
    hostname,
    port,
    path,
    method,
    headers: { ...(host !== undefined && { Host: host }), ...headers },
    timeout: GIVE_UP_MS,
  })
  outgoing.on('error', reject)
  outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer from ${path}`)))
  outgoing.on('response', (incoming) => {
    const firstByteMs = performance.now() - startedMs
    const { statusCode: status = 0, headers: received } = incoming
    buffer(incoming).then(
      (bytes) =>
        resolve({ status, headers: received, body: bytes, text: bytes.toString(), firstByteMs }),
      reject,
    )
  })
  outgoing.end(body)
  return promise
}

export type PagesFixture = ProductFixture & {
  world: World
  read(path: string, options?: PageRequest): Promise<Reply>
}

export async function startPagesFixture(env: Environment = {}): Promise<PagesFixture> {
  const fixture = await startProduct({ env })
  const world = new World(fixture.db, toUuid(fixture.orgId))
  return {
    ...fixture,
    world,
    read: (path, options) => read(fixture.service.baseUrl, path, options),
  }
}

/** Repeats the request until the response matches; returns how long that took. */
export async function until(
  options: () => Promise<Reply>,
  pleases: (reply: Reply) => boolean,
  withinMs = GIVE_UP_MS,
): Promise<number> {
  const startedMs = performance.now()
  for (;;) {
    const reply = await options()
    const waitedMs = performance.now() - startedMs
    if (pleases(reply)) return waitedMs
    if (waitedMs > withinMs)
      throw new Error(`Not within ${withinMs} ms: ${reply.status} ${reply.text.slice(0, 300)}`)
    await delay(POLL_MS)
  }
}

/** Text as a visitor sees it: no styles, no tags, collapsed whitespace. */
export function textOf(document: string): string {
  return document
    .replaceAll(/<(style|title|script)\b[^]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
}
