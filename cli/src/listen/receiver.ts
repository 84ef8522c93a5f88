// The server that receives deliveries. It listens on loopback only, because it is for development.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CommandError } from '../command.ts'
import { type Delivery, judge, parseEvent, SeenIds, typeOf, type Verdict } from './delivery.ts'
import { type Forwarded, forward } from './forward.ts'
import { readBounded } from './read-bounded.ts'

export type ReceiverResponse = { status: number; forwarded?: Forwarded }

type ReceiverOptions = {
  /** 0 for any free port. */
  port: number
  /** Read for every delivery, because a secret may be added after the start. */
  secrets: readonly string[]
  forwardTo?: URL
  /** The status of every response, instead of the one the verdict suggests. */
  status?: number
  report(delivery: Delivery, answer: ReceiverResponse): void
  /** A request that is not a delivery. */
  reportOther(what: string): void
}

type Receiver = { url: string; stop(): Promise<void> }

const HOST = '127.0.0.1'
const LEAVE_MS = 300
const MAX_BODY_BYTES = 16 * 1024 * 1024

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const seen = new SeenIds()
  const server = createServer((request, response) => {
    receive(request, response, options, seen).catch((error: Error) => {
      // The sender may disconnect while sending. Anything else is a bug.
      if (request.errored === null) throw error
      options.reportOther(`a request that broke off (${error.message})`)
    })
  })
  try {
    server.listen(options.port, HOST)
    await once(server, 'listening')
  } catch (error) {
    throw toCommandError(error, options.port)
  }
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${HOST}:${port}/`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      // Responses just written still have to be sent.
      const cut = setTimeout(() => server.closeAllConnections(), LEAVE_MS)
      await closed
      clearTimeout(cut)
    },
  }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReceiverOptions,
  seen: SeenIds,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405, { Allow: 'POST' }).end()
    return options.reportOther(`${request.method} ${request.url}, answered 405: only POST`)
  }
  const { bytes: body, isWhole } = await readBounded(request, MAX_BODY_BYTES)
  if (!isWhole) {
    response.writeHead(413, { Connection: 'close' }).end()
    return options.reportOther(`a body over ${MAX_BODY_BYTES} bytes, answered 413`)
  }
  const delivery = await toDelivery(request, body, options.secrets, seen)
  const answer = await respondTo(delivery.verdict, request.rawHeaders, body, options)
  const { headers, body: text } = answer.forwarded ?? {}
  response.writeHead(answer.status, headers).end(text)
  options.report(delivery, answer)
}

async function toDelivery(
  { headers }: IncomingMessage,
  body: Buffer,
  secrets: readonly string[],
  seen: SeenIds,
): Promise<Delivery> {
  const receivedAt = new Date()
  const event = parseEvent(body)
  const id = String(headers['webhook-id'] ?? '')
  const verdict = await judge(headers, body, secrets)
  const timesSeen = id === '' ? 1 : seen.count(id)
  return { receivedAt, headers, body, verdict, event, id, type: typeOf(event), timesSeen }
}

async function respondTo(
  verdict: Verdict,
  rawHeaders: string[],
  body: Buffer,
  { forwardTo, status }: ReceiverOptions,
): Promise<ReceiverResponse> {
  if (forwardTo !== undefined) {
    const forwarded = await forward(forwardTo, rawHeaders, body)
    return { status: forwarded.status, forwarded }
  }
  return { status: status ?? (verdict.verified === false ? 400 : 204) }
}

function toCommandError(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new CommandError(1, `port ${port} is taken. Choose another with --port.`)
  if (code === 'EACCES') return new CommandError(1, `port ${port} is not yours to listen on.`)
  return error
}
