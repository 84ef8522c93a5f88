// Connects to the mail relay. It comes from the operator's configuration, not from a tenant, so it may have a private
// address or a name only the system can resolve (hosts file, search domain). So it bypasses the guard and uses the
// system's resolver.
import type { Socket } from 'node:net'
import { openSocket } from './open-socket.ts'
import { OutboundError, systemCodeOf, toOutboundError } from './outbound-error.ts'

/** Returns an open socket. The caller owns and destroys it. */
export async function openRelay(
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
): Promise<Socket> {
  try {
    return await openSocket({ host, port, noDelay: true }, signal)
  } catch (error) {
    throw toNamed(error)
  }
}

// The system's resolver has its own error codes, which occur only here.
function toNamed(error: unknown): unknown {
  const code = systemCodeOf(error)
  if (code === 'ENOTFOUND') return new OutboundError('NAME_NOT_FOUND', code)
  if (code.startsWith('EAI_')) return new OutboundError('NAME_NOT_ANSWERED', code)
  return toOutboundError(error)
}
