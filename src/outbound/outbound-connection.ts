// Outbound access for one attempt: guarded, ended by one signal, and recorded in one trace.
import { isIPv4, isIPv6, type Socket } from 'node:net'
import type { DnsRecordType } from '../domain/monitors/monitor.ts'
import {
  type ConnectionContext,
  type ConnectionTrace,
  connect,
  type Destination,
  type Guard,
  resolveDestination,
} from './connect.ts'
import { type HttpReply, type HttpRequest, sendRequest } from './http-request.ts'
import { OutboundError, toOutboundError } from './outbound-error.ts'
import type { Pinger } from './ping.ts'
import type { PingPlan } from './ping-command.ts'
import { queryRecords } from './query-records.ts'

export type Outbound = { guard: Guard; pinger: Pinger }

export type OutboundConnection = {
  signal: AbortSignal
  trace: ConnectionTrace
  connect(to: Destination): Promise<OpenConnection>
  request(request: HttpRequest): Promise<HttpReply>
  query(name: string, type: DnsRecordType): Promise<readonly string[]>
  ping(host: string, plan: Omit<PingPlan, 'signal'>): Promise<number[]>
}

/** It hides the socket, because code that reads by hand could miss the deadline or take silence for a response. */
type OpenConnection = {
  /**
   * Sends `request` and reads the response, which is never empty. Throws TIMEOUT if the deadline passes first, and RESET
   * if the target closes first.
   */
  exchange(request: string | Uint8Array, response: ResponseEnd): Promise<Buffer>
  close(): void
}

type ResponseEnd = {
  maxBytes: number
  /**
   * Whether the response is complete. One that is not at `maxBytes` is INVALID_RESPONSE. Without this function, the
   * response ends when the target closes, or at `maxBytes`.
   */
  isComplete?(received: Buffer): boolean
}

export function openOutboundConnection(
  { guard, pinger }: Outbound,
  signal: AbortSignal,
): OutboundConnection {
  const trace: ConnectionTrace = { timings: {}, sent: false }
  const context = { signal, trace }
  return {
    signal,
    trace,
    async connect(to) {
      const socket = await connect(guard, to, context)
      closeWith(socket, signal)
      return {
        exchange: (request, response) => exchange(socket, request, response, context),
        close: () => socket.destroy(),
      }
    },
    async request(request) {
      const reply = await sendRequest(guard, request, context)
      trace.responded = true
      return reply
    },
    async query(name, type) {
      const records = await queryRecords(guard, name, type, signal)
      trace.responded = true
      return records
    },
    async ping(host, plan) {
      const times = await pingFirst(host, plan)
      if (times.length > 0) trace.responded = true
      return times
    },
  }

  async function pingFirst(host: string, plan: Omit<PingPlan, 'signal'>): Promise<number[]> {
    const addresses = await resolveDestination(guard, { host, port: 0 }, context)
    const [four, six] = [addresses.find(isIPv4), addresses.find(isIPv6)]
    const address = four ?? six ?? ''
    try {
      trace.resolvedIp = address
      return await pinger.ping(address, { ...plan, signal })
    } catch (error) {
      const isFirst = four !== undefined && six !== undefined
      if (!isFirst || !(error instanceof OutboundError) || error.code !== 'NO_ROUTE') throw error
      trace.resolvedIp = six
      return pinger.ping(six, { ...plan, signal })
    }
  }
}

async function exchange(
  socket: Socket,
  request: string | Uint8Array,
  { maxBytes, isComplete }: ResponseEnd,
  { signal, trace }: ConnectionContext,
): Promise<Buffer> {
  const startMs = performance.now()
  const buffer = Buffer.allocUnsafe(maxBytes)
  let length = 0
  try {
    socket.write(request)
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      if (!trace.responded) trace.timings.firstByteMs = performance.now() - startMs
      trace.responded = true
      length += chunk.copy(buffer, length)
      const received = buffer.subarray(0, length)
      if (isComplete?.(received)) return received
      if (length < maxBytes) continue
      if (isComplete === undefined) return received
      throw new OutboundError('INVALID_RESPONSE', 'too long')
    }
  } catch (error) {
    throw signal.aborted ? new OutboundError('TIMEOUT') : toOutboundError(error)
  }
  if (signal.aborted) throw new OutboundError('TIMEOUT')
  if (length === 0 || isComplete !== undefined) throw new OutboundError('RESET', 'ECONNRESET')
  return buffer.subarray(0, length)
}

// Closes the socket when the attempt ends, even if the check forgets to.
function closeWith(socket: Socket, signal: AbortSignal): void {
  const close = () => socket.destroy()
  if (signal.aborted) close()
  signal.addEventListener('abort', close, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', close))
}
