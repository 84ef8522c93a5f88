// What one attempt is lent: every way to the outside, guarded, ended by one signal, noted in one trace.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { connect, type Destination, findWay, type Guard, type Trace } from './connect.ts'
import { type HttpReply, type HttpRequest, sendRequest } from './http-request.ts'
import type { Pinger, PingPlan } from './ping.ts'
import { queryRecords } from './query-records.ts'
import type { RecordType } from './resolve.ts'

export type Outbound = { guard: Guard; pinger: Pinger }

export type WayOut = {
  signal: AbortSignal
  trace: Trace
  connect(to: Destination): Promise<Socket | TLSSocket>
  request(request: HttpRequest): Promise<HttpReply>
  query(name: string, type: RecordType): Promise<readonly string[]>
  ping(host: string, plan: Omit<PingPlan, 'signal'>): Promise<number[]>
}

export function lendWayOut({ guard, pinger }: Outbound, signal: AbortSignal): WayOut {
  const trace: Trace = { timings: {}, sent: false }
  const journey = { signal, trace }
  return {
    signal,
    trace,
    async connect(to) {
      const socket = await connect(guard, to, journey)
      closeWith(socket, signal)
      return socket
    },
    request: (request) => sendRequest(guard, request, journey),
    query: (name, type) => queryRecords(guard, name, type, signal),
    async ping(host, plan) {
      const [address = ''] = await findWay(guard, { host, port: 0 }, journey)
      trace.resolvedIp = address
      return pinger.ping(address, { ...plan, signal })
    },
  }
}

// A check that forgets its socket does not keep it: the end of the attempt closes it.
function closeWith(socket: Socket, signal: AbortSignal): void {
  const close = () => socket.destroy()
  signal.addEventListener('abort', close, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', close))
}
