// A process is a set of parts. They start in order and stop in reverse; repeating the signal exits immediately.
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../observability/log.ts'

export type Part = { name: string; stop(): Promise<void> }

const STOP_SECONDS = 20

type StopOptions = {
  /** Called when the signal arrives, before anything stops. */
  onStopping(): void
  /** How long requests are still served, so that a load balancer notices that this process is about to stop. */
  drainSeconds: number
}

/** Resolves after a signal, once every part has stopped. Exits the process if stopping takes too long. */
export async function runUntilStopped(
  parts: readonly Part[],
  log: Log,
  { onStopping, drainSeconds }: StopOptions,
): Promise<void> {
  const signal = await firstSignal()
  log.info({ signal, drainSeconds }, 'stopping')
  onStopping()
  await delay(drainSeconds * 1000)
  const deadline = setTimeout(() => {
    log.error({ seconds: STOP_SECONDS }, 'parts did not stop in time')
    process.exit(1)
  }, STOP_SECONDS * 1000)
  for (const part of parts.toReversed()) {
    await part.stop()
    log.info({ part: part.name }, 'stopped')
  }
  clearTimeout(deadline)
}

async function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  })
}

/** Listens. Stopping completes responses in progress and closes idle connections. */
export async function listen(
  name: string,
  server: Server,
  address: { host: string; port: number },
): Promise<Part & { port: number }> {
  const underWay = new Set<ServerResponse>()
  let stopping = false
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive &&= !stopping
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  server.listen(address.port, address.host)
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : address.port
  return {
    name,
    port,
    async stop() {
      const closed = once(server, 'close')
      // Each response from here on is the last of its connection: a busy client would keep it open forever.
      stopping = true
      for (const response of underWay) response.shouldKeepAlive = false
      server.close()
      server.closeIdleConnections()
      await closed
    },
  }
}
