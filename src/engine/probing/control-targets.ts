// Checks whether our own network works. Used when a target does not respond, so that an outage of ours is not blamed on
// every target.
import type { Outbound } from '../../outbound/outbound-connection.ts'
import { openOutboundConnection } from '../../outbound/outbound-connection.ts'

export type ControlTargets = { reached(): Promise<boolean | null> }

const WAIT_MS = 2000
const CACHE_MS = 2000

/** Targets are `host:port`; an empty list disables the check. */
export function createControlTargets(
  outbound: Outbound,
  targets: readonly string[],
): ControlTargets {
  if (targets.length === 0) return { reached: async () => null }
  let cached: { atMs: number; answer: Promise<boolean> } | undefined
  return {
    reached() {
      const nowMs = performance.now()
      if (cached === undefined || nowMs - cached.atMs > CACHE_MS)
        cached = { atMs: nowMs, answer: anyAccepts(outbound, targets) }
      return cached.answer
    },
  }
}

async function anyAccepts(outbound: Outbound, targets: readonly string[]): Promise<boolean> {
  const { signal, connect } = openOutboundConnection(outbound, AbortSignal.timeout(WAIT_MS))
  const tries = targets.map(async (target) => {
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(target) ?? []
    const socket = await connect({ host, port: Number(port) })
    socket.destroy()
  })
  return Promise.any(tries).then(
    () => !signal.aborted,
    () => false,
  )
}
