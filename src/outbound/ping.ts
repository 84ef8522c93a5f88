// Sends several echo requests to one address, by whichever method this machine permits.
import { isIPv6 } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { blameRoute } from './no-route.ts'
import { OutboundError, toOutboundError } from './outbound-error.ts'
import { type PingPlan, pingByCommand } from './ping-command.ts'
import { type EchoSocket, type Family, openEchoSocket } from './ping-socket.ts'

export type Pinger = {
  /** Round-trip times of the requests that got a reply; empty if none did. */
  ping(address: string, plan: PingPlan): Promise<number[]>
  close(): Promise<void>
}

// Once one reply has arrived, waiting longer for a lost one is not worth it.
const STRAGGLER_MS = 1_000

export function createPinger(): Pinger {
  const sockets = new Map<Family, Promise<EchoSocket | undefined>>()
  const socketFor = (family: Family) => {
    const known = sockets.get(family) ?? openEchoSocket(family)
    sockets.set(family, known)
    return known
  }
  return {
    async ping(address, plan) {
      const socket = await socketFor(isIPv6(address) ? 6 : 4)
      try {
        if (socket === undefined) return await pingByCommand(address, plan)
        return await echo(socket, address, plan)
      } catch (error) {
        throw await blameRoute(error, address)
      }
    },
    async close() {
      for (const socket of sockets.values()) (await socket)?.close()
      sockets.clear()
    },
  }
}

async function echo(
  socket: EchoSocket,
  address: string,
  { count, gapMs, signal }: PingPlan,
): Promise<number[]> {
  const requests: ReturnType<EchoSocket['send']>[] = []
  const times: number[] = []
  const faults: unknown[] = []
  const settled: Promise<unknown>[] = []
  try {
    for (let i = 0; i < count && !signal.aborted; i++) {
      if (i > 0) await pause(gapMs, signal)
      const request = socket.send(address)
      requests.push(request)
      settled.push(
        request.reply.then(
          (ms) => times.push(ms),
          (error) => faults.push(error),
        ),
      )
    }
    await Promise.race([Promise.all(settled), firstThenStragglers(settled, signal)])
  } finally {
    for (const request of requests) request.forget()
  }
  if (times.length === 0 && faults.length > 0) throw named(faults[0])
  return times
}

async function firstThenStragglers(settled: Promise<unknown>[], signal: AbortSignal) {
  await Promise.race([...settled, aborted(signal)])
  await pause(STRAGGLER_MS, signal)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => undefined)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function named(error: unknown): unknown {
  const outbound = toOutboundError(error)
  return outbound instanceof OutboundError ? outbound : new OutboundError('NO_PING', 'send failed')
}
