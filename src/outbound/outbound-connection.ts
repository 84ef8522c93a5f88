// Outbound access for one attempt: guarded, ended by one signal, and recorded in one trace.
import { isIPv4, isIPv6, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { DnsRecordType } from '../domain/monitors/monitor.ts'
import {
  type ConnectionTrace,
  connect,
  type Destination,
  type Guard,
  resolveDestination,
} from './connect.ts'
import { type HttpReply, type HttpRequest, sendRequest } from './http-request.ts'
import { OutboundError } from './outbound-error.ts'
import type { Pinger } from './ping.ts'
import type { PingPlan } from './ping-command.ts'
import { queryRecords } from './query-records.ts'

export type Outbound = { guard: Guard; pinger: Pinger }

export type OutboundConnection = {
  signal: AbortSignal
  trace: ConnectionTrace
  connect(to: Destination): Promise<Socket | TLSSocket>
  request(request: HttpRequest): Promise<HttpReply>
  query(name: string, type: DnsRecordType): Promise<readonly string[]>
  ping(host: string, plan: Omit<PingPlan, 'signal'>): Promise<number[]>
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
      return socket
    },
    request: (request) => sendRequest(guard, request, context),
    query: (name, type) => queryRecords(guard, name, type, signal),
    async ping(host, plan) {
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
    },
  }
}

// Closes the socket when the attempt ends, even if the check forgets to.
function closeWith(socket: Socket, signal: AbortSignal): void {
  const close = () => socket.destroy()
  signal.addEventListener('abort', close, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', close))
}
